// Clears accounts in the log of moderation: of removals that are final, and of erased accounts.
import { sql } from 'kysely'
import { countChanged, locking } from '../../database/engine.ts'
import type { Db, Transaction } from '../../database/schema.ts'

/** Locks the oldest removal before this moment, after which none can be undone; skips those another process holds. */
export function takePurgeable(db: Transaction, before: string) {
  const rows = db
    .selectFrom('moderationAct')
    .select(['id', 'targetType', 'targetId'])
    .where('action', '=', sql.lit('delete'))
    .where('undoneAt', 'is', null)
    .where('purgedAt', 'is', null)
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(1)
  return locking(db, rows).executeTakeFirst()
}

/** Clears the account that some acts concerned, and its appeals. Returns how many acts changed. */
export async function forgetAccount(
  db: Db,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<number> {
  const some = db.selectFrom('moderationAct').select('id').where('accountId', '=', from).limit(limit)
  const forgotten = { accountId: to, title: '', url: '', appeal: null }
  const acts = db.updateTable('moderationAct').set(forgotten).where('id', 'in', some)
  return countChanged(acts)
}

/** Clears the moderator of some acts. Returns how many acts changed. */
export async function forgetActor(db: Db, actorId: string, limit: number): Promise<number> {
  const some = db.selectFrom('moderationAct').select('id').where('actorId', '=', actorId).limit(limit)
  const acts = db.updateTable('moderationAct').set({ actorId: null }).where('id', 'in', some)
  return countChanged(acts)
}
