// What a connection to a SQLite database with a write-ahead log sees: one state of it, which keeps the log from starting over.
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** A page in the log, with what tells where it belongs (walformat, 4.2). */
export const FRAME_BYTES = 24 + 4_096

/** What a connection sees, regardless of later commits. */
export class LogView {
  readonly #connection: DatabaseSync
  readonly #begin: StatementSync
  readonly #look: StatementSync
  readonly #end: StatementSync

  constructor(connection: DatabaseSync) {
    this.#connection = connection
    this.#begin = connection.prepare('begin')
    this.#look = connection.prepare('select 1 from sqlite_schema limit 1')
    this.#end = connection.prepare('commit')
  }

  take(): void {
    this.#begin.run()
    // The snapshot of a transaction is taken by its first read.
    try {
      this.#look.get()
    } catch (error) {
      this.end()
      throw error
    }
  }

  end(): void {
    if (this.#connection.isOpen && this.#connection.isTransaction) this.#end.run()
  }
}
