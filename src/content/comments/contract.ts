// What every comment has; each parent adds the field that points to it (interface.md, section 2, Comments). And what can be done
// with a comment of any subject by its id alone.
import { z } from 'zod'
import { auditActions } from '../../contract/audit.ts'
import {
  Cursor,
  EditedAt,
  Id,
  PageSize,
  pageEnd,
  pageInput,
  SeenEditedAt,
  Timestamp,
  text,
  textLike,
  UsernameOrNull,
  VersionText,
  Via,
} from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import { reactionKinds } from '../../contract/kinds.ts'
import type { Contract } from '../../contract/operation.ts'
import { recordOf } from '../../contract/records.ts'
import { aboutFields } from '../about/contract.ts'
import { open, write } from '../area.ts'
import { revisionsOperation } from '../edits/contract.ts'
import { BodyReason, Reason, StateField } from '../hiding/moderation-contract.ts'
import { FullText } from '../imported/contract.ts'
import { type Actor, canSchema } from '../subject.ts'

export const commentRules: { permissions: Readonly<Record<'edit' | 'delete', readonly Actor[]>> } = {
  permissions: { edit: ['author', 'moderator'], delete: ['author', 'moderator'] },
}

export const commentActions = auditActions('comment', { edit: 'Edited a comment', delete: 'Deleted a comment' })

export const CommentBody = text(1, 1000).meta({ example: 'The same here, since the last version.' })

const Reaction = z.enum(reactionKinds).meta({ description: 'A kind of reaction', example: 'heart' })
const Reactions = z
  .object(recordOf(reactionKinds, () => z.int().min(1).optional()))
  .meta({ id: 'ReactionCounts', description: 'How many there are of each kind', example: { heart: 2 } })
const MyReactions = z
  .array(Reaction)
  .meta({ id: 'OwnReactions', description: "The caller's own; none for anonymous users", example: ['heart'] })

/** What a comment is when it is written. */
export const WrittenComment = z.object({
  id: Id,
  authorId: Id,
  authorUsername: UsernameOrNull,
  body: CommentBody,
  createdAt: Timestamp,
  parentId: Id.nullable().meta({ description: 'The comment that it replies to', example: null }),
})
export type WrittenComment = z.infer<typeof WrittenComment>

/** What it is when it is read. */
export const Comment = WrittenComment.extend({
  via: Via,
  editedAt: EditedAt,
  replyCount: z.int().meta({ example: 0 }),
  reactions: Reactions,
  myReactions: MyReactions,
  ...FullText,
  can: canSchema(commentRules).meta({ id: 'CommentPermissions' }),
})
export type Comment = z.infer<typeof Comment>

/** The replies that a list has with each comment at most. */
const MAX_REPLIES = 10

const Sort = z.enum(['oldest', 'newest', 'popular']).default('oldest').meta({
  description: 'By time, or by the number of reactions',
})

/** Comments are listed oldest first unless asked (behaviour.md, section 2). */
export const commentListInput = z.object({
  ...pageInput,
  sort: Sort,
  parentId: Id.optional().meta({
    description: 'Only the replies to this comment; `none` for the comments that reply to none',
  }),
  replies: z.coerce.number().int().min(0).max(MAX_REPLIES).default(0).meta({
    description: 'How many replies to list with each comment, oldest first',
    example: 0,
  }),
})
export type CommentListInput = z.output<typeof commentListInput>

/** A comment may reply to another one on the same thing. */
export const commentInput = {
  body: CommentBody,
  parentId: Id.optional().meta({
    description: 'The comment to reply to; below a reply, the same one',
  }),
}

const Position = z.int().min(0).meta({ example: 0 })

const PlacedComment = Comment.extend({
  ...aboutFields,
  state: StateField,
  on: z.object({
    type: textLike('bug').meta({ description: 'The type of what the comment is on' }),
    id: Id,
    url: textLike('/community/bugs/01a1fb4e-bb9a-7544-87a4-2785318c8f22').meta({
      description: 'Where the site shows it',
    }),
    href: Href,
  }),
  position: Position.meta({ description: 'How many are before it, oldest first, where it is listed by `parentId`' }),
  parentPosition: Position.nullable().meta({
    description: 'The same of the comment that it replies to; null where there is none',
    example: null,
  }),
}).meta({ id: 'PlacedComment' })

const reacting = {
  path: '/community/comments/{id}/reactions/{reaction}',
  access: write,
  budget: 'votes',
  input: z.object({ id: Id, reaction: Reaction }),
  output: z.object({ reactions: Reactions, myReactions: MyReactions }).meta({ id: 'CommentReactions' }),
  problems: ['not_found'],
} as const

const AuthoredComment = z
  .object({
    id: Id,
    body: CommentBody,
    createdAt: Timestamp,
    editedAt: EditedAt,
    url: textLike('/community/comments/01a1fb4e-bb9a-7544-87a4-2785318c8f22').meta({
      description: 'Where the site shows it',
    }),
    href: Href,
    on: z.object({
      type: textLike('bug').meta({ description: 'The type of what the comment is on' }),
      id: textLike('01a1fb4e-bb9a-7544-87a4-2785318c8f22'),
      title: textLike('The digest is sent twice when the clock changes'),
    }),
  })
  .meta({ id: 'AuthoredComment' })

export const comments = {
  list: {
    summary: 'The comments of a member, newest first, on things that everybody sees',
    method: 'GET',
    path: '/community/comments',
    access: open,
    input: z.object({
      authorId: Id.meta({ description: 'The id of the account' }),
      before: Id.optional().meta({ description: '`next` of the page before; use `cursor`', deprecated: true }),
      cursor: Cursor,
      per_page: PageSize,
    }),
    output: z.object({
      items: z.array(AuthoredComment),
      ...pageEnd,
      next: Id.nullable().meta({
        description: 'The `before` of the following page; use `nextCursor`',
        deprecated: true,
      }),
    }),
  },
  get: {
    summary: 'A comment, and where it is',
    method: 'GET',
    path: '/community/comments/{id}',
    access: open,
    input: z.object({ id: Id }),
    output: PlacedComment,
    problems: ['not_found'],
  },
  edit: {
    summary: 'Change the text of a comment: its author, or a moderator',
    synonyms: ['edit comment', 'fix my comment', 'update reply', 'correct comment'],
    description: 'An edit that changes nothing leaves no revision.',
    method: 'PATCH',
    kind: 'comments',
    path: '/community/comments/{id}',
    access: write,
    audit: [commentActions.edit],
    budget: 'comments',
    input: z.object({
      id: Id,
      body: CommentBody,
      version: VersionText.nullable().optional().meta({
        description: 'On an item: the version that it is about; null for none',
      }),
      reason: BodyReason,
      seenEditedAt: SeenEditedAt,
    }),
    output: z.object({ id: Id, body: CommentBody, editedAt: EditedAt, ...aboutFields }),
    problems: ['not_found', 'forbidden', 'conflict'],
  },
  delete: {
    summary: 'Remove a comment by its id: its author, or a moderator',
    description: 'Replies to it stay, as comments that reply to none.',
    method: 'DELETE',
    kind: 'comments',
    path: '/community/comments/{id}',
    access: write,
    audit: [commentActions.delete],
    input: z.object({ id: Id, reason: Reason }),
    output: z.object({ id: Id }),
    problems: ['not_found', 'forbidden'],
  },
  ...revisionsOperation('a comment', '/community/comments'),
  react: {
    ...reacting,
    summary: 'React to a comment; a second time changes nothing',
    synonyms: ['emoji', 'add reaction', 'thumbs up on comment', 'like a comment', 'heart'],
    method: 'PUT',
    kind: 'votes',
  },
  unreact: {
    ...reacting,
    summary: 'Take back a reaction to a comment',
    synonyms: ['remove reaction', 'remove emoji', 'unlike comment'],
    method: 'DELETE',
    kind: 'votes',
  },
} as const satisfies Contract
