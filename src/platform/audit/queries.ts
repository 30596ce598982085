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

interface AuditFilters {
  action?: string | undefined
  actorId?: string | undefined
  targetId?: string | undefined
}

/** Newest first, with what the actor is called now. */
export function listAudit(
  db: Db,
  { action, actorId, targetId }: AuditFilters,
  { offset, limit }: { offset: number; limit: number },
) {
  const ids = db
    .selectFrom('audit')
    .select('id')
    .$if(action !== undefined, (query) => query.where('action', '=', action!))
    .$if(actorId !== undefined, (query) => query.where('actorId', '=', actorId!))
    .$if(targetId !== undefined, (query) => query.where('targetId', '=', targetId!))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
  return db
    .selectFrom('audit')
    .leftJoin('user as actor', 'actor.id', 'audit.actorId')
    .selectAll('audit')
    .select(['actor.username as actorUsername', 'actor.email as actorEmail'])
    .where('audit.id', 'in', ids)
    .orderBy('audit.id', 'desc')
    .execute()
}
