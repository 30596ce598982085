// How far the index of the search is built, and the documents that it is compared with.
import { sql } from 'kysely'
import { locksRows } from '../database/engine.ts'
import type { Db, SearchBuildTable, Transaction } from '../database/schema.ts'
import { SEARCH_VERSION } from './document.ts'

const ONE = 1
const columns = ['version', 'stage', 'after', 'doneAt'] as const
export type Build = Pick<SearchBuildTable, (typeof columns)[number]>

export function findBuild(db: Db): Promise<Build | undefined> {
  return db.selectFrom('searchBuild').select(columns).where('id', '=', ONE).executeTakeFirst()
}

export const isDone = (build: Build | undefined): boolean => build?.version === SEARCH_VERSION && build.doneAt !== null

/** Whether the index is complete, and made by this version. */
export const isBuilt = async (db: Db): Promise<boolean> => isDone(await findBuild(db))

/** The same, locked until the transaction ends; undefined while another process goes on with it. */
export function takeBuild(db: Transaction): Promise<Build | undefined> {
  const build = db.selectFrom('searchBuild').select(columns).where('id', '=', ONE)
  return (locksRows(db) ? build.forUpdate().skipLocked() : build).executeTakeFirst()
}

/** Makes the next build begin with nothing, also where the version is the same. */
export async function resetBuild(db: Db): Promise<void> {
  const none = { version: 0, stage: 0, after: '', doneAt: null }
  await db
    .insertInto('searchBuild')
    .values({ id: ONE, ...none })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(none))
    .execute()
}

export async function updateBuild(db: Transaction, build: Build): Promise<void> {
  await db.updateTable('searchBuild').set(build).where('id', '=', ONE).execute()
}

/** From now on no document is counted. Writers of documents wait until the transaction ends, in the order in which they lock. */
export async function resetCounts(db: Transaction): Promise<void> {
  for (const table of locksRows(db) ? ['searchDocument', 'searchCount'] : []) {
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(db)
  }
  await db.deleteFrom('searchCount').execute()
  await db.updateTable('searchDocument').set({ counted: 0 }).where('counted', '=', 1).execute()
}

/** Some documents in the order of their ids, beginning after one, locked until the transaction ends. */
export function lockDocuments(db: Transaction, after: string, limit: number) {
  const some = db.selectFrom('searchDocument').select(['id', 'type']).where('id', '>', after).orderBy('id').limit(limit)
  return (locksRows(db) ? some.forUpdate() : some).execute()
}

export async function countDocuments(db: Db): Promise<number> {
  const count = db.selectFrom('searchDocument').select((row) => row.fn.countAll<number | string>().as('count'))
  return Number((await count.executeTakeFirstOrThrow()).count)
}
