// An inbox by the things that it tells of, as it is stored: a group is all that an inbox shows of one thing.
import { sql } from 'kysely'
import type { PartsOff } from '../../contract/parts.ts'
import { isEventOn } from '../../database/parts-on.ts'
import type { Db } from '../../database/schema.ts'
import { required } from '../../runtime/untyped.ts'
import { isAboutShown } from '../board-access/listing-queries.ts'
import { isStillShown, withOwn } from './shown-queries.ts'

export interface GroupSource {
  userId: string
  /** Only what is unread. */
  unread: boolean
  /** Only about what is in a board, as lists are filtered by it. */
  within?: Readonly<Record<string, string | undefined>>
  /** The closed boards of whose things it shows what it has. */
  boards: readonly string[]
  /** Nothing of these parts. */
  off: PartsOff
}

/** What an inbox shows, with the thing of each row. */
function shownRows(db: Db, { userId, unread, within, boards, off }: GroupSource) {
  const isOn = isEventOn(off)
  const isWithin = within && isAboutShown(sql.ref('event.targetType'), sql.ref('event.targetId'), within)
  return withOwn(db, userId, (rows) => rows.$if(unread, (some) => some.where('read', '=', sql.lit(0))))
    .selectFrom('one')
    .innerJoin('event', 'event.id', 'one.eventId')
    .where(isStillShown(db, JSON.stringify(boards)))
    .$if(isOn !== undefined, (rows) => rows.where(required(isOn)))
    .$if(isWithin !== undefined, (rows) => rows.where(required(isWithin)))
}

export interface Group {
  targetType: string
  targetId: string
  /** The number of its newest row. */
  position: number
  count: number
  unread: number
}

/** The groups of an inbox, the one with the newest row first, from below a number on. A group is where its newest row is, and there alone. */
export async function listGroups(
  db: Db,
  source: GroupSource,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<Group[]> {
  const newest = sql<number>`max(${sql.ref('one.position')})`
  const rows = await shownRows(db, source)
    .select(['event.targetType', 'event.targetId', newest.as('position')])
    .select((row) => [row.fn.countAll<number>().as('count'), sql<number>`sum(1 - ${sql.ref('one.read')})`.as('unread')])
    .groupBy(['event.targetType', 'event.targetId'])
    .$if(before !== undefined, (groups) => groups.having(newest, '<', required(before)))
    .orderBy(newest, 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ position, count, unread, ...target }) => ({
    ...target,
    ...{ position: Number(position), count: Number(count), unread: Number(unread) },
  }))
}

/** The numbers of the newest rows of each of these things, `most` of each. */
export async function listNewestOf(
  db: Db,
  source: GroupSource,
  { ids, most }: { ids: readonly string[]; most: number },
): Promise<number[]> {
  if (ids.length === 0) return []
  const place = sql<number>`row_number() over (partition by ${sql.ref('event.targetType')}, ${sql.ref('event.targetId')}
    order by ${sql.ref('one.position')} desc)`
  const placed = shownRows(db, source)
    .select(['one.position', place.as('place')])
    .where('event.targetId', 'in', ids)
  const rows = await db.selectFrom(placed.as('placed')).select('position').where('place', '<=', most).execute()
  return rows.map(({ position }) => Number(position))
}
