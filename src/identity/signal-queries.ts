// Signals that wait: that sessions of an account were revoked. They are queued in the transaction that revokes, and sent after it (oauth/signals).
import { sql } from 'kysely'
import { deleteUntil } from '../database/expiry.ts'
import { plain } from '../database/rows.ts'
import type { Db, Transaction } from '../database/schema.ts'
import { newId } from '../runtime/ids.ts'
import { queueOnStreams } from './signal-stream-queries.ts'

/** Has others hear that sessions of an account ended. Where no one is to hear, the job removes it. */
export async function queueSignal(db: Transaction, userId: string, createdAt: string): Promise<void> {
  await db.insertInto('signal').values({ id: newId(), userId, createdAt, givenUpAt: null }).execute()
  await queueOnStreams(db, userId, createdAt)
}

/** Those that wait, the longest first. */
export async function listWaitingSignals(db: Db, limit: number) {
  const rows = await db
    .selectFrom('signal')
    .select(['id as key', 'createdAt as since'])
    .where('givenUpAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows
}

export const findSignal = plain.selectFrom('signal', 'id', ['id', 'userId', 'createdAt'])
export const deleteSignal = plain.deleteFrom('signal', 'id')
export const updateSignal = plain.updateTable('signal', 'id')

/** Removes what was given up until then. */
export const deleteGivenUpSignals = (db: Db, until: string): Promise<void> => {
  const where = sql<boolean>`"givenUpAt" is not null`
  return deleteUntil(db, { table: 'signal', key: 'id', since: 'givenUpAt', where }, until)
}
