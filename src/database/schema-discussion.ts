// What members add to things of any kind: votes, comments and reactions; schema.ts has the rules for all of it.
import type { Generated } from 'kysely'
import type { ReactionKind } from '../contract/kinds.ts'
import type { WrittenTable } from './schema-community.ts'

/** One row per user and target of any kind: ids are unique over all kinds. */
export interface VoteTable {
  targetId: string
  userId: string
  value: 1 | -1
}

export interface CommentTable extends WrittenTable {
  id: string
  /** The id of a bug, org or library item, or the slug of a blog post. */
  targetId: string
  /** The type of a subject. */
  targetType: string
  authorId: string
  /** The comment that it replies to, which is no reply itself; null for none. */
  parentId: string | null
  /** What it is listed under: `parentId`, or `targetId` if that is null or hidden. */
  thread: string
  /** How many comments that are not hidden are listed under it. */
  replyCount: number
  /** Why it is hidden, as bits (content/hiding/rules.ts); 0 for what shows. */
  hidden: Generated<number>
  /** How many reactions it has, of each kind and in all. */
  score: number
  thumbs_up: number
  heart: number
  hooray: number
  laugh: number
  confused: number
  eyes: number
  body: string
  createdAt: string
  /** When the text was changed last; null for never. */
  editedAt: string | null
  revisionCount: Generated<number>
}

/** One row per comment, user and kind of reaction. */
export interface ReactionTable {
  commentId: string
  userId: string
  reaction: ReactionKind
}

export interface DiscussionDatabase {
  vote: VoteTable
  comment: CommentTable
  reaction: ReactionTable
}
