// Where the things come from that the search finds: for the build of its index, and for its comparison with the things (src/verify).
import { sql } from 'kysely'
import type { SearchType } from '../contract/kinds.ts'
import { isAmong, locksRows } from '../database/engine.ts'
import type { Database, Db } from '../database/schema.ts'
import type { NewDocument } from './document.ts'

export interface Range {
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
