// Numbers in sentences of contracts are written as Intl writes them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withCommas } from './explain.ts'

describe('a number in a sentence', () => {
  it('is as Intl writes it in English', () => {
    for (const count of [0, 1, 12, 999, 1_000, 10_000, 999_999, 1_000_000, 26_214_400, 1.5, 1_024.5])
      assert.equal(withCommas(count), count.toLocaleString('en'))
  })
})
