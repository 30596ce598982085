// The plain statements of one table: storing a row, and finding, locking, changing and deleting rows by one column. A queries.ts names those
// of its tables, and writes all others itself. The builder does not know the columns of a table that is a type parameter: for it every such table
// is that of accounts.
import { type InsertObject, type Selectable, sql, type Updateable } from 'kysely'
import { countChanged, locking } from './engine.ts'
import type { Database, Db, Transaction } from './schema.ts'

type Row<Table extends keyof Database> = Selectable<Database[Table]>
type Column<Table extends keyof Database> = keyof Row<Table> & string
type NewRow<Table extends keyof Database> = InsertObject<Database, Table>
type Changes<Table extends keyof Database> = Updateable<Database[Table]> & object

/** Values of one statement: what SQLite takes, which is less than PostgreSQL does. */
const MAX_VALUES = 32_766

/** Rows in parts that one statement takes. They are stored together where the caller has a transaction. */
function* partsOf<Row extends object>(rows: readonly Row[]): Generator<readonly Row[]> {
  const columns = new Set(rows.flatMap((row) => Object.keys(row)))
  const most = Math.max(1, Math.floor(MAX_VALUES / columns.size))
  for (let at = 0; at < rows.length; at += most) yield rows.slice(at, at + most)
}

const is = (column: string, value: unknown) => sql<boolean>`${sql.ref(column)} = ${value}`
/** Reads some columns of one row. */
interface RowQuery<Table extends keyof Database, Name extends Column<Table>, Read extends Column<Table>> {
  table: Table
  column: Name
  read: readonly Read[]
}
const found = <Table extends keyof Database, Name extends Column<Table>, Read extends Column<Table>>(
  db: Db,
  { table, column, read }: RowQuery<Table, Name, Read>,
  value: Row<Table>[Name],
) =>
  db
    .selectFrom(table as 'user')
    .select(read.map((name) => sql.ref(name).as(name)))
    .where(is(column, value))
    .$castTo<Pick<Row<Table>, Read>>()

/** `Handle` is what the statements ask for: any handle, or the transaction of the caller. */
const statements = <Handle extends Db>() => ({
  insertInto:
    <Table extends keyof Database>(table: Table) =>
    async (db: Handle, row: NewRow<Table> | readonly NewRow<Table>[]): Promise<void> => {
      const rows: readonly NewRow<Table>[] = Array.isArray(row) ? row : [row]
      for (const part of partsOf(rows)) await db.insertInto(table).values(part).execute()
    },
  updateTable:
    <Table extends keyof Database, Name extends Column<Table>>(table: Table, column: Name) =>
    async (db: Handle, value: Row<Table>[Name], changes: Changes<Table>): Promise<void> => {
      const set: object = changes
      await db
        .updateTable(table as 'user')
        .set(set)
        .where(is(column, value))
        .execute()
    },
  deleteFrom:
    <Table extends keyof Database, Name extends Column<Table>>(table: Table, column: Name) =>
    async (db: Handle, value: Row<Table>[Name]): Promise<void> => {
      await db
        .deleteFrom(table as 'user')
        .where(is(column, value))
        .execute()
    },
  /** The same; gives how many there were. */
  deleteCounted:
    <Table extends keyof Database, Name extends Column<Table>>(table: Table, column: Name) =>
    (db: Handle, value: Row<Table>[Name]): Promise<number> =>
      countChanged(db.deleteFrom(table as 'user').where(is(column, value))),
  /** Deletes some of the rows, at most `limit`; gives how many. */
  deleteSome:
    <Table extends keyof Database, Name extends Column<Table>>(table: Table, column: Name) =>
    (db: Handle, value: Row<Table>[Name], limit: number): Promise<number> => {
      const some = db
        .selectFrom(table as 'user')
        .select('id')
        .where(is(column, value))
        .limit(limit)
      return countChanged(db.deleteFrom(table as 'user').where('id', 'in', some))
    },
  /** Reads the columns `read` of the row. */
  selectFrom:
    <Table extends keyof Database, Name extends Column<Table>, Read extends Column<Table>>(
      table: Table,
      column: Name,
      read: readonly Read[],
    ) =>
    (db: Handle, value: Row<Table>[Name]): Promise<Pick<Row<Table>, Read> | undefined> =>
      found(db, { table, column, read }, value).executeTakeFirst(),
})

export const plain = statements<Db>()
export const inTransaction = {
  ...statements<Transaction>(),
  /** The same, locked until the transaction ends. */
  selectForUpdate:
    <Table extends keyof Database, Name extends Column<Table>, Read extends Column<Table>>(
      table: Table,
      column: Name,
      read: readonly Read[],
    ) =>
    (db: Transaction, value: Row<Table>[Name]): Promise<Pick<Row<Table>, Read> | undefined> =>
      locking(db, found(db, { table, column, read }, value)).executeTakeFirst(),
}
