// What JSON may hold before it is parsed.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { requireBounded } from './json-body.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const flat = (count: number) => JSON.stringify(Array(count).fill(1))
const refused = { name: 'Problem', code: 'invalid_request' }

describe('a body of JSON', () => {
  it('is nested 64 deep, and no deeper', () => {
    requireBounded(nested(64))
    assert.throws(() => requireBounded(nested(65)), refused)
    requireBounded(`[${Array(100).fill(nested(60)).join()}]`)
  })

  it('holds 20,000 values, and no more', () => {
    requireBounded(flat(20_000))
    assert.throws(() => requireBounded(flat(20_001)), refused)
  })

  it('may hold anything in its strings', () => {
    requireBounded(JSON.stringify({ text: '[{,"\\'.repeat(50_000) }))
    requireBounded(`"${'\\"['.repeat(50_000)}"`)
    assert.throws(() => requireBounded(`"\\\\",${nested(65)}`), refused)
  })

  it('is told apart as its parser does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => requireBounded(JSON.stringify(value))),
      { numRuns: 200 },
    )
    const deep = (value: unknown) => Array.from({ length: 65 }).reduce<unknown>((inner) => [inner], value)
    fc.assert(
      fc.property(fc.jsonValue(), (value) => assert.throws(() => requireBounded(JSON.stringify(deep(value))), refused)),
      { numRuns: 100 },
    )
  })
})
