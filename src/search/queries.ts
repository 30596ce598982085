// The documents of the search as they are stored: a row each, its terms in an index of full text (FTS5, or GIN on tsvector), every word
// that was ever used, and how often terms are used in one document of 64. Both engines get the same terms and find the same.
import { sql } from 'kysely'
import { type SearchType, searchTypes } from '../contract/kinds.ts'
import { among, engineOf } from '../database/engine.ts'
import { type Bind, pipeline, prepared } from '../database/prepared.ts'
import { inTransaction } from '../database/rows.ts'
import type { Db, Transaction } from '../database/schema.ts'
import { required } from '../runtime/untyped.ts'
import { type Document, isCounted, reversedOf, type Terms } from './document.ts'

/** Each type has a block of numbers, counted downwards: the newest of a type is the first. */
export const BLOCK = 2 ** 40

/** The numbers of a type: at least `from`, below `end`. */
export function blockOf(type: SearchType): { from: number; end: number } {
  const from = (searchTypes.indexOf(type) + 1) * BLOCK
  return { from, end: from + BLOCK }
}

export const typeOfNumber = (rowId: number): SearchType | undefined => searchTypes[Math.floor(rowId / BLOCK) - 1]

interface Values extends Document {
  counted: 0 | 1
  terms: string[]
  from: number
  end: number
}

/** On PostgreSQL nothing of it is read. */
const buildUpsert = (db: Db, given: Bind<Values>) => {
  const isSqlite = engineOf(db) === 'sqlite'
  const [from, end] = [given('from'), given('end')]
  const rowId = isSqlite
    ? sql<number>`coalesce((select min("rowId") from "searchDocument" where "rowId" >= ${from} and "rowId" < ${end}), ${end}) - 1`
    : sql<number>`${end}::bigint - nextval('"searchNumber"')`
  const changes = {
    ...{ counted: given('counted'), type: given('type'), authorId: given('authorId'), parentType: given('parentType') },
    ...{ parentId: given('parentId'), title: given('title'), names: given('names'), body: given('body') },
    ...{ url: given('url'), createdAt: given('createdAt'), viaClientId: given('viaClientId') },
    ...(isSqlite ? {} : { terms: sql<string>`array_to_tsvector(${given('terms')}::text[])` }),
  }
  return db
    .insertInto('searchDocument')
    .values({ rowId, id: given('id'), ...changes })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...changes, meantBy: keptMeaning }))
    .returning('rowId')
}
/** What says the same means the same. */
const keptMeaning = sql<
  string | null
>`case when "searchDocument".title = excluded.title and "searchDocument".body = excluded.body
  then "searchDocument"."meantBy" end`
const upsert = prepared(buildUpsert, { pipelined: true })

const unindex = prepared((db, given: Bind<{ rowId: number; terms: string }>) => ({
  compile: () => sql`delete from "searchTerms" where rowid = ${given('rowId')}`.compile(db),
}))
const index = prepared((db, given: Bind<{ rowId: number; terms: string }>) => ({
  compile: () =>
    sql`insert into "searchTerms" (rowid, terms) values (${given('rowId')}, ${given('terms')})`.compile(db),
}))

/** Stores a document, or replaces the one of its id. */
export async function upsertDocument(db: Transaction, document: Document, terms: string[]): Promise<void> {
  const counted = isCounted(document.id) ? 1 : 0
  const { rows } = await upsert(db, { ...document, counted, terms, ...blockOf(document.type) })
  if (engineOf(db) === 'postgres') return
  const row = { rowId: required(rows[0]).rowId, terms: terms.join(' ') }
  await unindex(db, row)
  await index(db, row)
}

const columns = ['id', 'title', 'names', 'body'] as const

/** The texts of counted documents of these ids, and of those on things of these ids. */
export async function listTexts(db: Db, { ids, on }: { ids: readonly string[]; on: readonly string[] }) {
  const texts = db.selectFrom('searchDocument').select(columns).where('counted', '=', 1)
  const own = ids.length > 0 ? await texts.where('id', ...among(db, JSON.stringify(ids))).execute() : []
  if (on.length === 0) return own
  const others = texts.where('parentId', ...among(db, JSON.stringify(on)))
  return [...own, ...(await others.execute())]
}

/** The ids of documents. On PostgreSQL their rows are locked in that order. */
function locked(db: Transaction, ids: readonly string[]) {
  const named = db.selectFrom('searchDocument').select('id')
  const some = named.where('id', ...among(db, JSON.stringify(ids)))
  return engineOf(db) === 'sqlite' ? some : some.orderBy('id').forUpdate()
}

/** Documents of other authors now. */
export async function updateAuthors(
  db: Transaction,
  ids: readonly string[],
  written: { authorId: string; viaClientId?: null },
): Promise<void> {
  await db.updateTable('searchDocument').set(written).where('id', 'in', locked(db, ids)).execute()
}

/** Its terms go with a document. */
export async function deleteDocuments(db: Transaction, ids: readonly string[]): Promise<void> {
  await pipeline(db, db.deleteFrom('searchDocument').where('id', 'in', locked(db, ids)))
}

export const deleteDocumentsOn = inTransaction.deleteFrom('searchDocument', 'parentId')

/** Comments that went over to another thing are found with that. */
export async function updateParents(db: Transaction, ids: readonly string[], parentId: string): Promise<void> {
  await db
    .updateTable('searchDocument')
    .set({ parentId })
    .where('id', ...among(db, JSON.stringify(ids)))
    .execute()
}

const buildWords = (db: Db, given: Bind<{ rows: string }>) => ({
  compile: () =>
    (engineOf(db) === 'sqlite'
      ? sql`insert into "searchWord" (word, term, length, reversed)
          select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(${given('rows')})
          where true on conflict do nothing`
      : sql`insert into "searchWord" (word, term, length, reversed)
          select value ->> 0, value ->> 1, (value ->> 2)::integer, value ->> 3
          from json_array_elements(${given('rows')}::json) on conflict do nothing`
    ).compile(db),
})
const wordsInsertion = prepared(buildWords, { pipelined: true })

const recordsOf = (words: Terms['words']) =>
  JSON.stringify(
    [...words]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([word, term]) => [word, term, [...word].length, reversedOf(word)]),
  )

/** Remembers words; always in one order, so that two transactions never wait for each other. */
export async function insertWords(db: Transaction, words: Terms['words']): Promise<void> {
  await wordsInsertion(db, { rows: recordsOf(words) })
}

/** Changes what is stored of words, where an earlier version stored something else. */
export async function updateWords(db: Transaction, words: Terms['words']): Promise<void> {
  const rows = recordsOf(words)
  const given =
    engineOf(db) === 'sqlite'
      ? sql`(select value ->> 0 as word, value ->> 1 as term, value ->> 2 as length, value ->> 3 as reversed from json_each(${rows}))`
      : sql`(select value ->> 0 as word, value ->> 1 as term, (value ->> 2)::integer as length, value ->> 3 as reversed
          from json_array_elements(${rows}::json))`
  await sql`update "searchWord" set term = given.term, length = given.length, reversed = given.reversed from ${given} as given
    where "searchWord".word = given.word and ("searchWord".term <> given.term or "searchWord".length <> given.length
      or coalesce("searchWord".reversed, '') <> coalesce(given.reversed, ''))`.execute(db)
}

/** The name under which documents themselves are counted. No term is empty. */
export const ALL = ''

/** Adds to the counts of terms, always in one order. */
export async function addToCounts(db: Transaction, changes: ReadonlyMap<string, number>): Promise<void> {
  const rows = [...changes].filter(([, delta]) => delta !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (rows.length === 0) return
  const json = JSON.stringify(rows)
  const added = sql`on conflict (term) do update set count = "searchCount".count + excluded.count`
  const insert =
    engineOf(db) === 'sqlite'
      ? sql`insert into "searchCount" (term, count) select value ->> 0, value ->> 1 from json_each(${json}) where true ${added}`
      : sql`insert into "searchCount" (term, count)
        select value ->> 0, (value ->> 1)::integer from json_array_elements(${json}::json) ${added}`
  await pipeline(db, insert)
}
