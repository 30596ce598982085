// Commenting, for whatever can be commented on. The count is kept with the parent and in the feed, in the same transaction.

import { Problem } from '../../contract/problem.ts'
import type { CommentTable, Db, Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../handler.ts'
import { newId } from '../../platform/ids.ts'
import { requireOwnerOrModerator } from '../access.ts'
import { addToEntry } from '../feed/feed.ts'
import type { Comment } from './contract.ts'
import * as queries from './queries.ts'

export { deleteComments } from './queries.ts'

/** What a slice gives to have its things commented on. */
export interface Commentable {
  type: CommentTable['targetType']
  /** Locks the parent until the transaction ends; throws `not_found`. */
  lock(db: Transaction, id: string): Promise<void>
  /** The number of comments of a parent; throws `not_found`. */
  countComments(db: Db, id: string): Promise<number>
  addComments(db: Transaction, id: string, delta: number): Promise<void>
}

export function addComment(
  { db, caller, now }: Context<Caller>,
  parent: Commentable,
  targetId: string,
  body: string,
): Promise<Comment> {
  const comment = { id: newId(), authorId: caller.id, body, createdAt: now }
  return db.transaction().execute(async (transaction) => {
    await parent.lock(transaction, targetId)
    await queries.insertComment(transaction, { ...comment, targetType: parent.type, targetId })
    await countOne(transaction, parent, targetId, 1)
    return { ...comment, authorUsername: caller.username }
  })
}

/** Removes a comment of this parent, for its author and for moderators. */
export function removeComment(
  { db, caller }: Context<Caller>,
  parent: Commentable,
  targetId: string,
  commentId: string,
): Promise<{ id: string }> {
  return db.transaction().execute(async (transaction) => {
    await parent.lock(transaction, targetId)
    const comment = await queries.findComment(transaction, { targetType: parent.type, targetId }, commentId)
    if (!comment) throw new Problem('not_found', 'No such comment here')
    requireOwnerOrModerator(caller, comment.authorId)
    await queries.deleteComment(transaction, commentId)
    await countOne(transaction, parent, targetId, -1)
    return { id: commentId }
  })
}

async function countOne(db: Transaction, parent: Commentable, targetId: string, delta: 1 | -1): Promise<void> {
  await parent.addComments(db, targetId, delta)
  await addToEntry(db, targetId, { commentCount: delta })
}

/** A page of comments, oldest first; throws `not_found` when there is no such parent. */
export async function commentPage(
  db: Db,
  parent: Commentable,
  targetId: string,
  { page, per_page }: { page: number; per_page: number },
): Promise<{ items: Comment[]; hasMore: boolean; total: number }> {
  const total = await parent.countComments(db, targetId)
  const offset = page * per_page
  const items = await queries.listComments(db, { targetType: parent.type, targetId }, { offset, limit: per_page })
  return { items, hasMore: offset + items.length < total, total }
}
