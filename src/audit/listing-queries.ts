// The audit log as admins read it, newest first.
import type { Db } from '../database/schema.ts'
import { columns } from './chain.ts'

/** Newest first, with the current name of the actor. */
export function listAudit(
  db: Db,
  { action, actorId, targetId }: { [Column in 'action' | 'actorId' | 'targetId']?: string | undefined },
  { offset, limit }: { offset: number; limit: number },
) {
  const ids = db
    .selectFrom('audit')
    .select('id')
    .where((e) => e.and({ action, actorId, targetId }))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
  return db
    .selectFrom('audit')
    .leftJoin('user as actor', 'actor.id', 'audit.actorId')
    .select(columns.map((column) => `audit.${column}` as const))
    .select(['actor.username as actorUsername', 'actor.email as actorEmail'])
    .where('audit.id', 'in', ids)
    .orderBy('audit.id', 'desc')
    .execute()
}
