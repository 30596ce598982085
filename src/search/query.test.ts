// The expressions that queries become.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isMet } from '../../test/expressions.ts'
import { MAX_LOOKED_UP, mostOf, termsIn, unitsOf } from './query.ts'

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

describe('the words of a query', () => {
  const text = (count: number) => Array.from({ length: count }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')
  const partsIn = (query: string) => unitsOf(query, 32).map(({ parts }) => parts.length)

  it('have 256 parts together and not one more, so that a text without spaces is not a thousand look-ups', () => {
    assert.deepEqual(partsIn(text(MAX_LOOKED_UP + 1)), [MAX_LOOKED_UP])
    assert.deepEqual(partsIn(text(MAX_LOOKED_UP + 2)), [MAX_LOOKED_UP])
    assert.deepEqual(partsIn(`${text(MAX_LOOKED_UP)} one two`), [MAX_LOOKED_UP - 1, 1])
    assert.deepEqual(partsIn(`${text(200)} x-${text(300)}`), [199, 57])
  })
})
