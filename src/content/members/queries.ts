// Members as they are read: accounts with a username that are not blocked.
import { type AliasedRawBuilder, sql } from 'kysely'
import type { PageRequest } from '../../database/cursor.ts'
import { among } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'
import { countOf } from '../counters.ts'
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

const thanked = prepared(
  (db, given: Bind<{ userId: string; limit: number }>) =>
    db
      .selectFrom((from) =>
        from
          .selectFrom('comment')
          .select(['comment.id', 'comment.authorId'])
          .where('comment.authorId', '=', given('userId'))
          .where('comment.hidden', '=', 0)
          .orderBy('comment.id', 'desc')
          .limit(sql.lit(MAX_COMMENTS))
          .as('said'),
      )
      .select('said.id')
      .where((said) =>
        said.exists(
          said
            .selectFrom('reaction')
            .select('reaction.commentId')
            .whereRef('reaction.commentId', '=', 'said.id')
            .whereRef('reaction.userId', '!=', 'said.authorId')
            .where('reaction.reaction', 'in', ['thumbs_up', 'heart', 'hooray']),
        ),
      )
      .limit(given('limit')),
  { cached: true },
)

/** How many of the newest comments of an account others thanked for, up to a limit. */
export const countThanked = async (db: Db, wanted: { userId: string; limit: number }): Promise<number> =>
  (await thanked(db, wanted)).rows.length
