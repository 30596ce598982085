// Addresses to which mail does not come, or that do not want it.
import { countChanged, locking } from '../database/engine.ts'
import { plain } from '../database/rows.ts'
import type { BounceTable, Db, Transaction } from '../database/schema.ts'

const columns = ['id', 'email', 'kind', 'status', 'softCount', 'since', 'stoppedAt', 'updatedAt'] as const

/** Whether mails that come by themselves no longer go to an address. */
export async function isStopped(db: Db, email: string): Promise<boolean> {
  const found = db.selectFrom('bounce').select('id').where('email', '=', email).where('stoppedAt', 'is not', null)
  return (await found.executeTakeFirst()) !== undefined
}

/** What is known of an address, locked: it is made where nothing is. */
export async function lockBounce(db: Transaction, fresh: BounceTable): Promise<BounceTable> {
  await db
    .insertInto('bounce')
    .values(fresh)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute()
  return locking(db, db.selectFrom('bounce').select(columns).where('email', '=', fresh.email)).executeTakeFirstOrThrow()
}

export async function updateBounce(db: Transaction, { id, ...changes }: BounceTable): Promise<void> {
  await db.updateTable('bounce').set(changes).where('id', '=', id).execute()
}

const stopped = (db: Db) => db.selectFrom('bounce').where('stoppedAt', 'is not', null)

/** Addresses that are stopped, newest first. */
export const listStopped = (
  db: Db,
  { after, offset, limit }: { after?: string | undefined; offset: number; limit: number },
) =>
  stopped(db)
    .select(['id', 'email', 'kind', 'status', 'stoppedAt'])
    .$narrowType<{ stoppedAt: string }>()
    .$if(after !== undefined, (rows) => rows.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

/** Lets mail go to an address again; false where it did. */
export const deleteBounce = async (db: Transaction, id: string): Promise<boolean> =>
  (await countChanged(db.deleteFrom('bounce').where('id', '=', id))) > 0

export const findBounce = plain.selectFrom('bounce', 'email', columns)

/** Forgets an address whose account is erased. */
export const deleteBounceOf = plain.deleteCounted('bounce', 'email')
