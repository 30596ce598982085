// The time of clean-ups. A row is removed for good, so the clock alone does not decide that it has expired: a clock that jumps ahead
// for some minutes removes nothing. What is known besides is how long this process has run, and the newest time in the database.
import { sql } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from './schema.ts'

/** How far the clock may be ahead of what is known: corrections of a second, and quiet minutes before a restart. */
const TOLERANCE_MILLISECONDS = 60_000
/** A clock that stays ahead for so long is right: the server was down, or its clock was slow before. */
const DOUBT_MILLISECONDS = 86_400_000

/**
 * Returns a function that gives the moment before which expired rows may be removed: now, unless the clock has just jumped ahead or was
 * ahead when the process started. Then it is what the clock would show without the jump.
 */
export function openCleanUpTime({ db, clock }: { db: Db; clock: Clock }): () => Promise<string> {
  const startedAt = clock.now()
  const startedElapsed = clock.elapsed()
  /** The time when `elapsed` was 0, as far as it is known. */
  let origin: number | undefined
  let aheadSince: number | undefined
  return async () => {
    origin ??= ((await findNewest(db, startedAt)) ?? startedAt) - startedElapsed
    const [now, elapsed] = [clock.now(), clock.elapsed()]
    if (now <= origin + elapsed + TOLERANCE_MILLISECONDS) {
      aheadSince = undefined
      return timestamp(now)
    }
    aheadSince ??= elapsed
    if (elapsed - aheadSince < DOUBT_MILLISECONDS) return timestamp(origin + elapsed)
    origin = now - elapsed
    return timestamp(now)
  }
}

/** Tables that get a row at each sign-in, post and mail; their ids are in the order of time. */
const witnesses = [
  ['session', 'createdAt'],
  ['audit', 'at'],
  ['feedEntry', 'createdAt'],
  ['outbox', 'createdAt'],
] as const

/** The newest time in the database before this moment, in milliseconds; undefined if there is none. */
export async function findNewest(db: Db, milliseconds: number): Promise<number | undefined> {
  const moment = timestamp(milliseconds)
  const found: number[] = []
  for (const [table, column] of witnesses) {
    const { rows } = await sql<{ at: string }>`select ${sql.ref(column)} as at from ${sql.table(table)}
      where ${sql.ref(column)} < ${moment} order by id desc limit 1`.execute(db)
    if (rows[0]) found.push(Date.parse(rows[0].at))
  }
  return found.length > 0 ? Math.max(...found) : undefined
}
