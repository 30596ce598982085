// The time of clean-ups. A row is removed for good, so the clock alone does not decide that it has expired: a clock that jumps ahead
// for some minutes removes nothing. What is known besides is how long this process has run, the newest time in the database, and by how much
// an earlier process found the clock to be ahead when it wrote that.
import { sql } from 'kysely'
import { BelievedTime, type DoubtedJump } from '../runtime/believed-time.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { parseJson } from '../runtime/untyped.ts'
import type { Db } from './schema.ts'

/** While a jump is doubted, that is stored so often; a new one at once. */
const STORED_MILLISECONDS = 60_000

/**
 * Returns a function that gives the moment before which expired rows may be removed: now, unless the clock has just jumped ahead or was
 * ahead when the process started. Then it is what the clock would show without the jump. It is called every second, so that what is written
 * after a jump is known to be wrong after a restart, too.
 */
export function openCleanUpTime({ db, clock }: { db: Db; clock: Clock }): () => Promise<string> {
  const read = () => ({ now: clock.now(), elapsed: clock.elapsed() })
  const started = read()
  let believing: Promise<BelievedTime> | undefined
  let stored = { count: 0, elapsed: started.elapsed }
  const store = async (time: BelievedTime, { now, elapsed }: ReturnType<typeof read>) => {
    const jumps = time.jumps(elapsed)
    const isOld = jumps.length > 0 && elapsed - stored.elapsed >= STORED_MILLISECONDS
    if (jumps.length === stored.count && !isOld) return
    stored = { count: jumps.length, elapsed }
    await storeDoubt(db, now, jumps)
  }
  return async () => {
    believing ??= believedAtStart(db, started)
    const time = await believing.catch((error) => {
      believing = undefined
      throw error
    })
    const reading = read()
    const believed = time.at(reading)
    await store(time, reading)
    return timestamp(believed)
  }
}

/** What is believed by the newest row from before the start, and by what an earlier process doubted. */
async function believedAtStart(db: Db, { now, elapsed }: { now: number; elapsed: number }): Promise<BelievedTime> {
  const newest = (await findNewest(db, now)) ?? now
  const doubt = await findDoubt(db)
  return new BelievedTime({ now: Math.max(newest, doubt?.shown ?? newest), elapsed }, doubt?.jumps)
}

/** Tables that get a row at each sign-in, post and mail; their ids are in the order of time. */
export const witnesses = [
  ['session', 'createdAt'],
  ['audit', 'at'],
  ['feedEntry', 'createdAt'],
  ['outbox', 'createdAt'],
] as const

/** The newest row before a moment. What is compared is in no index: otherwise SQLite sorts all rows of that index instead of reading the last one. */
export const newestIn = ([table, column]: (typeof witnesses)[number], moment: string) =>
  sql<{ at: string }>`select ${sql.ref(column)} as at from ${sql.table(table)}
    where ${sql.ref(column)} || '' < ${moment} order by id desc limit 1`

/** The newest time in the database before this moment, in milliseconds; undefined if there is none. */
export async function findNewest(db: Db, milliseconds: number): Promise<number | undefined> {
  const moment = timestamp(milliseconds)
  const found: number[] = []
  for (const witness of witnesses) {
    const { rows } = await newestIn(witness, moment).execute(db)
    if (rows[0]) found.push(Date.parse(rows[0].at))
  }
  return found.length > 0 ? Math.max(...found) : undefined
}

/** The row of the jumps. */
const ONE = 1

/** The doubted jumps, and what the clock showed with them; undefined where there are none. */
async function findDoubt(db: Db): Promise<{ shown: number; jumps: DoubtedJump[] } | undefined> {
  const row = await db.selectFrom('clockDoubt').select(['at', 'jumps']).where('id', '=', ONE).executeTakeFirst()
  const jumps = row ? parseJson<DoubtedJump[]>(row.jumps) : []
  return row && jumps.length > 0 ? { shown: Date.parse(row.at), jumps } : undefined
}

/** `shown` is what the clock shows, in milliseconds since 1970. */
async function storeDoubt(db: Db, shown: number, jumps: readonly DoubtedJump[]): Promise<void> {
  const values = { at: timestamp(shown), jumps: JSON.stringify(jumps) }
  await db
    .insertInto('clockDoubt')
    .values({ id: ONE, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
}
