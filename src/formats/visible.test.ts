// What a person judges is all there to be seen.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shownText } from './visible.ts'

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
