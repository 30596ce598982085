// Voting on items and talking about them: a part of the community, where errors are { error }.
import { z } from 'zod'
import { open, write } from '../../content/area.ts'
import { Comment, CommentBody, commentListInput } from '../../content/comments/contract.ts'
import { Reason } from '../../content/moderation-contract.ts'
import { VoteInput, VoteResult } from '../../content/votes/contract.ts'
import { Id, listOf } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'

const ItemComment = Comment.extend({ itemId: Id }).meta({ id: 'ItemComment' })

export const discussion = {
  vote: {
    summary: 'Vote on a public item: 1, -1, or 0 to take the vote back',
    method: 'POST',
    path: '/community/library/{id}/vote',
    tool: { name: 'vote_library_item', title: 'Vote on a library item' },
    idempotent: true,
    access: write,
    budget: 'votes',
    input: VoteInput,
    output: VoteResult,
    problems: ['not_found'],
  },
  comments: {
    summary: 'The comments on a public item, oldest first',
    method: 'GET',
    path: '/community/library/{id}/comments',
    access: open,
    input: commentListInput.extend({ id: Id }),
    output: listOf(ItemComment),
    problems: ['not_found'],
  },
  comment: {
    summary: 'Comment on a public item',
    method: 'POST',
    path: '/community/library/{id}/comments',
    tool: { name: 'comment_library_item' },
    access: write,
    budget: 'comments',
    input: z.object({ id: Id, body: CommentBody }),
    output: ItemComment,
    status: 201,
    problems: ['not_found'],
  },
  deleteComment: {
    summary: 'Remove a comment from an item: its author, or a moderator',
    method: 'DELETE',
    path: '/community/library/{id}/comments/{commentId}',
    access: write,
    input: z.object({ id: Id, commentId: Id, reason: Reason }),
    output: z.object({ id: Id }),
    problems: ['not_found', 'forbidden'],
  },
} satisfies Contract
