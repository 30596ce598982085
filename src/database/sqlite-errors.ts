// What errors of SQLite mean, by their code.
import { detailsOf } from '../runtime/untyped.ts'

/** The lower byte of SQLite's error code is the primary code. */
const SQLITE_BUSY = 5
const SQLITE_FULL = 13

/** Whether SQLite reports that another process holds the database. */
export const isBusy = (error: unknown) => ((detailsOf(error).errcode ?? 0) & 0xff) === SQLITE_BUSY

/** Whether SQLite reports that there was no room for a write: unlike what an fsync could not write, nothing of it counts as written. */
export const isFull = (error: unknown) => ((detailsOf(error).errcode ?? 0) & 0xff) === SQLITE_FULL
