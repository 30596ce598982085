// In which boards things are, by their ids alone: what a call is about is known before its handler runs.
import { type RawBuilder, sql } from 'kysely'
import { isAmong } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { hiddenBy } from '../hiding/rules.ts'
import { type BoardedTable, THINGS } from './queries.ts'

interface Place {
  boardId: string | null
}

async function listBoardsOfThings(db: Db, ids: readonly string[]): Promise<(string | null)[]> {
  if (ids.length === 0) return []
  const those = JSON.stringify(ids)
  const each = THINGS.map((table) => sql`select "boardId" from ${sql.table(table)} where ${isAmong(db, 'id', those)}`)
  const { rows } = await sql<Place>`${sql.join(each, sql` union all `)}`.execute(db)
  return rows.map(({ boardId }) => boardId)
}

/** Where the site shows what is in boards. */
const PAGES: Readonly<Record<BoardedTable, string>> = {
  bug: 'bugs',
  feature: 'features',
  post: 'posts',
  release: 'changelog',
}

export interface ThingInClosed {
  id: string
  type: BoardedTable
  boardId: string
  title: string
  url: string
  number: number | null
  authorId: string
  createdAt: string
}

const shownInClosed = sql.join(
  THINGS.map(
    (
      table,
    ) => sql`select t.id, ${sql.lit(table)} as type, t."boardId", t.title, ${sql.lit(`/community/${PAGES[table]}/`)} || t.id as url,
      t.number, t."authorId", t."createdAt" from ${sql.table(table)} t where t.hidden = ${sql.lit(hiddenBy.board)}
        and not exists (select 1 from "user" u where u.id = t."authorId" and u."blockedAt" is not null)`,
  ),
  sql` union all `,
)

/** What shows in closed boards, to who reads those; nothing of a blocked account. */
export const thingsInClosed: RawBuilder<ThingInClosed> = sql<ThingInClosed>`(${shownInClosed})`

const closedPlace = prepared((db, given: Bind<{ id: string }>) =>
  db.selectFrom(thingsInClosed.as('one')).select(['one.type', 'one.boardId']).where('one.id', '=', given('id')),
)

/** What a thing in a closed board is, where it shows to who reads that; undefined for any other. */
export const findInClosed = async (db: Db, id: string): Promise<Pick<ThingInClosed, 'type' | 'boardId'> | undefined> =>
  (await closedPlace(db, { id })).rows[0]

const closedNumber = prepared((db, given: Bind<{ number: number }>) =>
  db
    .selectFrom(thingsInClosed.as('one'))
    .select(['one.number', 'one.type', 'one.id', 'one.title', 'one.url', 'one.boardId'])
    .where((e) =>
      e.or([
        e('one.number', '=', given('number')),
        e('one.id', 'in', e.selectFrom('mergedThing').select('targetId').where('number', '=', given('number'))),
      ]),
    ),
)

/** The thing of a number in a closed board, or what it was merged into there, where that shows to who reads the board. */
export const findNumberInClosed = async (db: Db, number: number) => (await closedNumber(db, { number })).rows[0]

const HERE = sql.ref('t.id')

/** Where a thing is, or what it was merged into, hidden or not; undefined where there is neither. */
export async function findPlace(db: Db, id: string): Promise<{ boardId: string | null; hidden: number } | undefined> {
  const each = THINGS.map(
    (table) => sql`select "boardId", hidden from ${sql.table(table)} t
    where ${HERE} = ${id} or ${HERE} = (select m."targetId" from "mergedThing" m where m.id = ${id})`,
  )
  const { rows } = await sql<{ boardId: string | null; hidden: number }>`${sql.join(each, sql` union all `)}`.execute(
    db,
  )
  return rows[0]
}

/** What shows in these closed boards. */
export const insideOf = (db: Db, boards: readonly string[]): RawBuilder<ThingInClosed> =>
  boards.length === 0
    ? sql<ThingInClosed>`(select id, type, '' as "boardId", title, url, number, "authorId", "createdAt" from "feedEntry" where 1 = 0)`
    : sql<ThingInClosed>`(select id, type, "boardId", title, url, number, "authorId", "createdAt" from ${thingsInClosed} t
        where ${isAmong(db, 't.boardId', JSON.stringify(boards))})`

/** What cases and acts of moderators with these ids are on. */
async function listTargets(db: Db, ids: readonly string[]): Promise<string[]> {
  const cases = await db.selectFrom('moderationCase').select('targetId').where('id', 'in', ids).execute()
  const acts = await db.selectFrom('moderationAct').select('targetId').where('id', 'in', ids).execute()
  return [...cases, ...acts].map(({ targetId }) => targetId)
}

/**
 * The boards that those of these ids are in, or come back to: things, comments, what was merged, and what cases and acts of moderators are on; null
 * is the first one.
 */
export async function listPlaces(db: Db, given: readonly string[]): Promise<(string | null)[]> {
  const ids = [...given, ...(await listTargets(db, given))]
  const comments = await db.selectFrom('comment').select('targetId').where('id', 'in', ids).execute()
  const merged = await db.selectFrom('mergedThing').select(['targetId', 'record']).where('id', 'in', ids).execute()
  const back = merged.flatMap(({ record }) =>
    record === null ? [] : (parseJson<Partial<Place>>(record).boardId ?? null),
  )
  const things = [...ids, ...[...comments, ...merged].map(({ targetId }) => targetId)]
  return [...(await listBoardsOfThings(db, things)), ...back]
}
