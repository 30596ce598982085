// How the numbers of found documents are read from the index of full text, and the documents of these numbers. Every read is bounded; what
// both engines give is the same.
import { type RawBuilder, sql } from 'kysely'
import type { SearchType } from '../contract/search-types.ts'
import { engineOf } from '../database/engine.ts'
import { type Given, prepared } from '../database/prepared.ts'
import type { Db } from '../database/schema.ts'
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

const number = (db: Db) => (engineOf(db) === 'sqlite' ? sql.ref('rowid') : sql.ref('n'))

const everywhere = prepared((db, given: Given<{ expression: string }>) => ({
  compile: () =>
    sql<{ n: number }>`select ${number(db)} as n from ${matching(db, given('expression'))}
      limit ${sql.lit(MAX_NUMBERS)}`.compile(db),
}))

const written = (db: Db, expression: Expression) =>
  engineOf(db) === 'sqlite' ? toMatch(expression) : toTsquery(expression)

/** The numbers of all documents that have this, ascending: the newest of each type first. */
export async function listNumbers(db: Db, expression: Expression): Promise<number[]> {
  const { rows } = await everywhere(db, { expression: written(db, expression) })
  return rows.map(({ n }) => n).sort((a, b) => a - b)
}

const newest = prepared((db, given: Given<{ from: number; end: number }>) =>
  db
    .selectFrom('searchDocument')
    .select('n')
    .where('n', '>=', given('from'))
    .where('n', '<', given('end'))
    .orderBy('n')
    .limit(sql.lit(1)),
)

const within = prepared((db, given: Given<{ expression: string; from: number; end: number }>) => {
  const { expression, from, end } = { expression: given('expression'), from: given('from'), end: given('end') }
  return {
    // FTS5 reads a range only of integers, and numbers are bound as floats: it would read everything that matches.
    // The offset keeps PostgreSQL from using the index of full text, which would read every document with the words.
    compile: () =>
      (engineOf(db) === 'sqlite'
        ? sql<{ n: number }>`select rowid as n from "searchTerms" where "searchTerms" match ${expression}
            and rowid >= cast(${from} as integer) and rowid < cast(${end} as integer)`
        : sql<{ n: number }>`select n from (select n, terms from "searchDocument"
            where n >= ${from} and n < ${end} offset 0) newest where terms @@ ${expression}::tsquery`
      ).compile(db),
  }
})

/** The same among the newest documents of each of these types. */
export async function listNewestNumbers(
  db: Db,
  expression: Expression,
  types: readonly SearchType[],
): Promise<number[]> {
  const found: number[] = []
  for (const type of types) {
    const block = blockOf(type)
    const [first] = (await newest(db, block)).rows
    if (!first) continue
    const range = { from: first.n, end: Math.min(first.n + WINDOW, block.end) }
    const { rows } = await within(db, { expression: written(db, expression), ...range })
    found.push(...rows.map(({ n }) => n))
  }
  return found.sort((a, b) => a - b)
}

const keys = (db: Db, list: string) =>
  engineOf(db) === 'sqlite'
    ? sql<number>`(select value from json_each(${list}))`
    : sql<number>`(select value::bigint from json_array_elements_text(${list}::json) value)`

const places = prepared((db, given: Given<{ list: string }>) =>
  db
    .selectFrom('searchDocument as document')
    .leftJoin('user as author', 'author.id', 'document.authorId')
    .leftJoin('feedEntry as entry', 'entry.id', 'document.id')
    .leftJoin('libraryItem as item', 'item.id', 'document.id')
    .leftJoin('searchDocument as parent', 'parent.id', 'document.parentId')
    .leftJoin('user as parentAuthor', 'parentAuthor.id', 'parent.authorId')
    .select(['document.n', 'document.id', 'document.type', 'document.title', 'document.names', 'document.createdAt'])
    .select((row) => row.fn.coalesce('entry.score', 'item.score', sql.lit(0)).as('score'))
    .where('document.n', 'in', keys(db, given('list')))
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

const texts = prepared((db, given: Given<{ list: string }>) =>
  db
    .selectFrom('searchDocument as document')
    .leftJoin('user as author', 'author.id', 'document.authorId')
    .leftJoin('searchDocument as parent', 'parent.id', 'document.parentId')
    .select(['document.n', 'document.body', 'document.url', 'document.parentType', 'document.parentId'])
    .select(['author.username as authorUsername', 'parent.title as parentTitle'])
    .where('document.n', 'in', keys(db, given('list'))),
)

/** What a page shows of hits beside what they are ranked by. */
export async function listTexts(db: Db, numbers: readonly number[]) {
  return (await texts(db, { list: JSON.stringify(numbers) })).rows
}
export type Text = Awaited<ReturnType<typeof listTexts>>[number]
