// How the numbers of found documents are read from the index of full text, and the documents of these numbers. Every read is bounded; what
// both engines give is the same.
import { type RawBuilder, sql } from 'kysely'
import type { SearchType } from '../contract/kinds.ts'
import { among, engineOf } from '../database/engine.ts'
import { type Bind, prepared } from '../database/prepared.ts'
import type { Db } from '../database/schema.ts'
import { parseJson, required } from '../runtime/untyped.ts'
import { blockOf } from './queries.ts'
import { type Expression, toMatch, toTsquery } from './query.ts'

/** More numbers are not read of one search. */
export const MAX_NUMBERS = 10_000
/** Where every word is common, so many numbers of each type are looked at: the newest. */
export const WINDOW = 1_024

const matching = (db: Db, expression: RawBuilder<unknown> | string) =>
  engineOf(db) === 'sqlite'
    ? sql`"searchTerms" where "searchTerms" match ${expression}`
    : sql`"searchDocument" where terms @@ ${expression}::tsquery`

const number = (db: Db) => (engineOf(db) === 'sqlite' ? sql.ref('rowid') : sql.ref('rowId'))

/** Numbers as one JSON text: a row for each would take longer to receive than to find. */
const asList = (db: Db, numbers: RawBuilder<unknown>) => {
  const list = engineOf(db) === 'sqlite' ? sql`json_group_array("rowId")` : sql`coalesce(json_agg("rowId"), '[]')::text`
  return sql<{ list: string }>`select ${list} as list from (${numbers}) found`
}

const numbersOf = ({ rows }: { rows: readonly { list: string }[] }) => parseJson<number[]>(required(rows[0]).list)

const everywhere = prepared((db, given: Bind<{ expression: string }>) => ({
  compile: () =>
    asList(
      db,
      sql`select ${number(db)} as "rowId" from ${matching(db, given('expression'))} limit ${sql.lit(MAX_NUMBERS)}`,
    ).compile(db),
}))

const written = (db: Db, expression: Expression) =>
  engineOf(db) === 'sqlite' ? toMatch(expression) : toTsquery(expression)

/** The numbers of all documents that have this, ascending: the newest of each type first. */
export async function listNumbers(db: Db, expression: Expression): Promise<number[]> {
  const found = numbersOf(await everywhere(db, { expression: written(db, expression) }))
  return found.sort((a, b) => a - b)
}

/** The numbers of the documents of these ids. */
export const listNumbersOf = async (db: Db, ids: readonly string[]): Promise<number[]> =>
  ids.length === 0
    ? []
    : (await db.selectFrom('searchDocument').select('rowId').where('id', 'in', ids).execute()).map(({ rowId }) => rowId)

/** A range of numbers: at least `from`, below `end`. */
export interface Window {
  from: number
  end: number
}

const firstOf = prepared((db, given: Bind<{ blocks: string }>) => {
  const [from, end, blocks] =
    engineOf(db) === 'sqlite'
      ? [sql`value ->> 0`, sql`value ->> 1`, sql`json_each(${given('blocks')})`]
      : [sql`(value ->> 0)::bigint`, sql`(value ->> 1)::bigint`, sql`json_array_elements(${given('blocks')}::json)`]
  return {
    compile: () =>
      sql<{ first: number | null; end: number }>`select ${end} as "end",
        (select min("rowId") from "searchDocument" where "rowId" >= ${from} and "rowId" < ${end}) as first from ${blocks}`.compile(
        db,
      ),
  }
})

/** The newest numbers of each of these types that there are documents of. */
export async function listWindows(db: Db, types: readonly SearchType[]): Promise<Window[]> {
  const blocks = types.map(blockOf).map(({ from, end }) => [from, end])
  const { rows } = await firstOf(db, { blocks: JSON.stringify(blocks) })
  return rows.flatMap(({ first, end }) => (first === null ? [] : [{ from: first, end: Math.min(first + WINDOW, end) }]))
}

const withinOnSqlite = prepared((db, given: Bind<Window & { expression: string }>) => ({
  // FTS5 reads a range only of integers, and numbers are bound as floats: it would read everything that matches.
  compile: () =>
    asList(
      db,
      sql`select rowid as "rowId" from "searchTerms" where "searchTerms" match ${given('expression')}
        and rowid >= cast(${given('from')} as integer) and rowid < cast(${given('end')} as integer)`,
    ).compile(db),
}))

/** The numbers in a window of the documents that have this, on SQLite. */
export const listNumbersWithin = async (db: Db, expression: Expression, window: Window): Promise<number[]> =>
  numbersOf(await withinOnSqlite(db, { expression: toMatch(expression), ...window }))

const withinOnPostgres = prepared((db, given: Bind<{ expression: string; windows: string }>) => ({
  // The offset keeps PostgreSQL from using the index of full text, which would read every document with the words.
  compile: () =>
    asList(
      db,
      sql`select "rowId" from json_array_elements(${given('windows')}::json) as part(part) cross join lateral (
        select "rowId", terms from "searchDocument"
        where "rowId" >= (part ->> 0)::bigint and "rowId" < (part ->> 1)::bigint offset 0) newest
        where terms @@ ${given('expression')}::tsquery`,
    ).compile(db),
}))

/** The numbers in all these windows of the documents that have this, on PostgreSQL: it reads the documents themselves. */
export async function listNumbersInAll(db: Db, expression: Expression, windows: readonly Window[]): Promise<number[]> {
  const ranges = JSON.stringify(windows.map(({ from, end }) => [from, end]))
  return numbersOf(await withinOnPostgres(db, { expression: toTsquery(expression), windows: ranges }))
}

const keys = (db: Db, list: string) =>
  engineOf(db) === 'sqlite'
    ? sql<number>`(select value from json_each(${list}))`
    : sql<number>`(select value::bigint from json_array_elements_text(${list}::json) value)`

const places = prepared((db, given: Bind<{ list: string }>) =>
  db
    .selectFrom('searchDocument as document')
    .leftJoin('user as author', 'author.id', 'document.authorId')
    .leftJoin('feedEntry as entry', 'entry.id', 'document.id')
    .leftJoin('libraryItem as item', 'item.id', 'document.id')
    .leftJoin('searchDocument as parent', 'parent.id', 'document.parentId')
    .leftJoin('user as parentAuthor', 'parentAuthor.id', 'parent.authorId')
    .select([
      'document.rowId',
      'document.id',
      'document.type',
      'document.title',
      'document.names',
      'document.createdAt',
      'document.viaClientId',
    ])
    .select((row) => row.fn.coalesce('entry.score', 'item.score', sql.lit(0)).as('score'))
    .where('document.rowId', 'in', keys(db, given('list')))
    .where('author.blockedAt', 'is', null)
    .where('parentAuthor.blockedAt', 'is', null)
    // A blog post is a file and no document.
    .where((row) =>
      row.or([
        row('document.parentId', 'is', null),
        row('parent.id', 'is not', null),
        row('document.parentType', '=', 'blog'),
      ]),
    ),
)

/** What hits are ranked by. Those of blocked accounts are left out, with comments on what does not show. */
export async function listPlaces(db: Db, numbers: readonly number[]) {
  return (await places(db, { list: JSON.stringify(numbers) })).rows
}
export type Place = Awaited<ReturnType<typeof listPlaces>>[number]

const texts = prepared((db, given: Bind<{ list: string }>) =>
  db
    .selectFrom('searchDocument as document')
    .leftJoin('user as author', 'author.id', 'document.authorId')
    .leftJoin('searchDocument as parent', 'parent.id', 'document.parentId')
    .select(['document.rowId', 'document.body', 'document.url', 'document.parentType', 'document.parentId'])
    .select(['author.username as authorUsername', 'parent.title as parentTitle'])
    .where('document.rowId', 'in', keys(db, given('list'))),
)

/** What a page shows of hits beside what they are ranked by. */
export async function listTexts(db: Db, numbers: readonly number[]) {
  return (await texts(db, { list: JSON.stringify(numbers) })).rows
}
export type Text = Awaited<ReturnType<typeof listTexts>>[number]

const typed = prepared((db, given: Bind<{ ids: string }>) =>
  db
    .selectFrom('searchDocument')
    .select(['id', 'type'])
    .where('id', ...among(db, given('ids'))),
)

/** The types of documents by their ids. */
export const mapTypes = async (db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, SearchType>> =>
  new Map((await typed(db, { ids: JSON.stringify(ids) })).rows.map(({ id, type }) => [id, type]))
