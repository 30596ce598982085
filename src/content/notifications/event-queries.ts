// Events as they are stored, and the notifications that are made of them.
import { type SelectQueryBuilder, sql } from 'kysely'
import { isAmong, locksRows } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Database, Db, EventTable, Transaction } from '../../database/schema.ts'
import { isVoteId, textOf, voteId } from '../../database/vote-ids.ts'
import { thingsInClosed } from '../board-access/place-queries.ts'
import { RETURNING } from './rules.ts'
import { isAside, ofBoards } from './told-queries.ts'

export const insertEvent = inTransaction.insertInto('event')

type Placeless = Omit<EventTable, 'number' | 'title' | 'url' | 'sequence'>
const columns = [
  ...(['id', 'kind', 'targetType', 'targetId', 'actorId', 'commentId', 'excerpt', 'detail', 'mentioned'] as const),
  ...(['repliedTo', 'createdAt'] as const),
] as const

const ofNobodyBlocked = (author: string) =>
  sql`not exists (select 1 from "user" where id = ${sql.ref(author)} and "blockedAt" is not null)`

/** What everybody can see: what the feed shows, and orgs that only the library lists; nothing of a blocked account. */
const shownThings = sql<{ id: string; type: string; title: string; url: string; number: number | null }>`(
  select id, type, title, url, number from "feedEntry" where ${ofNobodyBlocked('feedEntry.authorId')} union all
  select id, 'item', name, '/library/orgs/' || slug, null from "libraryItem" where listed = 1 and kind = 'org' and gallery = 0
    and ${ofNobodyBlocked('libraryItem.ownerId')})`

/** The same with what is in closed boards, for those who read these, and for webhooks of these alone. */
const toldThings = sql<{ id: string; title: string; url: string; number: number | null; hidden: 0 | 1 }>`(
  select id, title, url, number, 0 as hidden from ${shownThings} shown union all
  select id, title, url, number, 1 from ${thingsInClosed} closed)`

const typeOf = prepared(
  (db, given: Bind<{ id: string }>) =>
    db.selectFrom(shownThings.as('shown')).select('shown.type').where('shown.id', '=', given('id')),
  { cached: true },
)

/** What a thing that everybody can see is. */
export const findType = async (db: Db, id: string): Promise<string | undefined> =>
  (await typeOf(db, { id })).rows[0]?.type

/** Whether a thing was merged into another one: what was told of it goes over to that in the background. */
export const isMerged = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('mergedThing').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

const insertion = prepared(
  (db, given: Bind<Placeless & { own: string }>) => {
    const value = (name: (typeof columns)[number] | 'own') => sql<string>`cast(${given(name)} as text)`
    return db
      .insertInto('event')
      .columns([...columns, 'place', 'recipients', 'hidden', 'number', 'title', 'url'])
      .expression((e) =>
        e
          .selectFrom(toldThings.as('shown'))
          .select(columns.map((name) => value(name).as(name)))
          .select([sql.lit('').as('place'), sql.lit(0).as('recipients'), 'shown.hidden', 'shown.number', 'shown.title'])
          .select(sql<string>`coalesce(nullif(${value('own')}, ''), shown.url)`.as('url'))
          .where('shown.id', '=', given('targetId')),
      )
  },
  { pipelined: true },
)

/**
 * An event on a thing that everybody can see, with its title and address; in a closed board it is for those who read that, and for its webhooks; on
 * what is hidden there are none. `own` is another address.
 */
export async function insertEventOn(db: Transaction, event: Placeless, own = ''): Promise<void> {
  await insertion(db, { ...event, own })
}

/** Its delivery has not begun. */
const untold = sql`(place = '' and "doneAt" is null)`

const deliveredColumns = [...columns, 'number', 'title', 'url', 'hidden', 'sequence', 'place', 'doneAt'] as const
/** What its delivery needs of an event. */
export type DeliveredEvent = Pick<EventTable, (typeof deliveredColumns)[number]>

type Row = SelectQueryBuilder<Database, 'event', DeliveredEvent>

/** Locks what no other process works on. */
const taking = (db: Db, query: Row): Row => (locksRows(db) ? query.forUpdate().skipLocked() : query)

/** It waits for its turn: neither done nor on its way back. */
const isInTurn = sql<boolean>`"doneAt" is null and place not like ${sql.lit(`${RETURNING}%`)}`
/** It waits by itself. */
const isOnItsWay = sql<boolean>`"doneAt" is null and place like ${sql.lit(`${RETURNING}%`)}`

const oldest = prepared((db) =>
  db.selectFrom('event').select('createdAt as since').where(isInTurn).orderBy('id').limit(1),
)

/** Since when the oldest event waits to be delivered; undefined where none does. */
export const findOldest = async (db: Db) => (await oldest(db, {})).rows[0]

/** The oldest event that waits and that no other process works on, locked until the transaction ends. */
export const takeEvent = (db: Transaction): Promise<DeliveredEvent | undefined> =>
  taking(db, db.selectFrom('event').select(deliveredColumns).where(isInTurn).orderBy('id').limit(1)).executeTakeFirst()

/** The same of one of them. */
export const takeOne = (db: Transaction, id: string): Promise<DeliveredEvent | undefined> =>
  taking(db, db.selectFrom('event').select(deliveredColumns).where('id', '=', id).where(isInTurn)).executeTakeFirst()

/** Events that come back, or wait for a node of the database: the oldest first. */
export const listReturning = (db: Db, limit: number): Promise<{ key: string; since: string }[]> =>
  db
    .selectFrom('event')
    .select(['id as key', 'createdAt as since'])
    .where(isOnItsWay)
    .orderBy('id')
    .limit(limit)
    .execute()

/** One of them, locked until the transaction ends; undefined once it is none. */
export function lockReturning(db: Transaction, id: string): Promise<DeliveredEvent | undefined> {
  const one = db.selectFrom('event').select(deliveredColumns).where('id', '=', id).where(isOnItsWay)
  return (locksRows(db) ? one.forUpdate() : one).executeTakeFirst()
}

export async function updateEvent(
  db: Transaction,
  { id, place, added = 0, doneAt = null }: { id: string; place: string; added?: number; doneAt?: string | null },
): Promise<void> {
  await db
    .updateTable('event')
    .set((row) => ({ place, doneAt, recipients: row('recipients', '+', added) }))
    .where('id', '=', id)
    .execute()
}

/** The accounts of these usernames. */
export async function listNamed(db: Db, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const rows = await db.selectFrom('user').select('id').where('usernameKey', 'in', names).execute()
  return rows.map(({ id }) => id)
}

/** What an account has caused since an id: for a transaction that is not kept. */
export const listCausedSince = (db: Db, { since, by }: { since: string; by: string }): Promise<DeliveredEvent[]> =>
  db.selectFrom('event').select(deliveredColumns).where('id', '>', since).where('actorId', '=', by).execute()

/** Those of these accounts that were notified of a mention in the same text. */
export async function listMentioned(
  db: Db,
  { targetId, commentId }: Pick<EventTable, 'targetId' | 'commentId'>,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const events = db
    .selectFrom('event')
    .select('id')
    .where('targetId', '=', targetId)
    .where('commentId', commentId === null ? 'is' : '=', commentId)
    .where('kind', 'in', ['created', 'edited', 'comment'])
  const mentions = db
    .selectFrom('notification')
    .select('userId')
    .where('kind', '=', 'mention')
    .where('userId', 'in', userIds)
  const rows = await mentions.where('eventId', 'in', events).execute()
  return new Set(rows.map(({ userId }) => userId))
}

interface FollowerPage {
  /** The thing, or the author of a new one. */
  targetId: string
  after: string
  /** Who followed it later is not told of what was before. */
  sequence: number | null
  limit: number
  /** Whether those who only downloaded it count. */
  installed: boolean
  /** Whether those who voted for it count. */
  voted: boolean
}

/** Followers of a thing or a member, and those who voted for a thing where they count, in the order of their ids. */
export async function listFollowers(
  db: Db,
  { targetId, after, sequence, limit, installed, voted }: FollowerPage,
): Promise<string[]> {
  const states = installed ? (['following', 'installed'] as const) : (['following'] as const)
  const following = db
    .selectFrom('follow')
    .select('userId')
    .where('targetId', '=', targetId)
    .where('userId', '>', after)
    .$if(sequence !== null, (rows) => rows.where((e) => e.or([e('since', 'is', null), e('since', '<', sequence)])))
    .where('state', 'in', states)
    .orderBy('userId')
    .limit(limit)
  if (!voted) return (await following.execute()).map(({ userId }) => userId)
  const voters = db
    .selectFrom('vote')
    .select(textOf('userId').as('userId'))
    .where('targetId', '=', voteId(db, targetId))
    // The first page is after no id.
    .$if(isVoteId(after), (rows) => rows.where('userId', '>', voteId(db, after)))
    .where('value', '=', 1)
    .orderBy('vote.userId')
    .limit(limit)
  const rows = await db
    .selectFrom(following.as('following'))
    .select('userId')
    .union(db.selectFrom(voters.as('voters')).select('userId'))
    .orderBy('userId')
    .limit(limit)
    .execute()
  return rows.map(({ userId }) => userId)
}

/** Makes sure that these accounts have an inbox, and locks them in the order of their ids. */
export async function lockInboxes(db: Transaction, userIds: readonly string[]): Promise<void> {
  const sorted = JSON.stringify([...userIds].sort())
  await sql`insert into inbox ("userId") select id from "user" where ${isAmong(db, 'id', sorted)} order by id
    on conflict ("userId") do nothing`.execute(db)
  if (!locksRows(db)) return
  await sql`select 1 from inbox where ${isAmong(db, 'userId', sorted)} order by "userId" for update`.execute(db)
}

/** What has to disappear: of a thing, of a comment, or of an account. */
const within = ({ id, kind, targetId, commentId, actorId }: DeliveredEvent) => {
  const scope =
    kind === 'blocked'
      ? sql`"actorId" = ${actorId} and not ${untold}`
      : commentId
        ? sql`"commentId" = ${commentId}`
        : sql`"targetId" = ${targetId}`
  // What was set aside may still have notifications in inboxes.
  const left = kind === 'gone' ? sql`` : sql`and (not ${isAside} or recipients > 0)`
  // What was told of a thing in a closed board stays in inboxes, and shows to who may read it.
  const kept = kind === 'hidden' ? sql`and not (hidden = 1 and ${ofBoards('targetType')})` : sql``
  return sql<boolean>`${scope} and id <> ${id} and kind not in ('gone', 'hidden', 'blocked', 'notice') ${left} ${kept}`
}

/** An event that has to disappear, locked: nothing of it is delivered until then. */
export function lockDoomed(
  db: Transaction,
  removal: DeliveredEvent,
): Promise<Pick<EventTable, 'id' | 'place' | 'doneAt'> | undefined> {
  const columns = ['id', 'place', 'doneAt'] as const
  const doomed = db.selectFrom('event').select(columns).where(within(removal)).orderBy('id').limit(1)
  return (locksRows(db) ? doomed.forUpdate() : doomed).executeTakeFirst()
}

/** Removes some follows of a thing or an account that is gone. Gives how many there were. */
export async function deleteFollows(db: Db, targetId: string, limit: number): Promise<number> {
  const some = sql`select "userId" from follow where "targetId" = ${targetId} limit ${limit}`
  const { numAffectedRows } =
    await sql`delete from follow where "targetId" = ${targetId} and "userId" in (${some})`.execute(db)
  return Number(numAffectedRows)
}
