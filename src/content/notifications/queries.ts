// Inboxes and what is followed, as they are stored.
import { type RawBuilder, sql } from 'kysely'
import { notificationKinds } from '../../contract/kinds.ts'
import type { PartsOff } from '../../contract/parts.ts'
import { lastEvent, locksRows } from '../../database/engine.ts'
import { isEventOn } from '../../database/parts-on.ts'
import { type Bind, prepared, preparedEach } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Db, FollowTable, InboxTable } from '../../database/schema.ts'
import { required } from '../../runtime/untyped.ts'
import { isAboutShown } from '../board-access/listing-queries.ts'
import { defaultFollowing } from './rules.ts'
import { isStillShown, withOwn } from './shown-queries.ts'

export type FollowState = FollowTable['state']
type NewFollow = Omit<FollowTable, 'since'>
type FollowKey = Pick<FollowTable, 'targetId' | 'userId'>

const stateOf = prepared(
  (db, given: Bind<FollowKey>) =>
    db
      .selectFrom('follow')
      .select('state')
      .where('targetId', '=', given('targetId'))
      .where('userId', '=', given('userId')),
  { cached: true },
)

export const findFollow = async (db: Db, key: FollowKey): Promise<FollowState | undefined> =>
  (await stateOf(db, key)).rows[0]?.state

/** A row of `follow` as a query: a distributed table takes no subquery among values. */
const newFollow = (db: Db, { targetId, userId, createdAt, state }: NewFollow) => {
  const text = (value: string) => sql<string>`cast(${value} as text)`
  return db
    .insertInto('follow')
    .columns(['targetId', 'userId', 'createdAt', 'state', 'since'])
    .expression(
      db
        .selectNoFrom([text(targetId).as('targetId'), text(userId).as('userId'), text(createdAt).as('createdAt')])
        .select([sql<FollowState>`cast(${state} as text)`.as('state'), lastEvent(db).as('since')])
        // SQLite would take what follows for a join.
        .where(sql<boolean>`true`),
    )
}

export async function upsertFollow(db: Db, follow: NewFollow): Promise<void> {
  await newFollow(db, follow)
    .onConflict((conflict) =>
      conflict.columns(['targetId', 'userId']).doUpdateSet({ state: (row) => row.ref('excluded.state') }),
    )
    .execute()
}

export async function deleteFollow(db: Db, { targetId, userId }: FollowKey): Promise<void> {
  await db.deleteFrom('follow').where('targetId', '=', targetId).where('userId', '=', userId).execute()
}

/** Why a thing is followed by itself: each reason is a setting. */
export type Reason = keyof typeof defaultFollowing

const following = (reason: Reason) =>
  prepared(
    (db, given: Bind<Omit<NewFollow, 'state'>>) => {
      const chosen = db.selectFrom('inbox').select(reason).where('userId', '=', given('userId'))
      const value = (name: keyof FollowTable & ('targetId' | 'userId' | 'createdAt')) =>
        sql<string>`cast(${given(name)} as text)`
      return db
        .insertInto('follow')
        .columns(['targetId', 'userId', 'createdAt', 'state', 'since'])
        .expression(
          db
            .selectNoFrom([value('targetId').as('targetId'), value('userId').as('userId')])
            .select([value('createdAt').as('createdAt'), sql<'following'>`'following'`.as('state')])
            .select(lastEvent(db).as('since'))
            .where(sql<boolean>`coalesce(${chosen}, ${sql.lit(defaultFollowing[reason] ? 1 : 0)}) = 1`),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['targetId', 'userId'])
            .doUpdateSet({ state: (row) => row.ref('excluded.state') })
            .where('follow.state', '=', sql.lit('installed')),
        )
    },
    { pipelined: true },
  )

const followingFor = {
  followWritten: following('followWritten'),
  followAnswered: following('followAnswered'),
  followVoted: following('followVoted'),
} satisfies Record<Reason, unknown>

/** Follows a thing, unless the account muted it or chose not to follow for this reason. A download becomes a follow. */
export async function insertFollow(db: Db, reason: Reason, follow: Omit<NewFollow, 'state'>): Promise<void> {
  await followingFor[reason](db, follow)
}

/** Notes that a library item was downloaded, unless it is followed or muted. */
export async function insertInstalled(db: Db, given: Omit<NewFollow, 'state'>): Promise<void> {
  await newFollow(db, { ...given, state: 'installed' })
    .onConflict((conflict) => conflict.columns(['targetId', 'userId']).doNothing())
    .execute()
}

const inboxColumns = [
  'unread',
  'ofClosed',
  ...notificationKinds,
  'followWritten',
  'followAnswered',
  'followVoted',
  'pushMentions',
  'pushApprovals',
] as const

const inbox = prepared(
  (db, given: Bind<{ userId: string }>) =>
    db.selectFrom('inbox').select(inboxColumns).where('userId', '=', given('userId')),
  { cached: true },
)

/** The counters and settings of an account; undefined where there is nothing but defaults. */
export const findInbox = async (db: Db, userId: string) => (await inbox(db, { userId })).rows[0]

/** An inbox, as it is read now. */
export interface InboxReading {
  userId: string
  /** Nothing of these parts. */
  off: PartsOff
  /** The ids of the closed boards that the account reads now: asked only for an inbox that was told of something in one. */
  boards(): Promise<readonly string[]>
}

/** The closed boards of whose things an inbox shows what it has. */
export async function boardsShown(db: Db, { userId, boards }: InboxReading): Promise<readonly string[]> {
  return (await findInbox(db, userId))?.ofClosed ? boards() : []
}

interface Counted {
  off: PartsOff
  isOfClosed: boolean
}

const unreadOn = preparedEach(
  ({ off: { key }, isOfClosed }: Counted) => `${isOfClosed} ${key}`,
  (db, { off, isOfClosed }, given: Bind<{ userId: string; boards: string }>) =>
    withOwn(db, given('userId'), (rows) => rows.where('read', '=', sql.lit(0)))
      .selectFrom('one')
      .innerJoin('event', 'event.id', 'one.eventId')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where(isEventOn(off) ?? sql<boolean>`1 = 1`)
      .$if(isOfClosed, (rows) => rows.where(isStillShown(db, given('boards')))),
  { cached: true },
)

/** How many notifications an account has not read, without those of parts that are off and of boards that it does not read now. */
export async function countUnread(db: Db, { userId, off, boards }: InboxReading): Promise<number> {
  const { unread = 0, ofClosed = 0 } = (await findInbox(db, userId)) ?? {}
  const isOfClosed = ofClosed === 1
  if (unread === 0 || (off.key === '' && !isOfClosed)) return unread
  const given = { userId, boards: JSON.stringify(isOfClosed ? await boards() : []) }
  return Number((await unreadOn(db, { off, isOfClosed }, given)).rows[0]?.count ?? 0)
}

export type Choices = Partial<
  Omit<InboxTable, 'userId' | 'last' | 'unread' | 'ofClosed' | 'mailAfter' | 'dailyUntil' | 'weeklyUntil'>
>

const none = { mention: null, reply: null, comment: null, status: null, version: null, release: null, posted: null }
const nothing = {
  ...none,
  followWritten: null,
  followAnswered: null,
  followVoted: null,
  ...{ pushMentions: null, pushApprovals: null },
}

export async function upsertChoices(db: Db, userId: string, choices: Choices): Promise<void> {
  const insertion = db.insertInto('inbox').values({ userId, ...nothing, ...choices })
  await insertion.onConflict((conflict) => conflict.column('userId').doUpdateSet(choices)).execute()
}

interface NotificationQuery {
  userId: string
  after?: number | undefined
  before?: number | undefined
  unread: boolean
  /** Only about what is in a board, as lists are filtered by it. */
  within?: Readonly<Record<string, string | undefined>>
  /** The closed boards of whose things it shows what it has. */
  boards: readonly string[]
  limit: number
  /** Nothing of these parts. */
  off: PartsOff
  /** Only about this thing. */
  target?: string | undefined
  /** Only these, by their numbers. */
  positions?: readonly number[]
}

/** What shows of the rows that a list may have. */
function shownBy(db: Db, { boards, off, within }: NotificationQuery): RawBuilder<boolean> {
  const conditions = [
    isStillShown(db, JSON.stringify(boards)),
    isEventOn(off),
    within && isAboutShown(sql.ref('event.targetType'), sql.ref('event.targetId'), within),
  ]
  return sql.join(
    conditions.filter((one) => one !== undefined),
    sql` and `,
  ) as RawBuilder<boolean>
}

const orderOf = ({ after }: NotificationQuery) => (after === undefined ? 'desc' : 'asc')

/** The rows that a list may have, in order, with what happened; where `scanned` is given, the first of them. */
function rowsFor(db: Db, query: NotificationQuery, scanned?: number) {
  const { userId, after, before, unread, target, positions } = query
  const about = db
    .selectFrom('event')
    .select('id')
    .where('targetId', '=', target ?? '')
  const own = withOwn(db, userId, (rows) =>
    rows
      .$if(after !== undefined, (some) => some.where('position', '>', Number(after)))
      .$if(before !== undefined, (some) => some.where('position', '<', Number(before)))
      .$if(unread, (some) => some.where('read', '=', sql.lit(0)))
      .$if(target !== undefined, (some) => some.where('eventId', 'in', about))
      .$if(positions !== undefined, (some) => some.where('position', 'in', required(positions)))
      .$if(scanned !== undefined, (some) => some.orderBy('position', orderOf(query)).limit(required(scanned))),
  )
  return own
    .selectFrom('one')
    .innerJoin('event', 'event.id', 'one.eventId')
    .leftJoin('user as actor', 'actor.id', 'event.actorId')
    .select(['one.position', 'one.kind', 'one.read', 'one.createdAt'])
    .select(['event.targetType', 'event.targetId', 'event.number'])
    .select(['event.title', 'event.url', 'event.excerpt', 'event.detail'])
    .select(['actor.id as actorId', 'actor.username as actorUsername'])
    .orderBy('one.position', orderOf(query))
}

/** Looks at so many rows of an inbox: gives those that show, and in any case the last one that it looked at. */
function scanInbox(db: Db, query: NotificationQuery) {
  const last = query.after === undefined ? sql<number>`min("position")` : sql<number>`max("position")`
  // They have an order, so that PostgreSQL does not ask for each row twice whether it shows.
  const seen = rowsFor(db, query, query.limit)
    .select(sql<0 | 1>`case when ${shownBy(db, query)} then 1 else 0 end`.as('shows'))
    .select((row) => row.selectFrom('one').select(row.fn.countAll<number>().as('count')).as('scanned'))
    .select((row) => row.selectFrom('one').select(last.as('last')).as('last'))
  return db
    .selectFrom(seen.as('seen'))
    .select(['position', 'kind', 'read', 'createdAt', 'targetType', 'targetId', 'number'])
    .select(['title', 'url', 'excerpt', 'detail', 'actorId', 'actorUsername', 'shows', 'scanned'])
    .where((row) => row.or([row('shows', '=', sql.lit(1)), row('position', '=', row.ref('last'))]))
    .orderBy('position', orderOf(query))
    .execute()
}

/** Where a page is not full, the next statement looks at so many times the rows. */
const SCAN_GROWTH = 50

/** Rows of an inbox with what happened: oldest first after a number, else newest first. */
export async function listNotifications(db: Db, query: NotificationQuery) {
  const { limit } = query
  if (!locksRows(db)) return rowsFor(db, query).where(shownBy(db, query)).limit(limit).execute()
  const found: Awaited<ReturnType<ReturnType<typeof rowsFor>['execute']>> = []
  for (let place = query; ; ) {
    const rows = await scanInbox(db, place)
    for (const { shows, scanned: _, ...row } of rows) if (shows === 1) found.push(row)
    const end = rows.at(-1)
    if (!end || found.length >= limit || Number(end.scanned) < place.limit) return found.slice(0, limit)
    const next = query.after === undefined ? { before: end.position } : { after: end.position }
    place = { ...place, ...next, limit: place.limit * SCAN_GROWTH }
  }
}

/** Locks the inbox until the transaction ends; undefined where there is none. */
export const lockInbox = inTransaction.selectForUpdate('inbox', 'userId', inboxColumns)
