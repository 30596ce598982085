// Keeps the write-ahead log of SQLite from starting over, while what is in it is copied into the database (SQLite, walformat 2.3 and wal.html).
// A reader of a state that is in the log does that. A reader of a state that is wholly copied does not: then the one before it stays.
import { DatabaseSync } from 'node:sqlite'
import { LogView } from './log-view.ts'

const BUSY_TIMEOUT = 1_000

export class LogHold {
  readonly #connections: readonly DatabaseSync[]
  readonly #looking: DatabaseSync
  #held: LogView
  #next: LogView
  #isHeld = false

  /** Holds nothing before `renew`. Opened read-only: then it copies nothing when it is closed last. */
  constructor(path: string) {
    const open = () => new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT })
    const [looking, one, other] = [open(), open(), open()]
    this.#connections = [looking, one, other]
    // A connection knows of the log once it has read.
    looking.exec('select 1 from sqlite_schema limit 1')
    this.#looking = looking
    ;[this.#held, this.#next] = [new LogView(one), new LogView(other)]
  }

  /** From here on nothing that is in the log now and not copied yet can go; the hold of before ends. */
  renew(): void {
    this.#next.take()
    const { frames, copied } = this.look()
    if (this.#isHeld && copied === frames) {
      this.#next.end()
      return
    }
    this.end()
    ;[this.#held, this.#next] = [this.#next, this.#held]
    this.#isHeld = true
  }

  end(): void {
    this.#held.end()
    this.#isHeld = false
  }

  close(): void {
    for (const connection of this.#connections) connection.close()
  }

  /** How much of the log is committed, and how much of that is in the database, in frames. */
  look(): { frames: number; copied: number } {
    const state = this.#looking.prepare('pragma wal_checkpoint(noop)').get()
    return { frames: Number(state?.['log']), copied: Number(state?.['checkpointed']) }
  }
}
