// The time of the database for the clock of a process (runtime/clock.ts).
import { sql } from 'kysely'
import type { DatabaseTime, KeptClock } from '../runtime/clock.ts'
import { required } from '../runtime/untyped.ts'
import { findNewest } from './clean-up-time.ts'
import { NOW } from './listening-statements.ts'
import type { Db } from './schema.ts'

/** What is newer was written while a clock was wrong. */
const AHEAD_MILLISECONDS = 86_400_000

/** On PostgreSQL the clock has the time of the database from now on; on SQLite it does not go back below the newest row. */
export async function keepTime(clock: KeptClock, { db, time }: { db: Db; time?: DatabaseTime }): Promise<void> {
  if (time) {
    await measure(db, time)
    return clock.follow(time)
  }
  const newest = await findNewest(db, clock.now() + AHEAD_MILLISECONDS)
  if (newest !== undefined) clock.startAt(newest)
}

/** Asks twice: the first time a connection is made. */
async function measure(db: Db, time: DatabaseTime): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    const sentAt = performance.now()
    const { rows } = await sql<{ now: number }>`select ${sql.raw(NOW)} as now`.execute(db)
    time.learn(required(rows[0]).now, { sentAt, receivedAt: performance.now() })
  }
}
