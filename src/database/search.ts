// The one search by parts of texts, without regard to case, by trigrams on both engines: of lists and of the library. What the parts of a
// query are follows from what it means there (search/parts.ts). The search over everything is another (src/search).
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

/** What a query means: its words, in any order, or all of it as it is. */
export type QueryMeaning = 'words' | 'substring'

/** Where texts are that are searched: a table with an index of trigrams, on both engines. */
interface TextSource {
  readonly table: 'searchText' | 'itemText'
  /** Of SQLite; PostgreSQL has one of each column. */
  readonly index: 'searchIndex' | 'itemTextIndex'
  /** A part is in any of them. */
  readonly columns: readonly string[]
  readonly meaning: QueryMeaning
}

/** The texts of things, orgs and members, and those of items. */
export const texts = {
  things: { table: 'searchText', index: 'searchIndex', columns: ['text'], meaning: 'words' },
  items: { table: 'itemText', index: 'itemTextIndex', columns: ['text', 'owner'], meaning: 'substring' },
} as const satisfies Record<string, TextSource>

/** Shorter parts have no trigram and are scanned for. */
const TRIGRAM = 3

export const hasTrigram = (part: string): boolean => [...part].length >= TRIGRAM

const likeOf = (part: string) => `%${part.replace(/[\\%_]/g, '\\$&')}%`
const quoted = (part: string) => `"${part.replaceAll('"', '""')}"`
const all = (conditions: RawBuilder<unknown>[]) => sql.join(conditions, sql` and `)
const any = (conditions: RawBuilder<unknown>[]) => sql<SqlBool>`(${sql.join(conditions, sql` or `)})`

/** What an index of trigrams is asked for: FTS5's phrases, and patterns of PostgreSQL, each the value of a parameter. */
interface Pattern<Value = string> {
  phrase: Value
  likes: readonly Value[]
}

/** Folded parts as both engines look for them; `further` are conditions on other columns in FTS5's query syntax. */
export function patternOf({ columns }: TextSource, parts: readonly string[], further: readonly string[] = []): Pattern {
  const phrases = parts.filter(hasTrigram).map((part) => `{${columns.join(' ')}} : ${quoted(part)}`)
  return { phrase: [...phrases, ...further].join(' AND '), likes: parts.map(likeOf) }
}

/** Whether a row matches, by the index: SQLite's has no part without a trigram. */
export function isMatch(
  db: Db,
  { index, columns }: TextSource,
  { phrase, likes }: Pattern<unknown>,
): RawBuilder<SqlBool> {
  if (engineOf(db) === 'sqlite') return sql<SqlBool>`${sql.ref(index)} match ${phrase}`
  const hasEach = likes.map((like) => any(columns.map((column) => sql`${sql.ref(column)} like ${like} escape '\\'`)))
  return sql<SqlBool>`${all(hasEach)}`
}

/** Whether folded texts have all of these parts, by looking at them. */
export function hasParts(
  db: Db,
  columns: readonly RawBuilder<unknown>[],
  parts: readonly unknown[],
): RawBuilder<SqlBool> {
  const place = engineOf(db) === 'sqlite' ? sql`instr` : sql`strpos`
  const each = parts.map((part) => any(columns.map((column) => sql`${place}(${column}, ${part}) > 0`)))
  return sql<SqlBool>`${all([sql`1 = 1`, ...each])}`
}

/** How many hits a search of a list reads, and how many texts a query without a trigram reads. */
export const MATCHES = 300

/**
 * The ids of the newest things of the type with text that contains all of `parts`, newest first and at most 300: the cost of a search does
 * not grow with the frequency of a word. Parts of one or two characters have no trigram: with no longer one, the newest 300 texts are read.
 */
export function newestMatches(db: Db, type: string, parts: readonly string[]): RawBuilder<string> {
  const folded = parts.map(fold)
  return engineOf(db) === 'sqlite' ? newestOnSqlite(db, type, folded) : newestOnPostgres(db, type, folded)
}

/** Whether the text of the thing with this id contains all of `parts`: for small sets. */
export function hasText(db: Db, id: RawBuilder<unknown>, parts: readonly string[]): RawBuilder<SqlBool> {
  return sql`exists (select 1 from "searchText" where id = ${id} and ${hasParts(db, [sql`text`], parts.map(fold))})`
}

function newestOnSqlite(db: Db, type: string, parts: readonly string[]): RawBuilder<string> {
  const short = parts.filter((part) => !hasTrigram(part))
  const numbers = sql`(select min("rowId") from "searchText" where type = ${type}) and (select max("rowId") from "searchText" where type = ${type})`
  return short.length < parts.length
    ? sql`(select s.id from "searchIndex" join "searchText" s on s."rowId" = "searchIndex".rowid
        where ${isMatch(db, texts.things, patternOf(texts.things, parts))} and "searchIndex".rowid between ${numbers}
          and ${hasParts(db, [sql`s.text`], short)} order by "searchIndex".rowid limit ${sql.lit(MATCHES)})`
    : sql`(select id from (select id, text from "searchText" where "rowId" between ${numbers} order by "rowId" limit ${sql.lit(MATCHES)})
        where ${hasParts(db, [sql`text`], short)})`
}

function newestOnPostgres(db: Db, type: string, parts: readonly string[]): RawBuilder<string> {
  // With one type alone its order would be that of the ids, and PostgreSQL would walk along the ids of all types.
  const ofType = sql`type >= ${type} and type <= ${type}`
  const isFound = isMatch(db, texts.things, patternOf(texts.things, parts))
  return parts.some(hasTrigram)
    ? sql`(select id from "searchText" where ${ofType} and ${isFound} order by type desc, id desc limit ${sql.lit(MATCHES)})`
    : sql`(select id from (select id, text from "searchText" where ${ofType} order by type desc, id desc limit ${sql.lit(MATCHES)}) newest
        where ${isFound})`
}
