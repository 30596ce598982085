// How far the index of the search is built, what it is built from, and the documents that it is compared with.
import { sql } from 'kysely'
import type { SearchType } from '../contract/kinds.ts'
import { isAmong, locksRows } from '../database/engine.ts'
import type { Database, Db, SearchBuildTable, Transaction } from '../database/schema.ts'
import { type NewDocument, SEARCH_VERSION } from './document.ts'

// Where the things come from that the search finds: for the build of its index, and for its comparison with the things (src/verify).

interface Range {
  after: string
  limit: number
  /** Whether the things are locked until the transaction ends. */
  isLocked?: boolean
}

export interface SearchSource {
  types: readonly SearchType[]
  /** Ids of things after one, in order: also of those that are not found. */
  listIds(db: Db, range: Range): Promise<string[]>
  /** What the search has of these things; none of those that are not found. */
  find(db: Db, ids: readonly string[]): Promise<NewDocument[]>
}

/** The ids of a table. */
export const idsOf =
  (table: string): SearchSource['listIds'] =>
  async (db, { after, limit, isLocked = false }) => {
    const lock = isLocked && locksRows(db) ? sql`for no key update` : sql``
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)} where id > ${after}
      order by id limit ${limit} ${lock}`.execute(db)
    return rows.map(({ id }) => id)
  }

interface TableSource<Table, Column> {
  table: Table
  /** What a document is made of. */
  columns: readonly Column[]
  type: SearchType
  canHide: boolean
}

/** The rows of a table; those that are `hidden`, if it has such, are not found. */
export function tableSource<Table extends keyof Database & string, Column extends keyof Database[Table] & string>(
  { table, columns, type, canHide }: TableSource<Table, Column>,
  document: (row: Pick<Database[Table], Column>) => NewDocument | undefined,
): SearchSource {
  return {
    types: [type],
    listIds: idsOf(table),
    async find(db, ids) {
      const shown = canHide ? sql`and hidden = 0` : sql``
      const names = sql.join(columns.map((column) => sql.ref(column)))
      const { rows } = await sql<Pick<Database[Table], Column>>`select ${names} from ${sql.table(table)}
        where ${isAmong(db, 'id', JSON.stringify(ids))} ${shown}`.execute(db)
      return rows.map(document).filter((one) => one !== undefined)
    },
  }
}

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
