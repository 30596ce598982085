// What is new for a member and their agent, in one short answer.
import { z } from 'zod'
import {
  Cursor,
  EXAMPLE_ID,
  Id,
  pageEnd,
  ThingNumber,
  Timestamp,
  textLike,
  UsernameOrNull,
} from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import { allNotificationKinds, feedKinds } from '../../contract/kinds.ts'
import type { Contract } from '../../contract/operation.ts'
import { ActHead } from '../../contract/pending.ts'
import { read } from '../area.ts'

/** The budget of the tool, in tokens: below 2,000. */
const TOKENS = 1_900

const InboxNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a cursor from an answer')
  .meta({ example: '41' })
const Title = textLike('The digest is sent twice when the clock changes').meta({ description: 'Its beginning' })

const NewsItem = z
  .object({
    id: InboxNumber,
    type: z.enum(allNotificationKinds).meta({ example: 'reply' }),
    toMe: z
      .boolean()
      .meta({ description: 'A mention, a reply, an invitation, a question or a notice; others are of what I follow' }),
    target: z.object({ type: textLike('bug'), id: textLike(EXAMPLE_ID), number: ThingNumber.nullable(), title: Title }),
    by: UsernameOrNull,
    text: textLike('The same here, since the last version.').meta({ description: 'The beginning of what was written' }),
    url: textLike(`/community/comments/${EXAMPLE_ID}`),
    href: Href,
    createdAt: Timestamp,
  })
  .meta({ id: 'NewsItem' })

const Pending = z
  .object({
    type: textLike('invitation').meta({ description: 'What waits for me' }),
    id: textLike(EXAMPLE_ID),
    title: textLike('Morning digest'),
    operation: textLike('bugs.create').optional().meta({ description: 'Of an approval: what an agent wants to make' }),
    target: ActHead.shape.target.optional().meta({ description: 'Of an approval: the thing that it is about' }),
    by: UsernameOrNull,
    createdAt: Timestamp,
  })
  .meta({ id: 'PendingThing' })
export type Pending = z.input<typeof Pending>

const Recent = z
  .object({
    type: z.enum(feedKinds).meta({ example: 'bug' }),
    id: Id,
    number: ThingNumber.nullable(),
    title: Title,
    by: UsernameOrNull,
    createdAt: Timestamp,
  })
  .meta({ id: 'RecentThing' })

const answer = {
  unread: z.int().meta({ example: 3, description: 'In the whole inbox' }),
  items: z.array(NewsItem),
  ...pageEnd,
  next: InboxNumber.nullable().meta({
    description: 'The `before` of the following page; use `nextCursor`',
    deprecated: true,
  }),
  pending: z.array(Pending),
  pendingTotal: z.int().meta({ example: 1 }),
  recent: z.array(Recent),
}

/** What an agent has to know of the answer beforehand. */
const outline = z.object({
  ...answer,
  items: z.array(NewsItem.pick({ id: true, type: true, toMe: true, target: true, url: true })),
  pending: z.array(z.object({ type: z.string(), id: z.string() })),
  recent: z.array(z.object({ type: z.string(), id: z.string() })),
})

export const news = {
  list: {
    summary: 'What is new for me: unread notifications, what waits for me, and the newest of others',
    description:
      'Newest first, and short: texts are cut. `next` is the `before` of the following page, which has `items` alone; read_notifications with `through` ends what is new.',
    method: 'GET',
    path: '/community/news',
    tool: { name: 'what_is_new', title: 'What is new for me', maxTokens: TOKENS, outline },
    access: read,
    input: z.object({
      before: InboxNumber.optional().meta({ description: '`next` of the page before; use `cursor`', deprecated: true }),
      cursor: Cursor,
      per_page: z.coerce.number().int().min(1).max(50).default(30).meta({ description: 'Notifications a page' }),
    }),
    output: z.object(answer),
  },
} satisfies Contract
