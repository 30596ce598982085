// Substring search without regard to case, by trigrams on both engines: a query finds the ids of things whose text has it.
import { type Expression, sql } from 'kysely'
import { engineOf } from './engine.ts'
import type { Db } from './schema.ts'

/** How texts and queries are written in the index: in one normal form and without case. */
export const fold = (text: string) => text.normalize('NFC').toLowerCase()

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

/** A condition that holds for the ids of the given type whose text contains `query`. Queries below 3 characters have no trigram and are scanned for. */
export function textContains(db: Db, id: Expression<string>, type: string, query: string): Expression<boolean> {
  const folded = fold(query)
  const like = `%${folded.replace(/[\\%_]/g, '\\$&')}%`
  if (engineOf(db) === 'sqlite' && [...folded].length >= 3) {
    const phrase = `"${folded.replaceAll('"', '""')}"`
    return sql<boolean>`${id} in (select s.id from "searchIndex" x join "searchText" s on s.n = x.rowid where x.text match ${phrase} and s.type = ${type})`
  }
  return sql<boolean>`${id} in (select s.id from "searchText" s where s.type = ${type} and s.text like ${like} escape '\\')`
}
