// The figures of the overview. Each reads a bounded part of an index, so that it takes as long in a community of millions.
import { sql } from 'kysely'
import type { ItemKind } from '../../contract/item-kinds.ts'
import { engineOf } from '../../database/engine.ts'
import type { Db } from '../../database/schema.ts'
import { LOOKED_AT, MOST_COUNTED } from './overview-rules.ts'

export interface Span {
  from: string
  until: string
}

type Rows = ReturnType<typeof sql>

/** The number of rows, up to the most that are counted. */
async function countUpTo(db: Db, rows: Rows): Promise<number> {
  const counted = sql<{
    count: number | string
  }>`select count(*) as count from (${rows} limit ${MOST_COUNTED}) as counted`
  return Number((await counted.execute(db)).rows[0]?.count ?? 0)
}

const within = ({ from, until }: Span) => sql`"createdAt" >= ${from} and "createdAt" < ${until}`

/** Accounts that were made in it. */
export const countJoined = (db: Db, span: Span): Promise<number> =>
  countUpTo(db, sql`select 1 from "user" where ${within(span)}`)

/** Entries of the feed that were written in it, and those of them by agents. */
export async function countWritten(db: Db, span: Span): Promise<{ all: number; byAgents: number }> {
  const all = await countUpTo(db, sql`select 1 from "feedEntry" where ${within(span)}`)
  const ofAgents = sql`select 1 from "feedEntry" where "viaClientId" is not null and ${within(span)}`
  return { all, byAgents: await countUpTo(db, ofAgents) }
}

/** Open bugs, also those in progress, that were made in it. */
export async function countOpenBugs(db: Db, span: Span): Promise<number> {
  const [open, inProgress] = ['open', 'in_progress'].map((status) =>
    countUpTo(db, sql`select 1 from bug where hidden = 0 and status = ${status} and ${within(span)}`),
  )
  return ((await open) ?? 0) + ((await inProgress) ?? 0)
}

/** The newest bugs: when each was made, and when another member first wrote a comment on it. */
export async function listAnswers(db: Db): Promise<{ createdAt: string; answeredAt: string | null }[]> {
  const { rows } = await sql<{ createdAt: string; answeredAt: string | null }>`
    select bug."createdAt", (
      select min(comment."createdAt") from comment
      where comment."targetId" = bug.id and comment.hidden = 0 and comment."authorId" <> bug."authorId"
    ) as "answeredAt"
    from bug where bug.hidden = 0 order by bug."createdAt" desc, bug.id desc limit ${LOOKED_AT}`.execute(db)
  return rows
}

/** The items that were downloaded most since a day, of those that everybody sees. */
export async function listDownloaded(db: Db, { since, limit }: { since: string; limit: number }) {
  const { rows } = await sql<{
    id: string
    kind: ItemKind
    slug: string
    name: string
    downloads: number | string
  }>`
    select item.id, item.kind, item.slug, item.name, sum(counted.count) as downloads
    from (select "itemId", count from "dayDownloads" where day >= ${since} limit ${MOST_COUNTED}) as counted
    join "libraryItem" as item on item.id = counted."itemId"
    where item.listed = 1
    group by item.id, item.kind, item.slug, item.name order by downloads desc, item.id limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, downloads: Number(row.downloads) }))
}

/** Mails that failed and are tried again, and webhooks that fail or were disabled for it. */
export async function countFailing(db: Db): Promise<{ mails: number; webhooks: number; disabledWebhooks: number }> {
  return {
    mails: await countUpTo(db, sql`select 1 from outbox where "sentAt" is null and attempts > 0`),
    webhooks: await countUpTo(db, sql`select 1 from webhook where "failingSince" is not null and "disabledAt" is null`),
    disabledWebhooks: await countUpTo(db, sql`select 1 from webhook where "disabledReason" in ('failing', 'gone')`),
  }
}

/** Cases that wait for a moderator. */
export async function findWaitingCases(db: Db): Promise<{ count: number; oldestAt: string | null }> {
  const open = db.selectFrom('moderationCase').where('state', '=', 'open')
  const oldest = await open.select('createdAt').orderBy('createdAt').orderBy('id').limit(1).executeTakeFirst()
  const count = await countUpTo(db, sql`select 1 from "moderationCase" where state = 'open'`)
  return { count, oldestAt: oldest?.createdAt ?? null }
}

/** What was noted of weeks since one. */
export async function listWeekFigures(db: Db, since: string) {
  const rows = await db
    .selectFrom('weekFigure')
    .select(['week', 'activeMembers', 'databaseBytes', 'storedBytes'])
    .where('week', '>=', since)
    .execute()
  return rows.map((row) => ({
    ...row,
    databaseBytes: Number(row.databaseBytes),
    storedBytes: Number(row.storedBytes),
  }))
}

interface WeekFigures {
  week: string
  activeMembers: number
  databaseBytes: number
  storedBytes: number
}

/** Notes the figures of a week; of members that were active, the most that were counted. */
export async function putWeekFigures(db: Db, { week, ...figures }: WeekFigures): Promise<void> {
  await db
    .insertInto('weekFigure')
    .values({ week, ...figures })
    .onConflict((conflict) => conflict.column('week').doUpdateSet(figures))
    .execute()
}

/** Some accounts in their order: how many of them had an open session in the week, what they store, and the last one. */
export async function countSome(db: Db, { after, since, limit }: { after: string; since: string; limit: number }) {
  const { rows } = await sql<{ last: string | null; active: number | string; bytes: number | string | null }>`
    select max(counted.id) as last, sum(case when exists (
        select 1 from session where session."userId" = counted.id and session."seenAt" >= ${since}
      ) then 1 else 0 end) as active,
      sum((select bytes from "storedBytes" where "accountId" = counted.id)) as bytes
    from (select id from "user" where id > ${after} order by id limit ${limit}) as counted`.execute(db)
  const { last = null, active = 0, bytes = 0 } = rows[0] ?? {}
  return { last, active: Number(active ?? 0), bytes: Number(bytes ?? 0) }
}

/** The size of the database in bytes. */
export async function findDatabaseSize(db: Db): Promise<number> {
  const size =
    engineOf(db) === 'postgres'
      ? sql<{ bytes: number | string }>`select pg_database_size(current_database()) as bytes`
      : sql<{ bytes: number | string }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`
  const { rows } = await size.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}
