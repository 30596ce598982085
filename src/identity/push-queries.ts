// How browsers to which notifications are pushed are stored. Locks are taken in one order: account, subscription.
import type { Selectable } from 'kysely'
import { countRows } from '../database/engine.ts'
import { plain } from '../database/rows.ts'
import type { Db, PushSubscriptionTable, Transaction } from '../database/schema.ts'

type PushSubscription = Selectable<PushSubscriptionTable>

/** Stores one; false when another process has just stored that browser. */
export async function insertPush(db: Transaction, subscription: PushSubscription): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('pushSubscription')
    .values(subscription)
    .onConflict((conflict) => conflict.column('endpointHash').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Oldest first. */
export const listPush = (db: Db, userId: string) =>
  db
    .selectFrom('pushSubscription')
    .select(['id', 'sessionId', 'device', 'createdAt', 'deliveredAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export const countPush = (db: Db, userId: string): Promise<number> =>
  countRows(db.selectFrom('pushSubscription').where('userId', '=', userId))

/** A browser is that of one account: of who is signed in there last. */
export const deletePushAt = plain.deleteFrom('pushSubscription', 'endpointHash')

/** The browser of an account that had an endpoint. */
export const findPushAt = (db: Db, { userId, endpointHash }: Pick<PushSubscription, 'userId' | 'endpointHash'>) =>
  db
    .selectFrom('pushSubscription')
    .select(['id', 'device', 'createdAt', 'deliveredAt'])
    .where('endpointHash', '=', endpointHash)
    .where('userId', '=', userId)
    .executeTakeFirst()

/** Whether the account had it. */
export async function deletePushOfAccount(
  db: Transaction,
  { id, userId }: Pick<PushSubscription, 'id' | 'userId'>,
): Promise<boolean> {
  const own = db.deleteFrom('pushSubscription').where('id', '=', id).where('userId', '=', userId)
  return (await own.returning('id').executeTakeFirst()) !== undefined
}

export const deletePush = plain.deleteFrom('pushSubscription', 'id')
export const deletePushOf = plain.deleteFrom('pushSubscription', 'userId')
export const deletePushOfSession = plain.deleteFrom('pushSubscription', 'sessionId')

/** Those that were made in other sessions of the account than this one. */
export async function deletePushOfOthers(
  db: Db,
  { userId, sessionId }: Pick<PushSubscription, 'userId' | 'sessionId'>,
): Promise<void> {
  await db.deleteFrom('pushSubscription').where('userId', '=', userId).where('sessionId', '<>', sessionId).execute()
}

/** How its push service answered. */
export const updatePush = plain.updateTable('pushSubscription', 'id')
