// Files and pictures of items: what members wrote has no power there, and nothing hides in it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { badgeOf } from '#lib/server/badge.ts'
import { codeOf, languageOfFile, MAX_LINES } from '#lib/server/code.ts'
import { oneLine, widthOf, wrapped } from '#lib/server/drawn-text.ts'
import { flowChart } from '#lib/server/flow-chart.ts'
import { flowDrawing, pictureOf } from '#lib/server/share-picture.ts'

const HOSTILE = `</text><script>alert(1)</script>" onload='x' & \u202e\u200b\0 \ud800`
const work = (async () => assert.fail('no thread is needed')) as unknown as App.Locals['work']

describe('a file of an item', () => {
  it('is escaped and highlighted by classes alone', async () => {
    const { html, lines } = await codeOf({ work }, 'const a = "</code><img src=x onerror=alert(1)>"\n', 'scripts/a.js')
    assert.equal(lines, 1)
    assert.doesNotMatch(html, /<img|style=/)
    assert.match(html, /class="hljs-keyword"/)
    const plain = await codeOf({ work }, '<script>alert(1)</script>', 'CHECKSUMS')
    assert.equal(plain.html, '&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  it('shows every invisible character by its code point', async () => {
    const { html } = await codeOf({ work }, 'if (a\u202e) {\u200b}\tok\u{e0041}', 'a.txt')
    assert.equal(html, 'if (a<mark>U+202E</mark>) {<mark>U+200B</mark>}\tok<mark>U+E0041</mark>')
  })

  it('has as many lines as a browser shows', async () => {
    const { html, lines } = await codeOf({ work }, '\n\r\na\rb\r\n\fc\u2028d\n', 'a.txt')
    assert.equal(html, '\n\na\nb\n<mark>U+000C</mark>c<mark>U+2028</mark>d')
    assert.equal(lines, 5)
  })

  it('is cut after 3,000 lines', async () => {
    const exact = await codeOf({ work }, 'x\n'.repeat(MAX_LINES), 'a.txt')
    assert.deepEqual([exact.lines, exact.isCut], [MAX_LINES, false])
    const more = await codeOf({ work }, 'x\n'.repeat(MAX_LINES + 1), 'a.txt')
    assert.deepEqual([more.lines, more.isCut], [MAX_LINES, true])
  })

  it('that is long is highlighted in a thread, and shown plain when that takes too long', async () => {
    const source = 'let a = 1\n'.repeat(1_000)
    const gaveUp = (async () => {
      throw Object.assign(new Error('too long'), { name: 'GivenUp' })
    }) as unknown as App.Locals['work']
    assert.doesNotMatch((await codeOf({ work: gaveUp }, source, 'a.js')).html, /</)
    const threaded = (async () => 'lit') as unknown as App.Locals['work']
    assert.equal((await codeOf({ work: threaded }, source, 'a.js')).html, 'lit')
    assert.doesNotMatch((await codeOf({ work }, `let a = ${'1'.repeat(500)}`, 'a.js')).html, /</)
  })

  it('is in the language of its name', () => {
    assert.deepEqual(['a.mjs', 'b.JSON', 'c.yml', 'README.md', 'CHECKSUMS', 'x.constructor'].map(languageOfFile), [
      'javascript',
      'json',
      'yaml',
      'markdown',
      undefined,
      undefined,
    ])
  })
})

describe('pictures of an item', () => {
  const chart = flowChart({
    nodes: [
      { name: HOSTILE, type: HOSTILE, disabled: false },
      { name: 'b', type: 'x', disabled: false },
    ],
    links: [{ from: 0, to: 1, label: HOSTILE }],
    left_out: { nodes: 0, links: 0 },
  })

  it('escape what members wrote', () => {
    const picture = pictureOf(
      {
        ...{ name: HOSTILE, kind: HOSTILE, about: HOSTILE, drawing: flowDrawing(chart) },
        points: [{ words: HOSTILE, names: [HOSTILE], warning: HOSTILE }],
        labels: [{ name: HOSTILE, color: '#b4552d' }, { name: HOSTILE }],
      },
      { site: HOSTILE },
    )
    for (const svg of [badgeOf({ name: HOSTILE, version: HOSTILE }, 'Guildhall'), picture]) {
      assert.doesNotMatch(svg, /<script|onload='|\u202e|\u200b|\0/)
      assert.ok(svg.isWellFormed())
      assert.doesNotMatch(svg.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, ''), /&/)
      assert.equal(svg.match(/<svg/g)?.length, svg.match(/<\/svg>/g)?.length)
    }
  })

  it('have the name and the version of the badge, cut to a length', () => {
    const badge = badgeOf({ name: 'Morning digest', version: '1.2.0' }, 'Guildhall')
    assert.match(badge, /<title>Morning digest 1\.2\.0 in the Guildhall library<\/title>/)
    assert.ok(badgeOf({ name: 'x'.repeat(100), version: '1.0.0' }, 'Guildhall').includes('…'))
  })

  it('wrap a title into lines that fit', () => {
    assert.deepEqual(wrapped('one two three', { most: 7, lines: 3 }), ['one two', 'three'])
    for (const text of ['x'.repeat(100), '日本'.repeat(50), 'word '.repeat(30)]) {
      const lines = wrapped(text, { most: 20, lines: 3 })
      assert.ok(lines.length <= 3 && lines.every((line) => widthOf(line) <= 21), JSON.stringify(lines))
    }
    assert.equal(oneLine('a\u202e b\n c', 10), 'a b c')
  })
})
