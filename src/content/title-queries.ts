// The titles of things for the audit log, read in bulk. Hidden and private things have them too: only admins read the log.
import { sql } from 'kysely'
import { isAmong } from '../database/engine.ts'
import type { Database, Db } from '../database/schema.ts'

/** A thing that is there: its title, and its page if it has one. */
export interface Titled {
  id: string
  title: string
  url: string | null
}

/** Things of one type, among these ids. */
export type FindTitles = (db: Db, ids: readonly string[]) => Promise<Titled[]>

/** The rows of a table, found by the first of the columns. */
export const titlesIn =
  <Table extends keyof Database & string, Column extends keyof Database[Table] & string>(
    table: Table,
    columns: readonly [Column, ...Column[]],
    titled: (row: Pick<Database[Table], Column>) => Titled,
  ): FindTitles =>
  async (db, ids) => {
    const names = sql.join(columns.map((column) => sql.ref(column)))
    const { rows } = await sql<Pick<Database[Table], Column>>`select ${names} from ${sql.table(table)}
      where ${isAmong(db, columns[0], JSON.stringify(ids))}`.execute(db)
    return rows.map(titled)
  }
