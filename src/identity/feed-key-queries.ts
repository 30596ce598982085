// How keys of feeds are stored: one of an account, by its keyed hash.
import { plain } from '../database/rows.ts'
import type { Db, Transaction } from '../database/schema.ts'
import { callerColumns, standing } from './account-queries.ts'

/** Puts the key of an account in the place of the one before. */
export async function replaceFeedKey(
  db: Transaction,
  key: { userId: string; hash: string; createdAt: string },
): Promise<void> {
  const { hash, createdAt } = key
  await db
    .insertInto('feedKey')
    .values(key)
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ hash, createdAt }))
    .execute()
}

/** When the key of an account was made. */
export async function findFeedKeyOf(db: Db, userId: string): Promise<string | undefined> {
  const own = db.selectFrom('feedKey').innerJoin('user', 'user.id', 'feedKey.userId').select('feedKey.createdAt')
  return (await own.where('feedKey.userId', '=', userId).where(standing('feedKey')).executeTakeFirst())?.createdAt
}

/** The account of a key: one indexed look-up. */
export function findFeedCaller(db: Db, hash: string) {
  const own = db.selectFrom('feedKey').innerJoin('user', 'user.id', 'feedKey.userId').select(callerColumns)
  return own.where('feedKey.hash', '=', hash).where(standing('feedKey')).executeTakeFirst()
}

/** Returns the number of removed keys. */
export const deleteFeedKeyOf = plain.deleteCounted('feedKey', 'userId')
