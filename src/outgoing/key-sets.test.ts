// Sets of keys of others: what is kept of one.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { keySetIn } from './key-sets.ts'

const key = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: 'one', use: 'sig', alg: 'ES256', key_ops: ['verify'] }

it('A set of keys keeps the members of keys alone: others choose how much else is in it', () => {
  const given = { keys: [{ ...key, a: [[], [], []], x5c: ['A'.repeat(1_000)] }], more: [[]] }
  assert.deepEqual(keySetIn(given), { keys: [key] })
})

it('A set has 100 keys at most, and each has a type', () => {
  const of = (count: number) => ({ keys: Array.from({ length: count }, () => key) })
  assert.equal(keySetIn(of(100)).keys.length, 100)
  assert.throws(() => keySetIn(of(101)))
  assert.throws(() => keySetIn({ keys: [{ kid: 'one' }] }))
})
