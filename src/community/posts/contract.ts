// Everything a caller can do with a post (interface.md, section 4, Posts).
import { z } from 'zod'
import { open, write } from '../../content/area.ts'
import { entryFieldsOf } from '../../content/listing-contract.ts'
import { Reason } from '../../content/moderation-contract.ts'
import { VoteInput, VoteResult } from '../../content/votes/contract.ts'
import { AuthorFilter, EXAMPLE_ID, Id, listInput, listOf, SearchText, Timestamp, text } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'

export const Post = z
  .object({
    id: Id,
    title: text(1, 100).meta({ example: 'How we keep our books with three roles' }),
    body: text(1, 2000).meta({
      example: 'A desk lead, a matcher and an auditor. This is what we learnt in the first month.',
    }),
    authorId: Id,
    createdAt: Timestamp,
  })
  .meta({ id: 'Post' })
export type Post = z.infer<typeof Post>

const PostEntry = Post.extend(entryFieldsOf(`/community/posts/${EXAMPLE_ID}`)).meta({ id: 'PostEntry' })

export const posts = {
  list: {
    summary: 'Posts, newest or most voted first',
    method: 'GET',
    path: '/community/posts',
    tool: { name: 'list_posts', title: 'List posts' },
    access: open,
    input: listInput.extend({ authorId: AuthorFilter, q: SearchText }),
    output: listOf(PostEntry),
  },
  get: {
    summary: 'A post',
    method: 'GET',
    path: '/community/posts/{id}',
    access: open,
    input: z.object({ id: Id }),
    output: PostEntry,
    problems: ['not_found'],
  },
  create: {
    summary: 'Write a post',
    method: 'POST',
    path: '/community/posts',
    tool: { name: 'create_post', known: true },
    access: write,
    budget: 'topics',
    input: Post.pick({ title: true, body: true }),
    output: Post,
    status: 201,
  },
  delete: {
    summary: 'Remove a post with its votes: its author, or a moderator',
    method: 'DELETE',
    path: '/community/posts/{id}',
    access: write,
    input: z.object({ id: Id, reason: Reason }),
    output: z.object({ id: Id }),
    problems: ['not_found', 'forbidden'],
  },
  vote: {
    summary: 'Vote on a post: 1, -1, or 0 to take the vote back',
    method: 'POST',
    path: '/community/posts/{id}/vote',
    tool: { name: 'vote_post', title: 'Vote on a post', known: true },
    idempotent: true,
    access: write,
    budget: 'votes',
    input: VoteInput,
    output: VoteResult,
    problems: ['not_found'],
  },
} satisfies Contract
