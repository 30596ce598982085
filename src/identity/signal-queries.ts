// Signals that wait: that sessions of an account were revoked. They are queued in the transaction that revokes, and sent after it (oauth/signals).
import { sql } from 'kysely'
import { countChanged } from '../database/engine.ts'
import { deleteUntil } from '../database/expiry.ts'
import { inTransaction, plain } from '../database/rows.ts'
import type { Db, SignalDeliveryTable, SignalStreamTable, Transaction } from '../database/schema.ts'
import { newId } from '../runtime/ids.ts'

// Streams of signals as they are stored, one for a receiver, and what waits on each until it is taken.

export type SignalStream = SignalStreamTable
export type SignalDelivery = SignalDeliveryTable

const columns = [
  ...['id', 'receiverId', 'method', 'endpointUrl', 'authorization', 'eventsRequested', 'hearsRevocations'],
  ...['description', 'status', 'reason', 'createdAt', 'verifiedAt'],
] as const
const ofDelivery = ['id', 'streamId', 'userId', 'state', 'createdAt', 'givenUpAt'] as const

export const findStreamOf = plain.selectFrom('signalStream', 'receiverId', columns)
export const findStream = plain.selectFrom('signalStream', 'id', columns)
export const updateStream = plain.updateTable('signalStream', 'id')
export const deleteStream = plain.deleteFrom('signalStream', 'id')

/** False where the receiver has one already. */
export async function insertStream(db: Db, stream: SignalStream): Promise<boolean> {
  const added = db
    .insertInto('signalStream')
    .values(stream)
    .onConflict((one) => one.column('receiverId').doNothing())
  return (await added.returning('id').executeTakeFirst()) !== undefined
}

/** Lets a signal wait on every stream that hears of revocations; a `jti` is of one stream. */
export async function queueOnStreams(db: Transaction, userId: string, createdAt: string): Promise<void> {
  const id = newId()
  await db
    .insertInto('signalDelivery')
    .columns([...ofDelivery])
    .expression(
      db
        .selectFrom('signalStream')
        .select([
          sql<string>`${id} || '.' || "id"`.as('id'),
          'id as streamId',
          sql<string>`cast(${userId} as text)`.as('userId'),
          sql<string | null>`cast(null as text)`.as('state'),
          sql<string>`cast(${createdAt} as text)`.as('createdAt'),
          sql<string | null>`cast(null as text)`.as('givenUpAt'),
        ])
        .where('status', '!=', 'disabled')
        .where('hearsRevocations', '=', 1),
    )
    .execute()
}

export const insertDelivery = inTransaction.insertInto('signalDelivery')
export const findDelivery = plain.selectFrom('signalDelivery', 'id', ofDelivery)
export const deleteDelivery = plain.deleteFrom('signalDelivery', 'id')
export const updateDelivery = plain.updateTable('signalDelivery', 'id')

/** Notes that a stream is verified now; false where that was after `since`. */
export async function noteVerified(db: Transaction, id: string, { now, since }: { now: string; since: string }) {
  const stream = db.updateTable('signalStream').set({ verifiedAt: now }).where('id', '=', id)
  return (
    (await countChanged(stream.where((e) => e.or([e('verifiedAt', 'is', null), e('verifiedAt', '<=', since)])))) > 0
  )
}

/** What is to be pushed, the longest waiting first. */
export function listPushes(db: Db, limit: number) {
  return db
    .selectFrom('signalDelivery as delivery')
    .innerJoin('signalStream as stream', 'stream.id', 'delivery.streamId')
    .select(['delivery.id as key', 'delivery.createdAt as since'])
    .where('delivery.givenUpAt', 'is', null)
    .where('stream.method', '=', 'push')
    .where('stream.status', '=', 'enabled')
    .orderBy('delivery.createdAt')
    .orderBy('delivery.id')
    .limit(limit)
    .execute()
}

/** What waits on a stream, the longest first. */
export function listDeliveries(db: Db, streamId: string, limit: number): Promise<SignalDelivery[]> {
  const waiting = db.selectFrom('signalDelivery').select(ofDelivery).where('streamId', '=', streamId)
  return waiting.orderBy('createdAt').orderBy('id').limit(limit).execute()
}

/** Removes what a receiver took; those of other streams stay. */
export async function deleteTaken(db: Db, streamId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('signalDelivery').where('streamId', '=', streamId).where('id', 'in', ids).execute()
}

export async function deleteDeliveries(db: Db, streamId: string): Promise<void> {
  await db.deleteFrom('signalDelivery').where('streamId', '=', streamId).execute()
}

/** Removes what waited since then, taken or not. */
export const deleteOldDeliveries = (db: Db, until: string): Promise<void> =>
  deleteUntil(db, { table: 'signalDelivery', key: 'id', since: 'createdAt' }, until)

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
