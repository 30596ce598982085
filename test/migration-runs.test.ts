// Runs of accounts that were blocked before runs could be hidden.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import * as hiddenRuns from '../migrations/0045-hidden-runs.ts'
import { assertSound } from './sound.ts'
import { onEveryEngine } from './world.ts'

onEveryEngine('runs from before', (it) => {
  it('stay, and those of blocked accounts are hidden and counted no more', async (world) => {
    const { db, alice, bob, moderator, anonymous, app } = world
    const { id } = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
    const files = [new File(['# Run'], 'run.md')]
    const kept = await alice.orgRuns.add({ id, files })
    await bob.orgRuns.add({ id, files })
    await moderator.admin.block({ id: (await bob.account()).id, blocked: true })
    // As it was: the block was done with, and its run was counted.
    for (const name of ['orgRun_org', 'orgRun_orgId_createdAt_id', 'moderationCase_target']) {
      await db.schema.dropIndex(name).execute()
    }
    await db.schema.alterTable('orgRun').dropColumn('hidden').execute()
    await sql`create index "orgRun_orgId_createdAt_id" on "orgRun" ("orgId", "createdAt", "id")`.execute(db)
    await db
      .updateTable('accountSweep')
      .set({ place: 'comment/', done: 1, doneAt: '2026-11-22T00:00:00.000Z' })
      .execute()

    await hiddenRuns.up(db)
    assert.equal((await anonymous.orgs.get({ id })).runCount, 2)
    await app.deliver()
    assert.equal((await anonymous.orgs.get({ id })).runCount, 1)
    const { items, total } = await anonymous.orgRuns.list({ id })
    assert.deepEqual([items.map((run) => run.id), total], [[kept.id], 1])
    await assertSound(world)
  })
})
