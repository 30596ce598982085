// What errors of SQLite mean, by their code.
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { codesOf, isOverQuota, reasonOf, SqliteFault } from './fault.ts'

/** The lower byte of SQLite's error code is the primary code. */
const SQLITE_BUSY = 5
const SQLITE_FULL = 13
/** Of every write(2) that failed, but for ENOSPC (SQLite, os_unix.c, unixWrite). SQLite does not say the errno. */
const SQLITE_IOERR_WRITE = 10 | (3 << 8)

/** Large enough that no room which is left by chance takes it. */
const QUOTA_BYTES = 64 * 1024

/** Whether SQLite reports that another process holds the database. */
export const isBusy = (error: unknown) => ((codesOf(error).errcode ?? 0) & 0xff) === SQLITE_BUSY

/** Whether SQLite reports that there was no room for a write: unlike what an fsync could not write, nothing of it counts as written. */
export const isFull = (error: unknown) =>
  ((codesOf(error).errcode ?? 0) & 0xff) === SQLITE_FULL || (error instanceof SqliteFault && error.kind === 'full')

/**
 * A used-up quota and a disk that fails have the same code, so a write of our own beside the database says which it is. Gives an error that says
 * `full` for a quota, and every other error as it is. `write` throws the error of the system.
 */
export function namingQuota(error: unknown, db: DatabaseSync, write: (path: string) => void = writeBeside): unknown {
  const path = db.isOpen && codesOf(error).errcode === SQLITE_IOERR_WRITE ? db.location() : null
  if (path === null) return error
  try {
    write(path)
    return error
  } catch (cause) {
    if (!isOverQuota(cause)) return error
    return new SqliteFault('full', `${reasonOf(cause)}: ${reasonOf(error)}`, { cause: error })
  }
}

function writeBeside(path: string): void {
  const name = `${path}-quota`
  const file = openSync(name, 'w', 0o600)
  try {
    // Nothing of it stays, not even after a crash.
    rmSync(name)
    writeFileSync(file, Buffer.alloc(QUOTA_BYTES, 1))
  } finally {
    closeSync(file)
  }
}
