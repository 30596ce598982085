// Following things and members, for people and their agents.
import { z } from 'zod'
import { Cursor, EXAMPLE_ID, Id, PageSize, pageEnd, ThingNumber, Timestamp, textLike } from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import type { Contract } from '../../contract/operation.ts'
import { read, write } from '../area.ts'

const State = z.enum(['following', 'muted', 'none']).meta({
  description:
    '`none` is followed again when the account comments there; what or who is `muted` sends it no notifications, not even of mentions',
  example: 'following',
})

const Followed = z.object({ state: State }).meta({ id: 'Followed' })

const listedStates = z.enum(['following', 'muted'])

const Follow = z
  .object({
    id: Id,
    type: textLike('bug').meta({ description: 'As in the feed; `user` for a member' }),
    number: ThingNumber.nullable(),
    title: textLike('The digest is sent twice when the clock changes').meta({
      description: 'Of a member the username',
    }),
    url: textLike(`/community/bugs/${EXAMPLE_ID}`).meta({ description: 'Where the site shows it' }),
    href: Href,
    state: listedStates.meta({ example: 'following' }),
    createdAt: Timestamp.meta({ description: 'Since when' }),
  })
  .meta({ id: 'Follow' })

const followed = { path: '/community/follows/{id}', output: Followed } as const

export const follows = {
  list: {
    summary: 'What I follow or muted: things and members',
    synonyms: ['list watched', 'my subscriptions', 'what do i watch'],
    description: 'Newest thing first. What everybody sees no more is left out.',
    method: 'GET',
    path: '/community/follows',
    access: read,
    input: z.object({
      state: listedStates.default('following').meta({ example: 'following', description: 'Which of them' }),
      of: z
        .enum(['all', 'members', 'things'])
        .default('all')
        .meta({ example: 'members', description: 'Members alone, or things alone' }),
      before: Id.optional().meta({ description: '`next` of the page before; use `cursor`', deprecated: true }),
      cursor: Cursor,
      per_page: PageSize,
    }),
    output: z.object({
      items: z.array(Follow),
      ...pageEnd,
      next: Id.nullable().meta({
        description: 'The `before` of the following page; use `nextCursor`',
        deprecated: true,
      }),
    }),
  },
  get: {
    ...followed,
    summary: 'Whether I follow a thing or a member',
    synonyms: ['am i watching', 'am i following'],
    method: 'GET',
    access: read,
    input: z.object({ id: Id }),
    problems: ['not_found'],
  },
  set: {
    ...followed,
    summary: 'Follow a thing or a member, mute it, or neither',
    synonyms: ['unfollow', 'stop watching', 'watch', 'subscribe', 'unsubscribe', 'mute', 'stop notifications'],
    description:
      'Followers of a bug, a feature request, a post or an org get notifications of comments and of its status; those of a library item of new versions too; those of a member of what the member posts and publishes. `id` is that of the thing, or of the account of a member with a username.',
    method: 'PUT',
    kind: 'votes',
    access: write,
    budget: 'votes',
    input: z.object({ id: Id, state: State }),
    problems: ['not_found', 'conflict'],
  },
} satisfies Contract
