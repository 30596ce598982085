// Notes each hour what the overview cannot count later: members that were active in this week, and how much is stored.
import { z } from 'zod'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { jsonIn } from '../../runtime/json.ts'
import * as queries from './overview-queries.ts'
import { momentsOf, weekOf } from './overview-rules.ts'

/** So many accounts are a batch: a few milliseconds. */
const ACCOUNTS = 1_000

const Cursor = z.object({ after: z.string(), active: z.int(), bytes: z.int() })

/** A batch of the job: gives its cursor, or undefined when the week is noted. `accounts` is for tests. */
export async function noteWeek(
  { db, clock }: Pick<Dependencies, 'db' | 'clock'>,
  cursor: string,
  accounts = ACCOUNTS,
): Promise<string | undefined> {
  const week = weekOf(timestamp(clock.now()))
  const before = Cursor.safeParse(jsonIn(cursor)).data ?? { after: '', active: 0, bytes: 0 }
  const some = await queries.countSome(db, { after: before.after, since: momentsOf(week).from, limit: accounts })
  const [active, bytes] = [before.active + some.active, before.bytes + some.bytes]
  if (some.last !== null) return JSON.stringify({ after: some.last, active, bytes })
  const databaseBytes = await queries.findDatabaseSize(db)
  await queries.putWeekFigures(db, { week, activeMembers: active, databaseBytes, storedBytes: bytes })
  return undefined
}
