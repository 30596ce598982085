// Writes that wait for a yes, as they are stored.
import { type Insertable, type Selectable, sql } from 'kysely'
import { pendingActStates, type Transition } from '../../contract/states.ts'
import { among, countChanged, countRows } from '../../database/engine.ts'
import { inTransaction, plain } from '../../database/rows.ts'
import type { Db, PendingActTable, PendingFileTable, Transaction } from '../../database/schema.ts'
import { mayStep } from '../../database/states.ts'
import { standing } from '../../identity/account-queries.ts'
import { after } from '../../runtime/clock.ts'
import { LISTED_SECONDS } from './rules.ts'

const pending = (db: Db) =>
  db
    .selectFrom('pendingAct')
    .leftJoin('grant', (join) => join.onRef('grant.id', '=', 'pendingAct.grantId').on(standing('grant')))
    .select(['grant.expiresAt as grantExpiresAt', 'grant.bounds as grantBounds'])

/** A text of the statement: SQLite prepares one again for each value that is bound beside the state of a partial index. */
const WAITING = sql.lit('waiting' as const)

/** What a list shows: not what was sent and what the dry run said, which can be long. */
const listed = [
  ...(['id', 'userId', 'grantId', 'clientId', 'clientName', 'operation', 'state', 'title'] as const),
  ...(['answer', 'reason', 'createdAt', 'expiresAt', 'decidedAt', 'itemId', 'deciderId'] as const),
] as const
const whole = [...listed, 'scope', 'request', 'size', 'preview', 'helpers'] as const

const withGrant = (db: Db) => pending(db).select(whole.map((name) => `pendingAct.${name}` as const))

export type ActRow = NonNullable<Awaited<ReturnType<typeof findAct>>>

/** With its grant, where that is still there. */
export const findAct = (db: Db, id: string) => withGrant(db).where('pendingAct.id', '=', id).executeTakeFirst()

export type ActSummary = Pick<ActRow, (typeof listed)[number] | 'grantExpiresAt' | 'grantBounds'>

/** What lists show of acts of an account, sealed; those of them that are still there. */
export const listTitles = (db: Db, { userId, ids }: { userId: string; ids: readonly string[] }) =>
  db
    .selectFrom('pendingAct')
    .select(['id', 'title'])
    .where('userId', '=', userId)
    .where('id', ...among(db, JSON.stringify(ids)))
    .execute()

/** Locks the act until the transaction ends. */
export const lockAct = inTransaction.selectForUpdate('pendingAct', 'id', ['state'])

export interface ActQuery {
  /** Of an account, or those that the people of an item decide on. */
  userId?: string | undefined
  itemId?: string | undefined
  /** Those of one grant alone. */
  grantId?: string | undefined
  waiting: boolean
  before: string | undefined
  now: string
  limit: number
}

/** Newest first. */
export function listActs(
  db: Db,
  { userId, itemId, grantId, waiting, before, now, limit }: ActQuery,
): Promise<ActSummary[]> {
  return pending(db)
    .select(listed.map((name) => `pendingAct.${name}` as const))
    .where((e) =>
      itemId === undefined ? e('pendingAct.userId', '=', String(userId)) : e('pendingAct.itemId', '=', itemId),
    )
    .$if(grantId !== undefined, (rows) => rows.where('pendingAct.grantId', '=', String(grantId)))
    .$if(before !== undefined, (rows) => rows.where('pendingAct.id', '<', String(before)))
    .$if(waiting, (rows) =>
      rows
        .where('pendingAct.state', '=', WAITING)
        .where('pendingAct.expiresAt', '>', now)
        .where('grant.expiresAt', '>', now),
    )
    .orderBy('pendingAct.id', 'desc')
    .limit(limit)
    .execute()
}

/** Of a grant, or of an item. */
export async function countWaiting(db: Db, of: { grantId: string } | { itemId: string }, now: string): Promise<number> {
  const all = db.selectFrom('pendingAct').where((e) => e.and(of))
  const acts = all.where('state', '=', WAITING)
  return countRows(acts.where('expiresAt', '>', now))
}

/** How much is kept of the acts of an account, in characters. */
export async function sumKept(db: Db, userId: string): Promise<number> {
  const acts = db.selectFrom('pendingAct').where('userId', '=', userId)
  const { kept } = await acts.select(({ fn }) => fn.sum('size').as('kept')).executeTakeFirstOrThrow()
  return Number(kept ?? 0)
}

export async function insertAct(
  db: Transaction,
  act: Insertable<PendingActTable>,
  files: readonly PendingFileTable[],
): Promise<void> {
  await db.insertInto('pendingAct').values(act).execute()
  if (files.length > 0) await db.insertInto('pendingFile').values(files).execute()
}

type Changes = Partial<
  Pick<Selectable<PendingActTable>, 'answer' | 'reason' | 'decidedAt' | 'deciderId' | 'request' | 'title'>
>

/** Takes a step with an act; false where it is in no state before that. */
export async function stepAct(
  db: Db,
  { id, ...step }: { id: string } & Transition<typeof pendingActStates>,
  changes: Changes,
): Promise<boolean> {
  const act = db.updateTable('pendingAct').where('id', '=', id).where(mayStep(pendingActStates, step))
  return (await countChanged(act.set({ ...changes, state: step.to }))) === 1
}

/** Changes what an account is asked, while that waits. */
export async function updateWaiting(db: Db, id: string, asked: Pick<Changes, 'request' | 'title'>): Promise<void> {
  await db.updateTable('pendingAct').set(asked).where('id', '=', id).where('state', '=', 'waiting').execute()
}

const fileColumns = ['id', 'field', 'filename', 'mimeType', 'sha256', 'size'] as const
export type ActFile = Pick<PendingFileTable, (typeof fileColumns)[number]>

/** In the order in which they came. */
export const listActFiles = (db: Db, actId: string): Promise<ActFile[]> =>
  db.selectFrom('pendingFile').select(fileColumns).where('actId', '=', actId).orderBy('id').execute()

export const deleteActFiles = plain.deleteFrom('pendingFile', 'actId')

/** Acts that were agreed to before a moment and are not made yet. */
export function listApproved(db: Db, before: string, limit: number) {
  return db
    .selectFrom('pendingAct')
    .select((row) => ['id as key', row.ref('decidedAt').$notNull().as('since')])
    .where('state', '=', 'approved')
    .where('decidedAt', '<', before)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Forgets some files of acts that can no longer be made. Gives how many. */
async function deleteDeadFiles(db: Db, now: string, limit: number): Promise<number> {
  const dead = db
    .selectFrom('pendingFile')
    .innerJoin('pendingAct', 'pendingAct.id', 'pendingFile.actId')
    .leftJoin('grant', 'grant.id', 'pendingAct.grantId')
    .select('pendingFile.id')
    .where((e) =>
      e.or([
        e('pendingAct.state', 'not in', ['waiting', 'approved']),
        e.and([e('pendingAct.state', '=', 'waiting'), e('pendingAct.expiresAt', '<=', now)]),
        e('grant.id', 'is', null),
      ]),
    )
    .limit(limit)
  return countChanged(db.deleteFrom('pendingFile').where('id', 'in', dead))
}

/** Forgets some acts that expired before a moment. Gives how many. */
async function deleteOldActs(db: Db, expiredBefore: string, limit: number): Promise<number> {
  const old = db.selectFrom('pendingAct').select('id').where('expiresAt', '<', expiredBefore).limit(limit)
  return countChanged(db.deleteFrom('pendingAct').where('id', 'in', old))
}

/** Forgets some acts of an account, with their files. Gives how many. */
export const deleteActsOf = plain.deleteSome('pendingAct', 'userId')

/** Who agreed to acts of others is forgotten. */
export async function forgetDecider(db: Db, deciderId: string): Promise<void> {
  await db.updateTable('pendingAct').set({ deciderId: null }).where('deciderId', '=', deciderId).execute()
}

const BATCH = 200

/** Removes acts that can no longer be made: their files at once, themselves after some weeks. */
export async function deleteOldPending(db: Db, now: string): Promise<void> {
  while ((await deleteDeadFiles(db, now, BATCH)) === BATCH);
  const before = after(now, -LISTED_SECONDS)
  while ((await deleteOldActs(db, before, BATCH)) === BATCH);
}
