// Members as they are read: accounts with a username that are not blocked.
import { type AliasedRawBuilder, sql } from 'kysely'
import type { PageRequest } from '../../database/cursor.ts'
import { among } from '../../database/engine.ts'
import { amongGiven, type Bind, prepared } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'
import { countOf } from '../counter-queries.ts'
import { type Page, pageOf } from '../list-pages.ts'
import { inOrder, selectIds } from '../listing-queries.ts'

/** What the feed has of an account; counters that are zero may be gone. */
const contributions = (): AliasedRawBuilder<number, 'contributions'> =>
  sql<number>`(select coalesce(sum(counter.count), 0) from counter
    where counter.key >= 'feed/by/' || ${sql.ref('user.id')} || '/'
      and counter.key < 'feed/by/' || ${sql.ref('user.id')} || '0')`.as('contributions')

const members = (db: Db) =>
  db
    .selectFrom('user')
    .leftJoin('profile', 'profile.userId', 'user.id')
    .select(['user.id', 'user.username', 'user.name', 'user.role', 'user.avatarUpdatedAt', 'user.createdAt'])
    .select('profile.tagline')
    .select(contributions())
    .where('user.usernameKey', 'is not', null)
    .where('user.blockedAt', 'is', null)

export type MemberRow = Awaited<ReturnType<ReturnType<typeof members>['execute']>>[number]

/** What the partial index of members is of. */
const isMember = sql<boolean>`${sql.ref('user.usernameKey')} is not null and ${sql.ref('user.blockedAt')} is null`

/** A page of members, newest first. */
export function pageOfMembers(db: Db, input: PageRequest): Promise<Page<MemberRow>> {
  const by = { ...input, sort: 'latest' as const }
  return pageOf(db, by, {
    kind: 'member',
    filters: {},
    count: () => countOf(db, { kind: 'member', group: 'all' }),
    scan: (on, _places, pageWindow) => selectIds(on, { table: 'user', where: isMember, sort: 'latest' }, pageWindow),
    entries: (on, ids) => inOrder(members(on).where('user.id', ...ids), { of: 'user', sort: 'latest' }),
  })
}

const named = prepared(
  (db, given: Bind<{ ids: string; keys: string }>) =>
    members(db).where((user) =>
      user.or([user('user.id', ...among(db, given('ids'))), user('user.usernameKey', ...among(db, given('keys')))]),
    ),
  { cached: true },
)

/** The members with these ids or usernames, each once, in no order. */
export async function listMembers(
  db: Db,
  { ids = [], usernames = [] }: { ids?: readonly string[]; usernames?: readonly string[] },
): Promise<readonly MemberRow[]> {
  if (ids.length + usernames.length === 0) return []
  const keys = usernames.map((username) => username.toLowerCase()).sort()
  return (await named(db, { ids: JSON.stringify(ids.toSorted()), keys: JSON.stringify(keys) })).rows
}

/** So many of the newest comments are looked at. */
const MAX_COMMENTS = 1_000
/** An account reacts to a comment once with each of these kinds. */
const THANKS = ['thumbs_up', 'heart', 'hooray'] as const

const reactedTo = prepared(
  (db, given: Bind<{ userId: string }>) =>
    db
      .selectFrom((from) =>
        from
          .selectFrom('comment')
          .select('id')
          .select(sql<number>`thumbs_up + heart + hooray`.as('thanks'))
          .where('authorId', '=', given('userId'))
          .where('hidden', '=', 0)
          .orderBy('id', 'desc')
          .limit(sql.lit(MAX_COMMENTS))
          .as('said'),
      )
      .select(['said.id', 'said.thanks'])
      .where('said.thanks', '>', 0),
  { cached: true },
)

const own = prepared(
  (db, given: Bind<{ userId: string; ids: string }>) =>
    db
      .selectFrom('reaction')
      .select('commentId')
      .where('userId', '=', given('userId'))
      .where('commentId', ...amongGiven(db, given, 'ids'))
      .where(
        'reaction',
        'in',
        THANKS.map((kind) => sql.lit(kind)),
      ),
  { cached: true },
)

/**
 * How many of the newest comments of an account others thanked for, up to a limit. The counts of a comment have its author's own reactions as
 * well: these are looked at where there may be no others.
 */
export async function countThanked(db: Db, { userId, limit }: { userId: string; limit: number }): Promise<number> {
  const { rows } = await reactedTo(db, { userId })
  const doubtful = rows.filter(({ thanks }) => thanks <= THANKS.length)
  const sure = rows.length - doubtful.length
  if (sure >= limit || doubtful.length === 0) return Math.min(sure, limit)
  const ids = JSON.stringify(doubtful.map(({ id }) => id))
  const counts = new Map<string, number>()
  for (const { commentId } of (await own(db, { userId, ids })).rows)
    counts.set(commentId, (counts.get(commentId) ?? 0) + 1)
  const thanked = doubtful.filter(({ id, thanks }) => thanks > (counts.get(id) ?? 0))
  return Math.min(sure + thanked.length, limit)
}
