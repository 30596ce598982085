// The expressions that queries become.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isMet } from '../../test/expressions.ts'
import { mostOf, termsIn } from './query.ts'

const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`)

describe('most of several words', () => {
  it('are all of them but one, or all', () => {
    for (let count = 2; count <= 8; count++) {
      const all = words(count)
      const expression = mostOf(all)
      for (let chosen = 0; chosen < 2 ** count; chosen++) {
        const there = new Set(all.filter((_, at) => (chosen >> at) & 1))
        assert.equal(isMet(expression, there), there.size >= count - 1, `${[...there]} of ${count}`)
      }
    }
  })

  it('are not as long as the square of their number', () => {
    assert.ok(termsIn(mostOf(words(12))).length <= 12 * 4)
  })
})
