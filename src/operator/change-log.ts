// What a move asks of the database that it copies while a server writes to it: to note the key of every row that is written or removed, so
// that the final step copies and compares these alone. Triggers note them; they and their table go when the move ends.
import type { Row, Table } from './rows.ts'

export interface ChangeLog {
  /** Notes every change to these tables from now on, for the move with this name; what was noted for another one goes. */
  begin(tables: readonly Table[], move: string): Promise<void>
  /** Whether every change to these tables was noted since `begin` for this move. */
  isComplete(tables: readonly Table[], move: string): Promise<boolean>
  /** Notes rows as if they had changed. */
  add(table: Table, keys: readonly Row[]): Promise<void>
  /** Forgets changes that were copied, by the numbers that `Rows.changes` told. */
  forget(numbers: readonly number[]): Promise<void>
  /** Notes nothing more, and removes what `begin` added to the database. */
  end(): Promise<void>
  close(): Promise<void>
}
