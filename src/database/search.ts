// Case-insensitive substring search by trigrams on both engines: a query finds the ids of rows whose text has all of its parts.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { engineOf } from './engine.ts'
import { pipeline } from './prepared.ts'
import type { Db } from './schema.ts'

/** How texts and queries are written in the index: in one normal form and without case. */
export const fold = (text: string) => text.normalize('NFC').toLowerCase()

/** Replaces the search text of a row in the index. */
export function indexText(
  db: Db,
  { id, type }: { id: string; type: string },
  texts: readonly (string | null)[],
): Promise<void> {
  const text = fold(texts.filter(Boolean).join('\n'))
  const number = engineOf(db) === 'sqlite' ? { rowId: nextNumber(type) } : {}
  const rows = db.insertInto('searchText').values({ id, type, text, ...number })
  return pipeline(
    db,
    rows.onConflict((conflict) => conflict.column('id').doUpdateSet({ text })),
  )
}

/**
 * SQLite's index is read by row number: each type has a block of 2^40, numbered downwards in order of creation, so that the newest of
 * a type are adjacent and come first. The index is fast to read upwards.
 */
function nextNumber(type: string) {
  const [before, after] = nextNumberOf('|').split('|')
  return sql<number>`${sql.raw(before ?? '')}${type}${sql.raw(after ?? '')}`
}

/** The same as a text of SQL; `type` is an expression. */
export const nextNumberOf = (type: string): string =>
  `coalesce((select min("rowId") from "searchText" where type = ${type}),
    -((select coalesce(max(-"rowId") >> 40, 0) + 1 from "searchText") << 40)) - 1`

export function removeText(db: Db, id: string): Promise<void> {
  return pipeline(db, db.deleteFrom('searchText').where('id', '=', id))
}

/** Shorter queries have no trigram and are scanned for. */
const MIN_INDEXED = 3

const isIndexed = (folded: string) => [...folded].length >= MIN_INDEXED
const phraseOf = (folded: string) => `"${folded.replaceAll('"', '""')}"`
const likeOf = (folded: string) => `%${folded.replace(/[\\%_]/g, '\\$&')}%`
const all = (conditions: RawBuilder<unknown>[]) => sql.join(conditions, sql` and `)
const within = (parts: readonly string[]) => all(parts.map((part) => sql`instr(text, ${part}) > 0`))
const like = (parts: readonly string[]) => all(parts.map((part) => sql`text like ${likeOf(part)} escape '\\'`))

/** How many hits a search reads, and how many texts a query without a trigram reads. */
export const MATCHES = 300

/**
 * The ids of the newest rows of the type with text that contains all of `parts`, newest first and at most 300: the cost of a search does
 * not grow with the frequency of a word. Parts of one or two characters have no trigram: with no longer one, the newest 300 texts are read.
 */
export function newestMatches(db: Db, type: string, parts: readonly string[]): RawBuilder<string> {
  const folded = parts.map(fold)
  return engineOf(db) === 'sqlite' ? newestOnSqlite(type, folded) : newestOnPostgres(type, folded)
}

/** Whether the text of the row with this id contains all of `parts`: for small sets. */
export function hasText(db: Db, id: RawBuilder<unknown>, parts: readonly string[]): RawBuilder<SqlBool> {
  const folded = parts.map(fold)
  const has = engineOf(db) === 'sqlite' ? within(folded) : like(folded)
  return sql`exists (select 1 from "searchText" where id = ${id} and ${has})`
}

function newestOnSqlite(type: string, parts: readonly string[]): RawBuilder<string> {
  const indexed = parts.filter(isIndexed)
  const short = parts.filter((part) => !isIndexed(part))
  const phrases = indexed.map(phraseOf).join(' AND ')
  const numbers = sql`(select min("rowId") from "searchText" where type = ${type}) and (select max("rowId") from "searchText" where type = ${type})`
  const also = all([sql`true`, ...short.map((part) => sql`instr(s.text, ${part}) > 0`)])
  return indexed.length > 0
    ? sql`(select s.id from "searchIndex" x join "searchText" s on s."rowId" = x.rowid where x.text match ${phrases} and x.rowid between ${numbers} and ${also} order by x.rowid limit ${sql.lit(MATCHES)})`
    : sql`(select id from (select id, text from "searchText" where "rowId" between ${numbers} order by "rowId" limit ${sql.lit(MATCHES)}) where ${within(short)})`
}

function newestOnPostgres(type: string, parts: readonly string[]): RawBuilder<string> {
  // With one type alone its order would be that of the ids, and PostgreSQL would walk along the ids of all types.
  const ofType = sql`type >= ${type} and type <= ${type}`
  return parts.some(isIndexed)
    ? sql`(select id from "searchText" where ${ofType} and ${like(parts)} order by type desc, id desc limit ${sql.lit(MATCHES)})`
    : sql`(select id from (select id, text from "searchText" where type = ${type} order by id desc limit ${sql.lit(MATCHES)}) newest where ${like(parts)})`
}
