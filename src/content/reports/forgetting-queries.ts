// How acts of moderators lose the accounts that they name: those that are purged or erased.
import { sql } from 'kysely'
import { locking } from '../../database/engine.ts'
import type { Db, Transaction } from '../../database/schema.ts'

/** The oldest removal before this moment that can be undone no more, if no other process works on it; locked. */
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

const numberOf = ({ numUpdatedRows }: { numUpdatedRows: bigint }): number => Number(numUpdatedRows)

/** Forgets whom some acts concerned, and what that account said. Gives how many there were. */
export async function forgetAccount(
  db: Db,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<number> {
  const some = db.selectFrom('moderationAct').select('id').where('accountId', '=', from).limit(limit)
  const forgotten = { accountId: to, title: '', url: '', appeal: null }
  const acts = db.updateTable('moderationAct').set(forgotten).where('id', 'in', some)
  return numberOf(await acts.executeTakeFirstOrThrow())
}

/** Forgets who did some acts. Gives how many there were. */
export async function forgetActor(db: Db, actorId: string, limit: number): Promise<number> {
  const some = db.selectFrom('moderationAct').select('id').where('actorId', '=', actorId).limit(limit)
  const acts = db.updateTable('moderationAct').set({ actorId: null }).where('id', 'in', some)
  return numberOf(await acts.executeTakeFirstOrThrow())
}
