// A short run of `npm run powercut`: what was acknowledged survives a power cut.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { powercut } from '../powercut/powercut.ts'
import { whyNot } from '../powercut/record.ts'
import { temporaryDirectory } from './temporary.ts'

const reason = whyNot()

it('a power cut takes nothing that was acknowledged', { skip: reason ?? false }, async (t) => {
  const { acknowledged, results } = await powercut(await temporaryDirectory(t), { cuts: 16, rounds: 1 })
  assert.ok(acknowledged > 80, `${acknowledged} writes`)
  for (const { rule, disks, findings } of results) {
    assert.ok(disks >= 16, `${disks} disks`)
    assert.deepEqual(findings, [], rule)
  }
})
