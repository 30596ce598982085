// Substring search without regard to case, by trigrams on both engines: a query finds the ids of things whose text has it.
import { type Expression, type RawBuilder, sql } from 'kysely'
import { engineOf } from './engine.ts'
import type { Db } from './schema.ts'

const fold = (text: string) => text.normalize('NFC').toLowerCase()

/** Puts what can be found of a thing into the index, in place of what was there. */
export async function indexText(db: Db, id: string, type: string, ...texts: (string | null)[]): Promise<void> {
  const text = fold(texts.filter(Boolean).join('\n'))
  await db
    .insertInto('searchText')
    .values({ id, type, text })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ text }))
    .execute()
}

export async function removeText(db: Db, id: string): Promise<void> {
  await db.deleteFrom('searchText').where('id', '=', id).execute()
}

const MIN_TRIGRAM = 3

const likePattern = (folded: string) => `%${folded.replace(/[\\%_]/g, '\\$&')}%`
const phraseOf = (folded: string) => `"${folded.replaceAll('"', '""')}"`

/** A condition that holds for the ids of the given type whose text contains `query`. Queries below 3 characters have no trigram and are scanned for. */
export function textContains(db: Db, id: Expression<string>, type: string, query: string): Expression<boolean> {
  const folded = fold(query)
  if (engineOf(db) === 'sqlite' && [...folded].length >= MIN_TRIGRAM) {
    return sql<boolean>`${id} in (select s.id from "searchIndex" x join "searchText" s on s.n = x.rowid where x.text match ${phraseOf(folded)} and s.type = ${type})`
  }
  return sql<boolean>`${id} in (select s.id from "searchText" s where s.type = ${type} and s.text like ${likePattern(folded)} escape '\\')`
}

/** How many hits a search goes through, and how many texts where there is no trigram to look up. */
const MATCHES = 1_000
const SHORT_QUERY_TEXTS = 2_000

/**
 * The ids of the newest things of the given type whose text contains `query`, at most 1,000 of them: what a search costs
 * does not grow with how common a word is. A query of one or two characters, which has no trigram, looks through the
 * newest 2,000 texts.
 */
export function newestMatches(db: Db, type: string, query: string): RawBuilder<string> {
  const folded = fold(query)
  const like = sql`like ${likePattern(folded)} escape '\\'`
  if ([...folded].length < MIN_TRIGRAM) {
    return sql`(select s.id from (select id, text from "searchText" where type = ${type} order by id desc limit ${sql.lit(SHORT_QUERY_TEXTS)}) s where s.text ${like})`
  }
  // Rows of the index are numbered in the order in which things were made, so that SQLite reads it from its newest end.
  return engineOf(db) === 'sqlite'
    ? sql`(select s.id from "searchIndex" x join "searchText" s on s.n = x.rowid where x.text match ${phraseOf(folded)} and s.type = ${type} order by x.rowid desc limit ${sql.lit(MATCHES)})`
    : sql`(select s.id from "searchText" s where s.type = ${type} and s.text ${like} order by s.id desc limit ${sql.lit(MATCHES)})`
}
