// The numbers that stand beside the filters of a list; through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { onEveryEngine } from '../../../test/world.ts'

onEveryEngine('the numbers beside the filters of bugs', (it) => {
  it('are those of the lists that they lead to', async ({ alice, bob, moderator, admin, anonymous }) => {
    const one = await alice.bugs.create({ title: 'One', description: 'It stops', severity: 'low' })
    await bob.bugs.create({ title: 'Two', description: 'It stops', severity: 'high' })
    await bob.bugs.create({ title: 'Three', description: 'It stops', severity: 'high' })
    await moderator.bugs.triage({ id: one.id, status: 'resolved' })
    const label = await admin.labels.create({ name: 'mail', color: '#aabbcc' })
    await moderator.bugs.attachLabel({ id: one.id, labelId: label.id })
    const { counts } = await anonymous.bugs.counts({})
    assert.deepEqual(counts, {
      status: { open: 2, in_progress: 0, resolved: 1, wontfix: 0 },
      severity: { low: 1, medium: 0, high: 2, critical: 0 },
      label: { [label.id]: 1 },
      by: { people: 3, agents: 0 },
    })
    for (const filters of [
      {},
      { severity: 'high' },
      { status: 'open' },
      { label: label.id },
      { by: 'agents' },
    ] as const) {
      const { counts } = await anonymous.bugs.counts(filters)
      for (const [status, count] of Object.entries(counts['status']!)) {
        const { total } = await anonymous.bugs.list({ ...filters, status: status as 'open' })
        assert.equal(count, total, `${JSON.stringify(filters)} ${status}`)
      }
      for (const by of ['people', 'agents'] as const) {
        const { total } = await anonymous.bugs.list({ ...filters, by })
        assert.equal(counts['by']![by], total, `${JSON.stringify(filters)} by ${by}`)
      }
      const { total } = await anonymous.bugs.list({ ...filters, label: label.id })
      assert.equal(counts['label']![label.id], total, `${JSON.stringify(filters)} with the label`)
    }
  })
})
