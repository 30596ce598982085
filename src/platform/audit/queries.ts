// The audit log as it is stored.
import { type Given, prepared } from '../../database/prepared.ts'
import type { AuditTable, Db } from '../../database/schema.ts'

const addition = prepared((db, given: Given<AuditTable>) =>
  db.insertInto('audit').values({
    id: given('id'),
    at: given('at'),
    actorId: given('actorId'),
    action: given('action'),
    targetType: given('targetType'),
    targetId: given('targetId'),
    detail: given('detail'),
    reason: given('reason'),
    address: given('address'),
  }),
)

export async function insertAudit(db: Db, entry: AuditTable): Promise<void> {
  await addition(db, entry)
}
