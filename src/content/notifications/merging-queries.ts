// Followers of a merged thing, and what was told of it, go over to its target, and back where the merge is undone.
import { sql } from 'kysely'
import { among, recordsIn } from '../../database/engine.ts'
import type { FollowTable, Transaction } from '../../database/schema.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { Move } from '../merged/rules.ts'
import { insertParts, type Part, takeWaiting } from '../merged/undo-queries.ts'

type FollowRow = Omit<FollowTable, 'targetId'>
const columns = ['userId', 'state', 'createdAt', 'since'] as const

/** Lets accounts follow a thing where they chose nothing for it; gives those that did not. */
async function insertFollows(db: Transaction, targetId: string, follows: readonly FollowRow[]): Promise<Set<string>> {
  if (follows.length === 0) return new Set()
  const types = { userId: 'text', state: 'text', createdAt: 'text', since: 'integer' } as const
  const given = recordsIn<FollowRow>(db, JSON.stringify(follows), types)
  const rows = await db
    .insertInto('follow')
    .columns(['targetId', ...columns])
    .expression(
      db
        .selectFrom(given)
        .select([
          sql<string>`cast(${targetId} as text)`.as('targetId'),
          'given.userId',
          'given.state',
          'given.createdAt',
          'given.since',
        ])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) => conflict.columns(['targetId', 'userId']).doNothing())
    .returning('userId')
    .execute()
  return new Set(rows.map(({ userId }) => userId))
}

/** Moves some followers. What an account chose for the target stays. */
export async function moveFollows(db: Transaction, { from, to, limit }: Move): Promise<number> {
  const some = db.selectFrom('follow').select('userId').where('targetId', '=', from).orderBy('userId').limit(limit)
  const follows = await db
    .deleteFrom('follow')
    .where('targetId', '=', from)
    .where('userId', 'in', some)
    .returning(columns)
    .execute()
  const added = await insertFollows(db, to, follows)
  const parts = follows.map(
    ({ userId: partId, ...chosen }): Part =>
      added.has(partId) ? { partId, isAdded: 1, value: null } : { partId, isAdded: 0, value: JSON.stringify(chosen) },
  )
  await insertParts(db, { mergedId: from, kind: 'follow' }, parts)
  return follows.length
}

const chosenIn = ({ partId: userId, value }: Part): FollowRow[] =>
  value === null ? [] : [{ userId, ...parseJson<Omit<FollowRow, 'userId'>>(value) }]

/** Brings followers back: those that came along as they are now, the others as they were. */
export async function returnFollows(
  db: Transaction,
  { from, to }: Omit<Move, 'limit'>,
  parts: readonly Part[],
): Promise<void> {
  const accounts = parts.filter(({ isAdded }) => isAdded === 1).map(({ partId }) => partId)
  const taken =
    accounts.length > 0
      ? await db
          .deleteFrom('follow')
          .where('targetId', '=', from)
          .where('userId', ...among(db, JSON.stringify(accounts)))
          .returning(columns)
          .execute()
      : []
  const left = taken.map(({ userId }) => userId)
  const waiting = await takeWaiting(db, { targetId: from, kind: 'follow', accounts: left })
  await insertFollows(db, from, waiting.flatMap(chosenIn))
  await insertFollows(db, to, [...taken, ...parts.flatMap(chosenIn)])
}

/** Moves what was told of a thing: it disappears with the target. */
export async function moveEvents(db: Transaction, { from, to, limit }: Move): Promise<number> {
  const some = db
    .selectFrom('event')
    .select('id')
    .where('targetId', '=', from)
    .where('kind', 'not in', ['gone', 'hidden', 'blocked'])
    .orderBy('id')
    .limit(limit)
  const moved = await db.updateTable('event').set({ targetId: to }).where('id', 'in', some).returning('id').execute()
  const parts = moved.map(({ id }): Part => ({ partId: id, isAdded: 1, value: null }))
  await insertParts(db, { mergedId: from, kind: 'event' }, parts)
  return moved.length
}

/** Brings back what was told of a thing: these events, or those of these comments. */
export async function returnEvents(
  db: Transaction,
  { from, to }: Omit<Move, 'limit'>,
  { ids, of }: { ids: readonly string[]; of: 'id' | 'commentId' },
): Promise<void> {
  if (ids.length === 0) return
  const events = db.updateTable('event').set({ targetId: to }).where('targetId', '=', from)
  await events.where(of, 'in', ids).execute()
}
