// Notes each hour what the overview cannot count later: members that were active in this week, and how much is stored.
import { z } from 'zod'
import type { Job } from '../../core/jobs/job.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { jsonIn } from '../../runtime/json.ts'
import * as queries from './overview-queries.ts'
import { momentsOf, weekOf } from './overview-rules.ts'

const EVERY_SECONDS = 3_600
/** So many accounts are a batch: a few milliseconds. */
const ACCOUNTS = 1_000

const Cursor = z.object({ after: z.string(), active: z.int(), bytes: z.int() })

/** `accounts` is for tests. */
export const weekFiguresJob = (
  work: () => Pick<Dependencies, 'db' | 'clock'>,
  { accounts = ACCOUNTS }: { accounts?: number } = {},
): Job => ({
  kind: 'overview.note',
  summary: 'notes how many members were active in this week, and how much is stored',
  wake: { every: EVERY_SECONDS },
  async batch({ cursor }) {
    const { db, clock } = work()
    const week = weekOf(timestamp(clock.now()))
    const before = Cursor.safeParse(jsonIn(cursor)).data ?? { after: '', active: 0, bytes: 0 }
    const some = await queries.countSome(db, { after: before.after, since: momentsOf(week).from, limit: accounts })
    const [active, bytes] = [before.active + some.active, before.bytes + some.bytes]
    if (some.last !== null) return JSON.stringify({ after: some.last, active, bytes })
    const databaseBytes = await queries.findDatabaseSize(db)
    await queries.putWeekFigures(db, { week, activeMembers: active, databaseBytes, storedBytes: bytes })
    return undefined
  },
})
