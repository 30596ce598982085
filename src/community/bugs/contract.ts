// Everything a caller can do with a bug. Routes, OpenAPI, client and reference are read off this object.
import { z } from 'zod'
import { moderate, open, roleOrOwner, write } from '../../content/area.ts'
import { Comment, CommentBody, commentListInput } from '../../content/comments/contract.ts'
import { entryFieldsOf } from '../../content/listing-contract.ts'
import { Reason } from '../../content/moderation-contract.ts'
import { VoteInput, VoteResult } from '../../content/votes/contract.ts'
import { AuthorFilter, EXAMPLE_ID, Id, listInput, listOf, SearchText, Timestamp, text } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { Label } from '../labels/contract.ts'

const Status = z.enum(['open', 'in_progress', 'resolved', 'wontfix'])
const Severity = z.enum(['low', 'medium', 'high', 'critical']).meta({ example: 'high' })

export const Bug = z
  .object({
    id: Id,
    title: text(1, 100).meta({ example: 'The digest is sent twice when the clock changes' }),
    description: text(1, 1000).meta({
      example: 'On the night of the change the workflow ran at 02:30 and again an hour later.',
    }),
    authorId: Id,
    status: Status,
    severity: Severity,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Bug' })
export type Bug = z.infer<typeof Bug>

export const BugEntry = Bug.extend({ ...entryFieldsOf(`/community/bugs/${EXAMPLE_ID}`), labels: z.array(Label) }).meta({
  id: 'BugEntry',
})

const triaged = { status: Status.optional().meta({ example: 'in_progress' }), severity: Severity.optional() }

const BugComment = Comment.extend({ bugId: Id }).meta({ id: 'BugComment' })
/** What agents can read again, by MCP. */
const RESOURCE = 'Bug'

const LabelOnBug = z.object({ bugId: Id, labelId: Id })

export const bugs = {
  list: {
    summary: 'Bugs, newest or most voted first',
    method: 'GET',
    path: '/community/bugs',
    tool: { name: 'list_bugs', title: 'List bugs' },
    access: open,
    input: listInput.extend({
      status: Status.optional().meta({ description: 'Only bugs with this status' }),
      severity: Severity.optional().meta({ description: 'Only bugs of this severity' }),
      label: Id.optional().meta({ description: 'The id or the name of a label' }),
      authorId: AuthorFilter,
      q: SearchText,
    }),
    output: listOf(BugEntry),
  },
  get: {
    summary: 'A bug',
    method: 'GET',
    path: '/community/bugs/{id}',
    tool: { name: 'get_bug', title: 'Get a bug' },
    resource: RESOURCE,
    access: open,
    input: z.object({ id: Id }),
    output: BugEntry,
    problems: ['not_found'],
  },
  create: {
    summary: 'File a bug',
    method: 'POST',
    path: '/community/bugs',
    tool: { name: 'create_bug', known: true },
    resource: RESOURCE,
    access: write,
    budget: 'topics',
    input: Bug.pick({ title: true, description: true, severity: true }),
    output: Bug,
    status: 201,
  },
  triage: {
    summary: 'Set the status of a bug, its severity, or both',
    description: 'Any status may follow any other. The answer holds just what was set.',
    method: 'PATCH',
    path: '/community/bugs/{id}',
    access: moderate,
    input: z
      .object({ id: Id, ...triaged, reason: Reason })
      .refine((to) => to.status !== undefined || to.severity !== undefined, 'give a status or a severity'),
    output: z.object(triaged),
    problems: ['not_found'],
  },
  delete: {
    summary: 'Remove a bug with its comments and votes',
    description: 'For moderators and admins, and for its author while nobody has commented on it.',
    method: 'DELETE',
    path: '/community/bugs/{id}',
    access: roleOrOwner,
    input: z.object({ id: Id, reason: Reason }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
  vote: {
    summary: 'Vote on a bug: 1, -1, or 0 to take the vote back',
    method: 'POST',
    path: '/community/bugs/{id}/vote',
    tool: { name: 'vote_bug', title: 'Vote on a bug', known: true },
    idempotent: true,
    access: write,
    budget: 'votes',
    input: VoteInput,
    output: VoteResult,
    problems: ['not_found'],
  },
  comments: {
    summary: 'The comments on a bug, oldest first',
    method: 'GET',
    path: '/community/bugs/{id}/comments',
    access: open,
    input: commentListInput.extend({ id: Id }),
    output: listOf(BugComment),
    problems: ['not_found'],
  },
  comment: {
    summary: 'Comment on a bug',
    method: 'POST',
    path: '/community/bugs/{id}/comments',
    tool: { name: 'comment_bug', known: true },
    access: write,
    budget: 'comments',
    input: z.object({ id: Id, body: CommentBody }),
    output: BugComment,
    status: 201,
    problems: ['not_found'],
  },
  deleteComment: {
    summary: 'Remove a comment from a bug: its author, or a moderator',
    method: 'DELETE',
    path: '/community/bugs/{id}/comments/{commentId}',
    access: write,
    input: z.object({ id: Id, commentId: Id, reason: Reason }),
    output: z.object({ id: Id }),
    problems: ['not_found', 'forbidden'],
  },
  attachLabel: {
    summary: 'Put a label on a bug; one that is there already stays',
    method: 'POST',
    path: '/community/bugs/{id}/labels',
    idempotent: true,
    access: moderate,
    input: z.object({ id: Id, labelId: Id, reason: Reason }),
    output: LabelOnBug,
    problems: ['not_found'],
  },
  detachLabel: {
    summary: 'Take a label off a bug',
    method: 'DELETE',
    path: '/community/bugs/{id}/labels/{labelId}',
    access: moderate,
    input: z.object({ id: Id, labelId: Id, reason: Reason }),
    output: LabelOnBug,
    problems: ['not_found'],
  },
} satisfies Contract
