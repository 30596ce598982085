// Compares the search over everything with the things it should find: every document with its thing, its terms with the index of full
// text, and the counts of terms with the documents that are counted. What differs is looked at again: the server may run.
import { sql } from 'kysely'
import { keysOf } from '../contract/records.ts'
import { engineOf } from '../database/engine.ts'
import type { Db } from '../database/schema.ts'
import { isBuilt } from '../search/building.ts'
import { type Document, documentOf, type NewDocument, termsOf } from '../search/document.ts'
import { ALL } from '../search/queries.ts'
import { searchSources } from '../search-sources.ts'

const ROWS_AT_ONCE = 500
const MAX_FOUND = 20
const LOOKS = 3

/** Sentences about what the search does not know, or should not. */
export async function listUnfindable(db: Db): Promise<string[]> {
  if (!(await isBuilt(db))) return ['The index of the search is not built to its end: start the server, or run reindex']
  const found: string[] = []
  let expected = 0
  for (const source of searchSources) {
    for (let after = ''; found.length < MAX_FOUND; ) {
      const ids = await source.listIds(db, { after, limit: ROWS_AT_ONCE })
      const last = ids.at(-1)
      if (last === undefined) break
      const documents = await source.find(db, ids)
      expected += documents.length
      for (const id of await differing(db, documents)) found.push(`${id} is not found by what it says`)
      after = last
    }
  }
  if (found.length === 0) found.push(...(await listExtra(db, expected)))
  return [...found, ...(await listMiscounted(db))]
}

const documentColumns = [
  ...['id', 'type', 'authorId', 'parentType', 'parentId', 'title', 'names', 'body', 'url', 'createdAt', 'viaClientId'],
] as const

/** Ids of documents that are not stored so, or are not in the index by all of their terms. */
async function differing(db: Db, documents: readonly NewDocument[]): Promise<string[]> {
  let left = documents.map(documentOf)
  for (let look = 1; look <= LOOKS && left.length > 0; look++) {
    const stored = await db
      .selectFrom('searchDocument')
      .select(['rowId', ...documentColumns])
      .where(
        'id',
        'in',
        left.map(({ id }) => id),
      )
      .execute()
    const byId = new Map(stored.map((row) => [row.id, row]))
    const isWrong = await Promise.all(
      left.map(async (document) => {
        const row = byId.get(document.id)
        return !row || !isSame(document, row) || !(await isIndexed(db, row))
      }),
    )
    left = left.filter((_, at) => isWrong[at])
  }
  return left.map(({ id }) => id)
}

const isSame = (document: Document, row: Document) => keysOf(document).every((name) => document[name] === row[name])

const TERMS_AT_ONCE = 100

async function isIndexed(db: Db, row: Document & { rowId: number; terms?: string }): Promise<boolean> {
  const { terms } = termsOf(row)
  if (engineOf(db) === 'postgres') {
    const { rows } = await sql<{ same: boolean }>`select terms = array_to_tsvector(${terms}::text[]) as same
      from "searchDocument" where "rowId" = ${row.rowId}`.execute(db)
    return rows[0]?.same === true
  }
  for (let at = 0; at < terms.length; at += TERMS_AT_ONCE) {
    const some = terms.slice(at, at + TERMS_AT_ONCE).map((term) => `"${term}"`)
    const { rows } = await sql`select rowid from "searchTerms"
      where "searchTerms" match ${some.join(' AND ')} and rowid = ${row.rowId}`.execute(db)
    if (rows.length === 0) return false
  }
  return true
}

/** Documents of things that are not there any more, and terms of documents that are not. */
async function listExtra(db: Db, expected: number): Promise<string[]> {
  const countOf = async (table: string) => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)
    return Number(rows[0]?.count)
  }
  const stored = await countOf('searchDocument')
  const indexed = engineOf(db) === 'sqlite' ? await countOf('searchTerms_docsize') : stored
  return [
    ...(stored > expected ? [`searchDocument has ${stored - expected} rows of things that are not there`] : []),
    ...(indexed > stored ? [`searchTerms has ${indexed - stored} rows of documents that are not there`] : []),
  ]
}

/** Counts of terms that are not those of the documents. */
async function listMiscounted(db: Db): Promise<string[]> {
  let found: string[] = []
  for (let look = 1; look <= LOOKS; look++) {
    found = await compareCounts(db)
    if (found.length === 0) break
  }
  return found
}

async function compareCounts(db: Db): Promise<string[]> {
  const expected = new Map<string, number>()
  for (let after = ''; ; ) {
    const counted = db.selectFrom('searchDocument').select(['id', 'title', 'names', 'body']).where('counted', '=', 1)
    const rows = await counted.where('id', '>', after).orderBy('id').limit(ROWS_AT_ONCE).execute()
    for (const row of rows) {
      for (const term of [ALL, ...termsOf(row).terms]) expected.set(term, (expected.get(term) ?? 0) + 1)
    }
    const last = rows.at(-1)
    if (!last) break
    after = last.id
  }
  for (const { term, count } of await db.selectFrom('searchCount').select(['term', 'count']).execute()) {
    if (expected.get(term) === count || (count === 0 && !expected.has(term))) expected.delete(term)
    else expected.set(term, (expected.get(term) ?? 0) - count)
  }
  return [...expected.keys()].slice(0, MAX_FOUND).map((term) => `The search counts "${term}" wrongly`)
}
