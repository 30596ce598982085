// The audit log: its entries, and who can read them.
import assert from 'node:assert/strict'
import { onEveryEngine } from '../../test/world.ts'
import { AuditAction } from '../contract/audit.ts'
import { record } from './audit.ts'

onEveryEngine('the audit log', (it) => {
  it('is read back in the order of what was done, also within a millisecond', async ({ db }) => {
    const now = '2026-11-20T09:30:00.000Z'
    const acts = Array.from({ length: 200 }, (_, index) => new AuditAction('act', `${index}`, 'Acted'))
    await db.transaction().execute(async (transaction) => {
      for (const action of acts) await record(transaction, now, { action, actorId: null, targetId: 'x' })
    })
    const rows = await db.selectFrom('audit').select('action').orderBy('id').execute()
    assert.deepEqual(
      rows.map(({ action }) => action),
      acts.map(({ name }) => name),
    )
  })
})
