// Commenting, for whatever can be commented on. The count is kept with the parent and in the feed, in the same transaction.

import { Problem } from '../../contract/problem.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { commentActions } from '../audit-actions.ts'
import { addToEntry } from '../feed/feed.ts'
import { type Page, pageOf } from '../listing-queries.ts'
import { recordModeration, requireOwnerOrModerator } from '../moderation.ts'
import type { Comment } from './contract.ts'
import * as queries from './queries.ts'

export { deleteComments } from './queries.ts'

/** What can be commented on (content/subject-queries.ts). */
export interface Commentable {
  type: string
  /** Locks the parent until the transaction ends; throws `not_found`. */
  lock(db: Transaction, id: string): Promise<unknown>
  /** The number of comments of a parent; throws `not_found`. */
  countComments(db: Db, id: string): Promise<number>
  addCounts(db: Transaction, id: string, delta: { commentCount: number }): Promise<void>
}

export function addComment(
  { db, caller, now, budget }: Context<Caller>,
  parent: Commentable,
  { id: targetId, body }: { id: string; body: string },
): Promise<Comment> {
  const comment = { id: newId(), authorId: caller.id, body, createdAt: now }
  return db.transaction().execute(async (transaction) => {
    await parent.lock(transaction, targetId)
    await budget.spend(transaction)
    await queries.insertComment(transaction, { ...comment, targetType: parent.type, targetId })
    await countOne(transaction, parent, { targetId, delta: 1 })
    return { ...comment, authorUsername: caller.username }
  })
}

interface Removal {
  id: string
  commentId: string
  reason: string | null
}

const noSuchComment = () => new Problem('not_found', 'No such comment here')

/** Removes a comment of this parent, for its author and for moderators. */
export function removeComment(
  context: Context<Caller>,
  { type: targetType, ...parent }: Commentable,
  { id: targetId, commentId, reason }: Removal,
): Promise<{ id: string }> {
  return context.db.transaction().execute(async (transaction) => {
    await parent.lock(transaction, targetId)
    const comment = await queries.findComment(transaction, { targetType, targetId }, commentId)
    if (!comment) throw noSuchComment()
    requireOwnerOrModerator(context.caller, comment.authorId)
    // A parent that is a file has no row to lock: of two who remove the comment at once, one finds it gone.
    if (!(await queries.deleteComment(transaction, commentId))) throw noSuchComment()
    await countOne(transaction, parent, { targetId, delta: -1 })
    const { authorId } = comment
    const detail = { on: targetType, parentId: targetId }
    await recordModeration(transaction, context, {
      action: commentActions.delete,
      targetId: commentId,
      authorId,
      reason,
      detail,
    })
    return { id: commentId }
  })
}

async function countOne(
  db: Transaction,
  parent: Pick<Commentable, 'addCounts'>,
  { targetId, delta }: { targetId: string; delta: 1 | -1 },
): Promise<void> {
  await parent.addCounts(db, targetId, { commentCount: delta })
  await addToEntry(db, targetId, { commentCount: delta })
}

/** A page of comments, oldest first; throws `not_found` when there is no such parent. */
export function commentPage(
  db: Db,
  { type: targetType, countComments }: Commentable,
  { id: targetId, ...input }: { id: string; page: number; per_page: number },
): Promise<Page<Comment>> {
  return pageOf(db, input, {
    kind: 'comment',
    filters: { targetType, targetId },
    count: () => countComments(db, targetId),
    scan: (on, parent, { backwards, ...range }) =>
      queries.scanComments(on, parent, { backwards: !backwards, ...range }),
    entries: (on, ids, parent) => queries.commentsById(on, ids, parent),
  })
}
