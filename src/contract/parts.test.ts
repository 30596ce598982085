// What is off by the setting, as it is asked about.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { partsOff } from './parts.ts'
import { webhookEvents } from './webhook-events.ts'

describe('parts that are off', () => {
  const off = partsOff({ partsOff: ['bugs', 'roadmap'] })

  it('have the events of their kinds, and no name without a dot', () => {
    const names = ['bug.created', 'bug.status_changed', 'bug', 'bugs', 'bug_', 'bugx', '', '.bug', 'post.created']
    assert.deepEqual(names.filter(off.hasEvent), ['bug.created', 'bug.status_changed'])
    assert.ok(webhookEvents.some(off.hasEvent))
  })

  it('have the operations of their contracts, and single ones', () => {
    const names = ['bugs.create', 'bugs', 'bug', 'bugsx', 'features.roadmap', 'features.list', 'features', '']
    assert.deepEqual(names.filter(off.hasOperation), ['bugs.create', 'bugs', 'features.roadmap'])
  })
})
