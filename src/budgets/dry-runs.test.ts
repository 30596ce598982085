// Tries of writes, which are counted in memory.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DRY_RUNS_A_MINUTE, DryRuns, MAX_CALLERS } from './keys.ts'

const NOW = '2026-11-28T10:00:00.000Z'
const LATER = '2026-11-28T10:01:00.000Z'
const refused = { code: 'rate_limited' }

describe('tries of writes', () => {
  it('are so many a minute of a caller', () => {
    const tries = new DryRuns()
    const one = { caller: 'one', network: '203.0.113' }
    for (let n = 0; n < DRY_RUNS_A_MINUTE; n++) tries.count(one, NOW)
    assert.throws(() => tries.count(one, NOW), refused)
    tries.count({ ...one, caller: 'other' }, NOW)
    tries.count(one, LATER)
  })

  it('come from a tenth of all callers in one network, and leave the rest to others', () => {
    const tries = new DryRuns()
    const count = (n: number, network: string, now = NOW) => tries.count({ caller: `${network} ${n}`, network }, now)
    for (let n = 0; n < MAX_CALLERS / 10; n++) count(n, 'near')
    assert.throws(() => count(MAX_CALLERS, 'near'), refused)
    count(0, 'near')
    for (let network = 1; network < 10; network++) {
      for (let n = 0; n < MAX_CALLERS / 10; n++) count(n, `network ${network}`)
    }
    assert.throws(() => count(0, 'one more'), refused)
    count(MAX_CALLERS, 'near', LATER)
  })
})
