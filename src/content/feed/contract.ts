// The feed: recent activity of every kind on one page (interface.md, section 4, Feed).
import { z } from 'zod'
import { AuthorFilter, Id, MyVote, PageNumber, Sort, Timestamp } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { open } from '../area.ts'

export const FeedType = z.enum(['post', 'bug', 'feature', 'org', 'workflow', 'automation'])
export type FeedType = z.infer<typeof FeedType>

export const FeedItem = z
  .object({
    id: Id,
    type: FeedType,
    title: z.string(),
    preview: z.string().meta({ description: 'The first 200 characters, with an ellipsis when there are more' }),
    authorId: Id,
    authorUsername: z.string().nullable(),
    createdAt: Timestamp,
    score: z.int(),
    myVote: MyVote,
    commentCount: z.int(),
    url: z.string().meta({
      description: 'Where the site shows it',
      example: '/community/bugs/01a1fb4e-bb9a-7544-87a4-2785318c8f22',
    }),
  })
  .meta({ id: 'FeedItem' })

export const feed = {
  list: {
    summary: 'Recent activity: posts, bugs, features, orgs and published items',
    method: 'GET',
    path: '/community/feed',
    tool: { name: 'get_feed', title: 'Read the feed', known: true },
    access: open,
    input: z.object({
      sort: Sort,
      page: PageNumber,
      authorId: AuthorFilter,
      type: FeedType.optional()
        .catch(undefined)
        .meta({ description: 'Only things of this type; anything else is all of them' }),
    }),
    output: z.object({ items: z.array(FeedItem), hasMore: z.boolean() }),
  },
} satisfies Contract
