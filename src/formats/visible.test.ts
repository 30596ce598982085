// What a person judges is all there to be seen.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isPlainJson, shownText, visibleJson, visibleValue } from './visible.ts'

describe('a text for a person to judge', () => {
  it('has what is not seen written out', () => {
    assert.equal(shownText('pay\u200b bob\u202e now'), 'pay\\u{200b} bob\\u{202e} now')
    assert.equal(shownText('a\u{e0041}b\u00a0c\u0000'), 'a\\u{e0041}b\\u{a0}c\\u{0}')
  })

  it('stays as it is otherwise: lines, markup, links and pictures', () => {
    for (const text of ['a\nb\r\n\tc', '<b>x</b> [a](https://b.example)', 'Grüße 👩‍🚀 ❤️ 日本', '']) {
      assert.equal(shownText(text), text)
    }
  })
})

/** Texts with all that is written out, and with what only looks like it. */
const texts = fc
  .array(
    fc.constantFrom(...'a]([:<!/?b\\u200b"\n\t\r\b\0 \x7fé\u200b\u00a0'.split(''), '👩‍🚀', '\\u200b', '<b>', '\r\n'),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))
/** After a space, so that nothing before it changes what it is. */
const UNSEEN = ' \u200b'
const WRITTEN = ' \\u200b'

describe('a value for an agent', () => {
  it('shows the same whether it is looked at closely or is known to be plain', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const closely = visibleValue([text + UNSEEN])
        assert.deepEqual(closely, [visibleValue(text) + WRITTEN])
        const json = JSON.stringify([text, ''])
        assert.equal(visibleJson(JSON.stringify([text, UNSEEN])), visibleJson(json).replace(/""\]$/, `"${WRITTEN}"]`))
        if (isPlainJson(json)) assert.deepEqual([visibleValue([text, '']), visibleJson(json)], [[text, ''], json])
      }),
      { numRuns: 2_000 },
    )
  })

  it('is plain with quotes, ends of lines and comparisons, and not with what is unseen or begins a link or HTML', () => {
    for (const text of ['a "b"\nc', '3 < 4 <3', '[x] (y)', '']) assert.ok(isPlainJson(JSON.stringify([{ text }])), text)
    for (const text of [
      '\x7f',
      'a\tb\rc',
      '\\u200b',
      '\b',
      '\f',
      '\x1b',
      'é',
      '<b',
      '<!',
      '</a',
      '<?',
      '](',
      '][',
      ']:',
    ]) {
      assert.ok(!isPlainJson(JSON.stringify([{ text }])), JSON.stringify(text))
    }
  })
})
