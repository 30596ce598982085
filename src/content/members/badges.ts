// What a member did, as badges: read off what is counted anyway, so nobody gives them and nothing is stored.
import { sql } from 'kysely'
import { type Given, prepared } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'
import { countOf } from '../counters.ts'

interface Declared {
  title: string
  /** What it says, and from when on there is one. */
  about: string
  /** How many it takes. */
  from: number
  count(db: Db, userId: string): Promise<number>
}

/** How many of a kind are by an account, with these values of its filters. */
const by =
  (kind: string, ...facets: (string | undefined)[]) =>
  (db: Db, userId: string) =>
    countOf(db, { kind, group: `by/${userId}`, facets })

/** So many of the newest comments are looked at. */
const MAX_COMMENTS = 1_000
const THANKED = 10

const thanked = prepared(
  (db, given: Given<{ userId: string }>) =>
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
      .limit(sql.lit(THANKED)),
  { cached: true },
)

const declared = {
  first_fix: {
    title: 'First fix',
    about: 'A bug that they reported was resolved',
    from: 1,
    count: by('bug', 'resolved', undefined),
  },
  ten_fixes: {
    title: 'Ten fixes',
    about: 'Ten bugs that they reported were resolved',
    from: 10,
    count: by('bug', 'resolved', undefined),
  },
  shipped: {
    title: 'Shipped',
    about: 'A feature that they requested was shipped',
    from: 1,
    count: by('feature', 'shipped'),
  },
  publisher: {
    title: 'Publisher',
    about: 'They published an item for everybody',
    from: 1,
    async count(db, userId) {
      const [open, official] = [by('item', 'public', undefined), by('item', 'official', undefined)]
      return (await open(db, userId)) + (await official(db, userId))
    },
  },
  ten_thanked: {
    title: 'Ten answers thanked',
    about: 'Others thanked them for ten comments: with a thumbs up, a heart or a hooray',
    from: THANKED,
    count: async (db, userId) => (await thanked(db, { userId })).rows.length,
  },
} as const satisfies Record<string, Declared>

export type BadgeKind = keyof typeof declared
export const badgeKinds = Object.keys(declared) as [BadgeKind, ...BadgeKind[]]

/** The badges of an account, in the order of their declaration. */
export async function badgesOf(db: Db, userId: string) {
  const kinds = Object.entries(declared) as [BadgeKind, Declared][]
  const counts = await Promise.all(kinds.map(([, { count }]) => count(db, userId)))
  return kinds.flatMap(([kind, { title, about, from }], at) =>
    (counts[at] ?? 0) >= from ? [{ kind, title, about }] : [],
  )
}
