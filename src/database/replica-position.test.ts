// Places in the write-ahead log, and what makes a database a replica of another one.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bytesOf, whyNoReplica } from './replica-position.ts'

const identity = { system: '7654321', database: 'guildhall public', ids: '16384 2200' }
const replica = { ...identity, timeline: 2, server: '10.0.0.2 5432 1700000000' }
const state = { inserted: '0/0', flushed: '0/0', timeline: 2 }

describe('a place in the write-ahead log', () => {
  it('is a number of bytes', () => {
    assert.equal(bytesOf('0/0'), 0n)
    assert.equal(bytesOf('2/B374D848'), 2n * 2n ** 32n + 0xb374d848n)
  })
})

describe('a replica', () => {
  it('has the cluster, the database, the schema and the timeline of its primary', () => {
    assert.equal(whyNoReplica(identity, replica, state), undefined)
    assert.match(whyNoReplica(identity, { ...replica, system: '7654322' }, state) ?? '', /another cluster/)
    assert.match(whyNoReplica(identity, { ...replica, database: 'other public' }, state) ?? '', /another database/)
    assert.match(whyNoReplica(identity, { ...replica, ids: '16385 2200' }, state) ?? '', /another database/)
    assert.match(whyNoReplica(identity, { ...replica, timeline: 1 }, state) ?? '', /timeline 1/)
  })
})
