// The feed: recent activity of every kind on one page (interface.md, section 4, Feed).
import { z } from 'zod'
import {
  AuthorFilter,
  BoardSlug,
  EXAMPLE_ID,
  FeedSort,
  Id,
  MyVote,
  PageSize,
  pageEnd,
  pageInput,
  ThingNumber,
  Timestamp,
  textLike,
  UsernameOrNull,
  Via,
  WrittenBy,
} from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import { feedKinds } from '../../contract/kinds.ts'
import type { Contract } from '../../contract/operation.ts'
import { open } from '../area.ts'

const FeedType = z.enum(feedKinds).meta({ example: 'bug' })

export const FeedItem = z
  .object({
    id: Id,
    type: FeedType,
    title: textLike('The digest is sent twice when the clock changes'),
    preview: textLike('On the night of the change the workflow ran at 02:30 and again an hour later.').meta({
      description: 'The first 200 characters, with an ellipsis when there are more',
    }),
    authorId: Id,
    authorUsername: UsernameOrNull,
    via: Via,
    createdAt: Timestamp,
    updatedAt: Timestamp.meta({ description: 'When the thing was changed last; `createdAt` where it never was' }),
    score: z.int(),
    myVote: MyVote,
    commentCount: z.int().meta({ example: 2 }),
    url: textLike(`/community/bugs/${EXAMPLE_ID}`).meta({ description: 'Where the site shows it' }),
    href: Href,
    number: ThingNumber.nullable(),
    status: textLike('open')
      .nullable()
      .meta({ description: 'Of a bug or a feature request, as its list has it; null for others' }),
  })
  .meta({ id: 'FeedItem' })

export const feed = {
  list: {
    summary: 'Recent activity: posts, bugs, features, orgs and published items',
    synonyms: ['timeline', 'activity', 'latest'],
    method: 'GET',
    path: '/community/feed',
    tool: { name: 'get_feed', title: 'Read the feed', known: true },
    access: open,
    input: z.object({
      sort: FeedSort,
      ...pageInput,
      authorId: AuthorFilter,
      by: WrittenBy,
      type: z
        .union([z.literal('all'), FeedType])
        .optional()
        .catch(undefined)
        .meta({
          description: 'Only things of this type; all: of every type. Anything else leaves out some kinds of items',
        }),
      board: BoardSlug.optional(),
    }),
    output: z.object({ items: z.array(FeedItem), ...pageEnd }),
    problems: ['not_found'],
  },
  counts: {
    summary: 'How much the feed has of each type',
    method: 'GET',
    path: '/community/feed/counts',
    access: open,
    input: z.object({ authorId: AuthorFilter, by: WrittenBy, board: BoardSlug.optional() }),
    problems: ['not_found'],
    output: z.object({ counts: z.record(z.string(), z.int()).meta({ example: { post: 20, bug: 26 } }) }),
  },
  trending: {
    summary: 'What trends: much voted on and much said about, and not long ago',
    synonyms: ['popular', 'hot', 'trending'],
    description:
      'By log10(1 + votes and comments) + age: an entry with ten times as many is as hot as one that is three days younger. What is voted down counts as nothing.',
    method: 'GET',
    path: '/community/trending',
    access: open,
    input: z.object({ per_page: PageSize }),
    output: z.object({ items: z.array(FeedItem) }),
  },
} satisfies Contract
