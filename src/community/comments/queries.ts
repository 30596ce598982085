// Comments as they are stored: one table for every kind of parent.
import type { CommentTable, Db, Transaction } from '../../database/schema.ts'

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

export async function deleteComment(db: Transaction, id: string): Promise<void> {
  await db.deleteFrom('comment').where('id', '=', id).execute()
}

/** Removes every comment on a parent that is going away. */
export async function deleteComments(db: Transaction, { targetType, targetId }: Parent): Promise<void> {
  await db.deleteFrom('comment').where('targetType', '=', targetType).where('targetId', '=', targetId).execute()
}

/** Oldest first. */
export function listComments(
  db: Db,
  { targetType, targetId }: Parent,
  { offset, limit }: { offset: number; limit: number },
) {
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
    .where('comment.targetType', '=', targetType)
    .where('comment.targetId', '=', targetId)
    .orderBy('comment.createdAt')
    .orderBy('comment.id')
    .limit(limit)
    .offset(offset)
    .execute()
}
