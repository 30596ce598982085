import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { plainText, renderMarkdown, trustedMarkdown } from '#lib/server/markdown.ts'
import { remember } from '#lib/server/remember.ts'
import { assertHarmless } from './strict-html.ts'

const REL = 'rel="nofollow ugc noopener"'

describe('a text in Markdown', () => {
  it('leaves the only h1 to the page', () => {
    assert.equal(renderMarkdown('# A\n\n###### B\n\nC\n='), '<h2>A</h2>\n<h6>B</h6>\n<h2>C</h2>\n')
    assert.equal(renderMarkdown('# A', { headingOffset: 2 }), '<h3>A</h3>\n')
  })
  it('has links that recommend nothing', () => {
    assert.equal(
      renderMarkdown('[a](https://b.example "c")'),
      `<p><a href="https://b.example" title="c" ${REL}>a</a></p>\n`,
    )
    assert.equal(renderMarkdown('[a](/blog#b)'), `<p><a href="/blog#b" ${REL}>a</a></p>\n`)
    assert.equal(renderMarkdown('<a@b.example>'), `<p><a href="mailto:a@b.example" ${REL}>a@b.example</a></p>\n`)
    assert.equal(renderMarkdown('[](/a)'), `<p><a href="/a" ${REL}>/a</a></p>\n`)
  })
  it('links an address that is written out, and not what only looks like one', () => {
    assert.match(
      renderMarkdown('see https://b.example/c_d_e.'),
      /see <a href="https:\/\/b.example\/c_d_e"[^>]*>https:\/\/b.example\/c_d_e<\/a>\./,
    )
    for (const name of [
      'readme.md',
      'main.rs',
      'www.b.example',
      'b.example',
      'a@b.example',
      '//b.example',
      'ftp://b.example',
      '10.0.0.1',
    ]) {
      assert.equal(renderMarkdown(name), `<p>${name}</p>\n`)
    }
  })
  it('shows our own pictures, and links those from elsewhere', () => {
    const ours = '<img src="/api/images/org/a" alt="b" loading="lazy" decoding="async" />'
    assert.equal(renderMarkdown('![b](/api/images/org/a)'), `<p>${ours}</p>\n`)
    assert.equal(renderMarkdown('[![b](/api/images/org/a)](/c)'), `<p><a href="/c" ${REL}>${ours}</a></p>\n`)
    assert.equal(
      renderMarkdown('![b *c*](https://d.example/e.png)'),
      `<p><a href="https://d.example/e.png" ${REL}>b c</a></p>\n`,
    )
    assert.equal(
      renderMarkdown('![](https://d.example/e.png)'),
      `<p><a href="https://d.example/e.png" ${REL}>https://d.example/e.png</a></p>\n`,
    )
    assert.equal(
      renderMarkdown('![b](/api/images/../auth/sign-out)'),
      `<p><a href="/api/images/../auth/sign-out" ${REL}>b</a></p>\n`,
    )
  })
  it('has no link within a link', () => {
    const badge = '[![passing](https://ci.example/badge.svg)](https://ci.example)'
    assert.equal(renderMarkdown(badge), `<p><a href="https://ci.example" ${REL}>passing</a></p>\n`)
    assert.equal(renderMarkdown('![[a](/b)](/c)'), `<p><a href="/c" ${REL}>a</a></p>\n`)
  })
  it('has bullets and bars where its text begins', () => {
    assert.equal(renderMarkdown('- א'), '<ul dir="auto">\n<li>א</li>\n</ul>\n')
    assert.equal(renderMarkdown('> 1. a'), '<blockquote dir="auto">\n<ol>\n<li>a</li>\n</ol>\n</blockquote>\n')
  })
  it('says of a task whether it is done', () => {
    const task = (name: string, sign: string) => `<span class="task" role="img" aria-label="${name}">${sign}</span>`
    assert.equal(
      renderMarkdown('- [ ] a\n- [x] *b*'),
      `<ul dir="auto">\n<li>${task('To do:', '☐')} a</li>\n<li>${task('Done:', '☑')} <em>b</em></li>\n</ul>\n`,
    )
    assert.equal(renderMarkdown('[ ] a'), '<p>[ ] a</p>\n')
    assert.equal(plainText('- [ ] a\n- [x] b', 20), '☐ a ☑ b')
    assertHarmless(renderMarkdown('- [ ] <b>\n\n  [x] c'))
  })
  it('has no header without words', () => {
    assert.match(renderMarkdown('| | a |\n| :-: | - |\n| b | c |'), /<td class="align-center"><\/td>\n<th>a<\/th>/)
  })
  it('has footnotes, numbered as they are named, with ways there and back, apart from those of other texts', () => {
    const html = renderMarkdown('A[^b] and[^a] and[^b].\n\n[^a]: One\n[^b]: Two *words*\n')
    assertHarmless(html)
    const [, doc] = /href="#fn-([0-9a-f]{8})-1"/.exec(html) ?? []
    assert.ok(doc)
    const ref = (id: string, to: number) =>
      `<sup><a href="#fn-${doc}-${to}" id="fnref-${doc}-${id}" ${REL}>${to}</a></sup>`
    assert.ok(html.startsWith(`<p>A${ref('1', 1)} and${ref('2', 2)} and${ref('1-1', 1)}.</p>`), html)
    assert.match(
      html,
      /<section class="footnotes">\n<ol dir="auto">\n<li id="fn-[0-9a-f]{8}-1"><p>Two <em>words<\/em> <a/,
    )
    assert.match(
      html,
      new RegExp(`<a href="#fnref-${doc}-1-1" aria-label="Back to reference 1" ${REL}>↩</a></p>\n</li>`),
    )
    assert.ok(!renderMarkdown('Other[^b]\n\n[^b]: Two').includes(doc))
    assert.equal(renderMarkdown('No note[^x] and ^[none]'), '<p>No note[^x] and ^[none]</p>\n')
  })
  it('leaves room for our pictures that say how large they are', () => {
    const sized = (size: string) => renderMarkdown(`![a](/api/images/text/b?size=${size})`)
    assert.match(sized('800x600'), / loading="lazy" decoding="async" width="800" height="600" \/>/)
    for (const wrong of ['0x1', '800', '800x', '100000x1', '8x6&a=b', '-1x1'])
      assert.doesNotMatch(sized(wrong), /width/)
    assert.doesNotMatch(renderMarkdown('![a](https://b.example/c?size=1x1)'), /<img/)
  })
  it('offers our pictures in narrower forms, as far as they are wider', () => {
    const path = '/api/images/text/01a1fb4e-bb9a-7544-87a4-2785318c8f22'
    const offered = (address: string) =>
      / srcset="([^"]*)" sizes="min\(100vw, 44rem\)"/
        .exec(renderMarkdown(`![a](${address})`))?.[1]
        ?.replaceAll(path, '')
    assert.equal(offered(`${path}?size=480x9`), undefined)
    assert.equal(offered(`${path}?size=481x9`), '?width=480 480w,  481w')
    assert.equal(offered(`${path}?size=960x9`), '?width=480 480w,  960w')
    assert.equal(offered(`${path}?size=1440x9`), '?width=480 480w, ?width=960 960w,  1440w')
    const all = '?width=480 480w, ?width=960 960w, ?width=1440 1440w'
    assert.equal(offered(`${path}?size=1441x9`), all)
    assert.equal(offered(path), all)
    for (const other of [`${path}?width=480`, '/api/images/text/b', path.replace('text', 'avatar'), `${path}#a`])
      assert.equal(offered(other), undefined)
  })
  it('aligns the cells of a table by class', () => {
    const html = renderMarkdown('|a|b|c|\n|:-|:-:|-:|\n|1|2|3|')
    assert.match(html, /<th>a<\/th>\n<th class="align-center">b<\/th>\n<th class="align-end">c<\/th>/)
  })
  it('has code in colours, when the language is known', () => {
    assert.equal(
      renderMarkdown('```js\nlet a\n```'),
      '<pre><code class="hljs language-javascript"><span class="hljs-keyword">let</span> a\n</code></pre>\n',
    )
    for (const name of [
      'ts',
      'json',
      'yml',
      'sh',
      'console',
      'py',
      'md',
      'html',
      'svg',
      'css',
      'sql',
      'diff',
      'golang',
      'rs',
      'docker',
      'JSON',
    ]) {
      assert.match(renderMarkdown(`\`\`\`${name} title\na\n\`\`\``), /class="hljs language-[a-z]+"/, name)
    }
    assert.equal(renderMarkdown('```brainfuck\n<>\n```'), '<pre><code>&lt;&gt;\n</code></pre>\n')
    assert.equal(renderMarkdown('    <a>'), '<pre><code>&lt;a&gt;\n</code></pre>\n')
  })
  it('has code without colours where there is too much of it, or a line too long to be written by hand', () => {
    const block = (code: string) => `\`\`\`js\n${code}\n\`\`\`\n\n`
    const lines = 'let a = 1\n'.repeat(600)
    assert.match(renderMarkdown(block(lines)), /hljs-keyword/)
    assert.equal(renderMarkdown(block(lines) + block(lines)).split('hljs-keyword').length, 601)
    assert.doesNotMatch(renderMarkdown(block(`let a = ${'1'.repeat(400)}`)), /hljs-/)
  })
  it('lets a keyboard scroll code that is wide', () => {
    assert.match(renderMarkdown(`    ${'a'.repeat(41)}`), /^<pre tabindex="0"><code>/)
    assert.match(renderMarkdown(`    ${'a'.repeat(40)}`), /^<pre><code>/)
  })
})

describe('a text that costs more than it says', () => {
  const kinds: Record<string, string> = {
    'a long definition used again and again': `[a]: /${'b'.repeat(10_000)}\n\n${'[a]'.repeat(3_300)}`,
    'a picture used again and again': `[a]: /api/images/${'b'.repeat(10_000)}\n\n${'![a]'.repeat(2_500)}`,
    'more than 100,000 characters': 'word '.repeat(20_001),
  }
  for (const [kind, source] of Object.entries(kinds)) {
    it(`is shown as it was written: ${kind}`, () => {
      const html = renderMarkdown(`<b>\n\n${source}`)
      assert.equal(html.slice(0, 30), '<pre class="plain">&lt;b&gt;\n\n')
      assert.ok(html.length < source.length * 1.1)
      assertHarmless(html)
    })
  }
  it('has no tables, where their rows would be filled up with cells that are not written', () => {
    const table = (rows: number) => renderMarkdown(`${'a|'.repeat(100)}\n${'-|'.repeat(100)}\n${'a\n'.repeat(rows)}`)
    assert.equal(table(10).slice(0, 7), '<table ')
    assert.equal(table(200).slice(0, 6), '<p>a|a')
  })
  it('is rendered in a moment', () => {
    const pieces = [
      '>',
      '> ',
      '[',
      '[](',
      '![[',
      '*',
      '*a ',
      '**a *a ',
      '_a',
      '~~a',
      '`',
      '`a``',
      '<',
      '<!--',
      '<a@',
      '&',
      '\\',
      '- ',
    ]
    pieces.push(
      '* + - ',
      '1. ',
      '|',
      '|a\n',
      'http://',
      'http://a.b ',
      'mailto:a@b.co ',
      '[a]: b\n',
      '[a][b]',
      '> - ',
      'a\n',
      '***a** ',
      'a\0',
    )
    for (const language of ['js', 'ts', 'md', 'bash', 'yaml', 'rust']) {
      for (const piece of ['a', '_', '[a](', '(', '\n', '`${'])
        pieces.push(`\n\`\`\`${language}\n${piece.repeat(300)}\n`)
    }
    for (const piece of pieces) {
      const before = process.cpuUsage()
      assertHarmless(renderMarkdown(piece.repeat(20_000 / piece.length)))
      const { user } = process.cpuUsage(before)
      assert.ok(user < 1_000_000, `${JSON.stringify(piece)} took ${user} µs`)
    }
  })
  it('keeps what is nested deeper than anybody reads from being nested as deep', () => {
    const html = renderMarkdown(`${'*a **a '.repeat(1_000)}${'a** a* '.repeat(1_000)}`)
    assert.ok((html.match(/^<p>(?:<(?:em|strong)>a ?)*/)?.[0].split('<').length ?? 0) <= 102)
    assert.match(html, /a<\/em>/)
  })
})

describe('a text of our own', () => {
  it('has headings with ids, none twice and none that the page has', () => {
    const { html, headings } = trustedMarkdown('# Über `code`, & more\n\n## A\n\n## A\n\n## Main\n\n## !', {
      taken: ['main'],
    })
    assert.deepEqual(headings, [
      { id: 'über-code--more', level: 2, text: 'Über code, & more' },
      { id: 'a', level: 3, text: 'A' },
      { id: 'a-1', level: 3, text: 'A' },
      { id: 'main-1', level: 3, text: 'Main' },
      { id: 'section', level: 3, text: '!' },
    ])
    assert.match(html, /<h3 id="a-1">A<\/h3>/)
  })
  it('recommends what it links, and shows pictures of this site', () => {
    const { html } = trustedMarkdown('[a](https://b.example) ![c](/docs/d.png) ![e](https://f.example/g.png)')
    assert.equal(
      html,
      '<p><a href="https://b.example">a</a> <img src="/docs/d.png" alt="c" loading="lazy" decoding="async" /> <a href="https://f.example/g.png">e</a></p>\n',
    )
  })
  it('has no HTML in it either', () => {
    assert.equal(trustedMarkdown('<script>').html, '<p>&lt;script&gt;</p>\n')
  })
})

describe('the words of a text', () => {
  it('are without marks, in one line', () => {
    const source =
      '# A *b*\n\nc [d](https://e.example) `f`\ng  ![h](/i)\\\nj\n\n- k\n- l\n\n```js\nm\n```\n\n|n|o|\n|-|-|\n|p|q|'
    assert.equal(plainText(source, 100), 'A b c d f g h j k l m n o p q')
  })
  it('are without footnotes', () => {
    assert.equal(plainText('Slow[^1].\n\n[^1]: By the clock.', 100), 'Slow.')
    assert.equal(plainText('Slow[^1] `[^1]`.', 100), 'Slow [^1].')
  })
  it('are cut at a word, and say so', () => {
    assert.equal(plainText('one two, three', 14), 'one two, three')
    assert.equal(plainText('one two, three', 13), 'one two…')
    assert.equal(plainText('one two, three', 8), 'one two…')
    assert.equal(plainText('', 10), '')
  })
  it('are cut between what people see as characters where there are no words', () => {
    assert.equal(plainText('a'.repeat(20), 10), `${'a'.repeat(9)}…`)
    assert.equal(plainText('👩‍🚀'.repeat(20), 12), '👩‍🚀👩‍🚀…')
    assert.equal(plainText('😀'.repeat(20), 10), '😀😀😀😀…')
    assert.ok(plainText(`a${'\u0301'.repeat(500)}`, 10).length <= 10)
  })
  it('are found without reading all of a long text', () => {
    const before = process.cpuUsage()
    assert.equal(plainText('word '.repeat(200_000), 20), 'word word word word…')
    assert.ok(process.cpuUsage(before).user < 200_000)
  })
})

describe('what is remembered', () => {
  it('is made once, and forgotten when there is more of it than fits, the oldest first', () => {
    const asked: string[] = []
    const twice = remember((text) => {
      asked.push(text)
      return text + text
    }, 12)
    for (const text of ['ab', 'cd', 'ab', 'ef', 'ab', 'cd']) assert.equal(twice(text), text + text)
    assert.deepEqual(asked, ['ab', 'cd', 'ef', 'cd'])
    assert.equal(twice('too long for it'), 'too long for ittoo long for it')
  })
})
