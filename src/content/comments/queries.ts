// Comments as they are stored: one table for every kind of parent.
import type { CommentTable, Db, Transaction } from '../../database/schema.ts'
import { type Ids, type PageWindow, selectIds } from '../listing-queries.ts'

type Parent = Pick<CommentTable, 'targetType' | 'targetId'>

export async function insertComment(db: Transaction, comment: CommentTable): Promise<void> {
  await db.insertInto('comment').values(comment).execute()
}

export function findComment(db: Db, { targetType, targetId }: Parent, id: string) {
  return db
    .selectFrom('comment')
    .select(['id', 'authorId'])
    .where('id', '=', id)
    .where('targetType', '=', targetType)
    .where('targetId', '=', targetId)
    .executeTakeFirst()
}

/** Removes a comment; false when somebody else just did. */
export async function deleteComment(db: Transaction, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('comment').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

/** Removes every comment on a parent that is going away. */
export async function deleteComments(db: Transaction, { targetType, targetId }: Parent): Promise<void> {
  await db.deleteFrom('comment').where('targetType', '=', targetType).where('targetId', '=', targetId).execute()
}

/** The ids of the comments on what has this id, newest first or the other way round. */
export function scanComments(db: Db, { targetId }: Parent, pageWindow: PageWindow) {
  return selectIds(db, { table: 'comment', within: ['targetId', targetId], sort: 'latest' }, pageWindow)
}

/** The comments of a kind with these ids, oldest first. */
export function commentsById(db: Db, ids: Ids, { targetType }: Parent) {
  return db
    .selectFrom('comment')
    .leftJoin('user as author', 'author.id', 'comment.authorId')
    .select([
      'comment.id',
      'comment.authorId',
      'author.username as authorUsername',
      'comment.body',
      'comment.createdAt',
    ])
    .where('comment.id', 'in', ids)
    .where('comment.targetType', '=', targetType)
    .orderBy('comment.createdAt')
    .orderBy('comment.id')
}
