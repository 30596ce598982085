// Members who can be followed, and what an account follows or muted, as everybody sees it.
import { type RawBuilder, sql } from 'kysely'
import type { PartsOff } from '../../contract/parts.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'
import { insideOf } from '../board-access/place-queries.ts'

/** What the list of follows calls a member. */
export const MEMBER = 'user'

const member = prepared((db, given: Bind<{ id: string }>) =>
  db
    .selectFrom('user')
    .select('id')
    .where('id', '=', given('id'))
    .where('username', 'is not', null)
    .where('blockedAt', 'is', null),
)

/** Whether this is a member with a public profile. */
export const isMember = async (db: Db, id: string): Promise<boolean> => (await member(db, { id })).rows.length > 0

interface FollowQuery {
  userId: string
  state: 'following' | 'muted'
  of: 'all' | 'members' | 'things'
  before?: string | undefined
  limit: number
  /** The closed boards that the account reads now: what it follows in others is left out. */
  boards: readonly string[]
  /** Nothing of these parts. */
  off: PartsOff
}

const only: Readonly<Record<FollowQuery['of'], RawBuilder<boolean>>> = {
  all: sql`coalesce(entry.id, item.id, inside.id, member.id) is not null`,
  members: sql`member.id is not null`,
  things: sql`coalesce(entry.id, item.id, inside.id) is not null`,
}

/** What an account follows or muted, in the order of the ids, newest first; without what is hidden now, and who is blocked. */
export async function listFollows(db: Db, { userId, state, of, before, limit, boards, off }: FollowQuery) {
  const kinds = [...off.kinds].map((kind) => sql.lit(kind))
  const rows = await db
    .selectFrom('follow as one')
    .leftJoin('feedEntry as entry', 'entry.id', 'one.targetId')
    .leftJoin('libraryItem as item', (join) =>
      // Orgs that only the library lists.
      join
        .onRef('item.id', '=', 'one.targetId')
        .on('item.listed', '=', sql.lit(1))
        .on('item.kind', '=', sql.lit('org'))
        .on('item.gallery', '=', sql.lit(0)),
    )
    .leftJoin(insideOf(db, boards).as('inside'), 'inside.id', 'one.targetId')
    .leftJoin('user as member', 'member.id', 'one.targetId')
    .leftJoin('user as author', (join) =>
      join.on(sql<boolean>`author.id = coalesce(entry."authorId", item."ownerId", inside."authorId", member.id)`),
    )
    .select(['one.targetId as id', 'one.createdAt'])
    .select(sql<number | null>`coalesce(entry.number, inside.number)`.as('number'))
    .select(sql<string>`coalesce(entry.type, item.kind, inside.type, ${sql.lit(MEMBER)})`.as('type'))
    .select(sql<string>`coalesce(entry.title, item.name, inside.title, member.username)`.as('title'))
    .select(
      sql<string>`coalesce(entry.url, '/library/orgs/' || item.slug, inside.url, '/community/u/' || member.username)`.as(
        'url',
      ),
    )
    .where('one.userId', '=', userId)
    .where('one.state', '=', state)
    .where(only[of])
    .where('author.blockedAt', 'is', null)
    .$if(kinds.length > 0, (rows) =>
      rows.where(sql<boolean>`coalesce(entry.type, item.kind, inside.type, '') not in (${sql.join(kinds)})`),
    )
    .$if(before !== undefined, (rows) => rows.where('one.targetId', '<', String(before)))
    .orderBy('one.targetId', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ number, ...row }) => ({ ...row, state, number: number === null ? null : Number(number) }))
}
