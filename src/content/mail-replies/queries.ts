// Mails that were taken, each once; and what they answer.
import type { Db, EventTable, Transaction } from '../../database/schema.ts'

/** What an account was told of; undefined once it is gone. */
export const findReplied = (
  db: Db,
  eventId: string,
): Promise<Pick<EventTable, 'targetType' | 'targetId' | 'commentId'> | undefined> =>
  db.selectFrom('event').select(['targetType', 'targetId', 'commentId']).where('id', '=', eventId).executeTakeFirst()

/** Keeps that a mail was taken; false where it was before. Another transaction with the same one is waited for. */
export async function insertSeen(db: Transaction, hash: string, now: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('seenMail')
    .values({ hash, seenAt: now })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function deleteSeen(db: Transaction, hash: string): Promise<void> {
  await db.deleteFrom('seenMail').where('hash', '=', hash).execute()
}
