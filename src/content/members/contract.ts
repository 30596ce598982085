// The members of the community: a list with a search, some of them by their ids, and how much there is of everything.
import { z } from 'zod'
import {
  AvatarUrlOrNull,
  commaList,
  EXAMPLE_ID,
  Id,
  listOf,
  NameOrNull,
  pageInput,
  RoleName,
  Timestamp,
  text,
  textLike,
} from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { keysOf } from '../../contract/records.ts'
import { open } from '../area.ts'

export const badges = {
  first_fix: { title: 'First fix', about: 'A bug that they reported was resolved', from: 1 },
  ten_fixes: { title: 'Ten fixes', about: 'Ten bugs that they reported were resolved', from: 10 },
  shipped: { title: 'Shipped', about: 'A feature that they requested was shipped', from: 1 },
  publisher: { title: 'Publisher', about: 'They published an item for everybody', from: 1 },
  ten_thanked: {
    title: 'Ten answers thanked',
    about: 'Others thanked them for ten comments: with a thumbs up, a heart or a hooray',
    from: 10,
  },
} as const

export type BadgeKind = keyof typeof badges
export const badgeKinds: readonly BadgeKind[] = keysOf(badges)

/** So many members can be asked for by their ids. */
export const MAX_CARDS = 100

const Member = z
  .object({
    id: Id,
    username: textLike('mira'),
    name: NameOrNull,
    avatarUrl: AvatarUrlOrNull,
    role: RoleName,
    tagline: textLike('Keeps the books, reads the rest').nullable(),
    createdAt: Timestamp.meta({ description: 'When the account was made' }),
    contributions: z.int().meta({ example: 12, description: 'How many entries of the feed the member wrote' }),
  })
  .meta({ id: 'Member' })

/** Several of one kind, each once, with commas between them. */
const several = (one: z.ZodType<string, string>, what: string, example: string) =>
  commaList(MAX_CARDS * 201)
    .default('')
    .transform((all) => [...new Set(all.split(',').filter((each) => each !== ''))])
    .pipe(z.array(one).max(MAX_CARDS))
    .meta({ description: `At most ${MAX_CARDS} ${what}, with commas`, example })

const Count = z.int().meta({ example: 26 })

export const members = {
  list: {
    summary: 'The members, newest first, or those whose name or username has some words',
    synonyms: ['find user', 'list users', 'search people', 'who is here'],
    description: 'Accounts with a username. Blocked accounts are left out. A search answers the best hits first.',
    method: 'GET',
    path: '/community/members',
    access: open,
    input: z.object({
      q: text(0, 200).optional().meta({ description: 'Words of a name or a username, or their beginnings' }),
      ...pageInput,
    }),
    output: listOf(Member),
  },
  cards: {
    summary: 'Some members by their ids or usernames',
    description:
      'Each once, in no order. What is no member is left out: unknown and blocked accounts, and those without a username.',
    method: 'GET',
    path: '/community/members/cards',
    access: open,
    input: z.object({
      ids: several(Id, 'ids', EXAMPLE_ID),
      usernames: several(text(1, 200), 'usernames, in any case', 'mira'),
    }),
    output: z.object({ items: z.array(Member) }),
  },
  badges: {
    summary: 'What a member did, as badges',
    synonyms: ['achievements'],
    description: 'Read off what is there: a badge goes when that goes. A blocked account has no page, and none.',
    method: 'GET',
    path: '/community/members/{username}/badges',
    formerPath: '/community/users/{username}/badges',
    access: open,
    input: z.object({ username: text(1, 200).meta({ description: 'In any case', example: 'mira' }) }),
    output: z.object({
      items: z.array(
        z.object({
          kind: z.enum(badgeKinds).meta({ example: 'first_fix' }),
          title: textLike('First fix'),
          about: textLike('A bug that they reported was resolved'),
        }),
      ),
    }),
    problems: ['not_found'],
  },
  statistics: {
    summary: 'How many members there are, and how much of everything that everybody sees',
    method: 'GET',
    path: '/community/statistics',
    access: open,
    input: z.object({}),
    output: z.object({
      members: Count,
      bugs: Count,
      resolvedBugs: Count,
      features: Count,
      shippedFeatures: Count,
      posts: Count,
      orgs: Count.meta({ description: 'In the gallery' }),
      items: Count.meta({ description: 'Public items of the library, orgs of the gallery included' }),
    }),
  },
} satisfies Contract
