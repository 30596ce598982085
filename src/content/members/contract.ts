// The members of the community: a list with a search, some of them by their ids, and how much there is of everything.
import { z } from 'zod'
import {
  AvatarUrlOrNull,
  EXAMPLE_ID,
  Id,
  listOf,
  NameOrNull,
  PageNumber,
  PageSize,
  RoleName,
  Timestamp,
  text,
  textLike,
} from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { open } from '../area.ts'

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
    contributions: z.int().meta({ example: 12, description: 'How much of theirs the feed shows' }),
  })
  .meta({ id: 'Member' })

const Ids = z
  .string()
  .max(MAX_CARDS * 201)
  .transform((ids) => [...new Set(ids.split(',').filter((id) => id !== ''))])
  .pipe(z.array(Id).max(MAX_CARDS))
  .meta({ description: `At most ${MAX_CARDS} ids, with commas`, example: EXAMPLE_ID })

const Count = z.int().meta({ example: 26 })

export const members = {
  list: {
    summary: 'The members, newest first, or those whose name or username has some words',
    description: 'Accounts with a username. Blocked accounts are left out. A search answers the best hits first.',
    method: 'GET',
    path: '/community/members',
    access: open,
    input: z.object({
      q: text(0, 200).optional().meta({ description: 'Words of a name or a username, or their beginnings' }),
      page: PageNumber,
      per_page: PageSize,
    }),
    output: listOf(Member),
  },
  cards: {
    summary: 'Some members by the ids of their accounts',
    description: 'In no order. Ids of no account, or of a blocked one or one without a username, are left out.',
    method: 'GET',
    path: '/community/members/cards',
    access: open,
    input: z.object({ ids: Ids }),
    output: z.object({ items: z.array(Member) }),
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
