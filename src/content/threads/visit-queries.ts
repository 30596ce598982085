// What accounts saw and bookmarked, as it is stored. It is read by its account alone.
import { type RawBuilder, sql } from 'kysely'
import type { Range } from '../../database/cursor.ts'
import { countChanged, countRows, isAmong, locking } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db, ThreadVisitTable, Transaction } from '../../database/schema.ts'
import { insideOf } from '../board-access/place-queries.ts'

type Key = Pick<ThreadVisitTable, 'userId' | 'thingId'>

const one = prepared((db, given: Bind<Key>) =>
  db
    .selectFrom('threadVisit')
    .select(['seenAt', 'bookmarkedAt'])
    .where('userId', '=', given('userId'))
    .where('thingId', '=', given('thingId')),
)

export const findVisit = async (db: Db, key: Key) => (await one(db, key)).rows[0]

/** Says up to when an account saw a thing; an older moment changes nothing. */
export async function putSeen(db: Db, { seenAt, ...key }: Key & Pick<ThreadVisitTable, 'seenAt'>): Promise<void> {
  await db
    .insertInto('threadVisit')
    .values({ ...key, seenAt, bookmarkedAt: null })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'thingId']).doUpdateSet({ seenAt }).where('threadVisit.seenAt', '<', seenAt),
    )
    .execute()
}

const ofList = prepared((db, given: Bind<Key>) =>
  db
    .selectFrom('threadVisit')
    .select(['seenAt', 'beforeAt'])
    .where('userId', '=', given('userId'))
    .where('thingId', '=', given('thingId')),
)

/** The last visit of a list, which is stored by its type in place of a thing. */
export const findListVisit = async (db: Db, key: Key) => (await ofList(db, key)).rows[0]

interface ListVisit extends Key, Pick<ThreadVisitTable, 'seenAt'> {
  beforeAt: string | null
}

/** Stores a visit of a list; one that was stored later stays. */
export async function putListVisit(db: Db, { seenAt, beforeAt, ...key }: ListVisit): Promise<void> {
  await db
    .insertInto('threadVisit')
    .values({ ...key, seenAt, beforeAt, bookmarkedAt: null })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'thingId'])
        .doUpdateSet({ seenAt, beforeAt })
        .where('threadVisit.seenAt', '<', seenAt),
    )
    .execute()
}

/** Makes the bookmarks of an account come one after the other, and gives how many it has. */
export async function countBookmarksLocked(db: Transaction, userId: string): Promise<number> {
  await locking(db, db.selectFrom('user').select('id').where('id', '=', userId)).execute()
  return countRows(db.selectFrom('threadVisit').where('userId', '=', userId).where('bookmarkedAt', 'is not', null))
}

export async function putBookmark(db: Transaction, { now, ...key }: Key & { now: string }): Promise<void> {
  await db
    .insertInto('threadVisit')
    .values({ ...key, seenAt: now, bookmarkedAt: now })
    .onConflict((conflict) => conflict.columns(['userId', 'thingId']).doUpdateSet({ bookmarkedAt: now }))
    .execute()
}

/** Whether there was one. */
export async function deleteBookmark(db: Db, { userId, thingId }: Key): Promise<boolean> {
  const rows = db.updateTable('threadVisit').set({ bookmarkedAt: null }).where('userId', '=', userId)
  return (await countChanged(rows.where('thingId', '=', thingId).where('bookmarkedAt', 'is not', null))) > 0
}

interface Bookmark {
  id: string
  type: string
  number: number | string | null
  title: string
  url: string
  bookmarkedAt: string
}

interface BookmarksOf {
  userId: string
  boards: readonly string[]
  /** The types of parts that are off. */
  off: ReadonlySet<string>
}

/** Bookmarked things that an account sees: those that everybody sees, and those in these closed boards. */
function bookmarked(db: Db, { userId, boards, off }: BookmarksOf): RawBuilder<Bookmark> {
  const of = (
    from: RawBuilder<unknown>,
  ) => sql`select one.id, one.type, one.number, one.title, one.url, v."bookmarkedAt"
    from "threadVisit" v join ${from} one on one.id = v."thingId"
    where v."userId" = ${userId} and v."bookmarkedAt" is not null and not (${isAmong(db, 'one.type', JSON.stringify([...off]))}) and not exists
      (select 1 from "user" u where u.id = one."authorId" and u."blockedAt" is not null)`
  const shown = of(sql`"feedEntry"`)
  return boards.length === 0
    ? sql<Bookmark>`(${shown})`
    : sql<Bookmark>`(${shown} union all ${of(insideOf(db, boards))})`
}

/** The newest first. */
export async function listBookmarks(db: Db, of: BookmarksOf, { offset, limit, after }: Range): Promise<Bookmark[]> {
  const behind = after ? sql`where ("bookmarkedAt", id) < (${after[0]}, ${after[1]})` : sql``
  const { rows } =
    await sql<Bookmark>`select id, type, number, title, url, "bookmarkedAt" from ${bookmarked(db, of)} one
    ${behind} order by "bookmarkedAt" desc, id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countBookmarks(db: Db, of: BookmarksOf): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${bookmarked(db, of)} one`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** Removes up to `limit` rows of an account; gives how many. */
export async function deleteVisitsOf(db: Db, userId: string, limit: number): Promise<number> {
  const some = db
    .selectFrom('threadVisit')
    .select('thingId')
    .where('userId', '=', userId)
    .orderBy('thingId')
    .limit(limit)
  return countChanged(db.deleteFrom('threadVisit').where('userId', '=', userId).where('thingId', 'in', some))
}
