// Comments as they are stored: one table for every kind of parent.
import { among, countRows, locking } from '../../database/engine.ts'
import { type Bind, pipeline, prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { CommentTable, Db, Transaction } from '../../database/schema.ts'
import { addToCount, countOf } from '../counter-queries.ts'
import { deleteHistory } from '../rows/revision-queries.ts'
import { authorBlockedAt, idsByAuthor } from '../rows/row-queries.ts'
import type { ViaColumn } from '../via.ts'

type Target = Pick<CommentTable, 'targetType' | 'targetId'>
export type NewComment = Pick<
  CommentTable,
  'id' | 'targetType' | 'targetId' | 'parentId' | 'authorId' | 'body' | 'createdAt'
> &
  ViaColumn

export function insertComment(db: Transaction, comment: NewComment): Promise<void> {
  const none = {
    editedAt: null,
    revisionCount: 0,
    hidden: 0,
    replyCount: 0,
    score: 0,
    thumbs_up: 0,
    heart: 0,
    hooray: 0,
    laugh: 0,
    confused: 0,
    eyes: 0,
  }
  const thread = comment.parentId ?? comment.targetId
  return pipeline(db, db.insertInto('comment').values({ ...comment, ...none, thread }))
}

const selected = (db: Db, id: string) =>
  db
    .selectFrom('comment')
    .select(['id', 'targetType', 'targetId', 'authorId', 'parentId', 'replyCount', 'createdAt', 'body'])
    .select(['editedAt', 'revisionCount', 'thread', 'hidden', 'viaClientId'])
    .select(authorBlockedAt('comment.authorId'))
    .where('id', '=', id)
const byId = prepared((db, given: Bind<{ id: string }>) => selected(db, given('id')))
const locked = prepared((db, given: Bind<{ id: string }>) => locking(db, selected(db, given('id'))))

export type FoundComment = NonNullable<Awaited<ReturnType<typeof findComment>>>

/** Where a comment is, if there is one, hidden or not. */
export const findComment = async (db: Db, id: string) => (await byId(db, { id })).rows[0]

/** The same, locked until the transaction ends. */
export const findLockedComment = async (db: Transaction, id: string) => (await locked(db, { id })).rows[0]

/** Changes the text of a comment that is locked, and counts the revision. */
export async function updateBody(
  db: Transaction,
  { id, body, editedAt }: Pick<CommentTable, 'id' | 'body' | 'editedAt'>,
) {
  await db
    .updateTable('comment')
    .set((comment) => ({ body, editedAt, revisionCount: comment('revisionCount', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Some comments on a thing that show, after one, in the order of their ids: for what the search has of them. */
export const listShownOn = (
  db: Db,
  {
    targetType,
    targetId,
    after,
    limit,
  }: Pick<CommentTable, 'targetType' | 'targetId'> & { after: string; limit: number },
) =>
  db
    .selectFrom('comment')
    .select(['id', 'authorId', 'targetType', 'targetId', 'body', 'createdAt', 'viaClientId'])
    .where('targetId', '=', targetId)
    .where('targetType', '=', targetType)
    .where('hidden', '=', 0)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Those of these comments that show. */
export const listShownAmong = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('comment')
    .select(['id', 'authorId', 'targetType', 'targetId', 'body', 'createdAt', 'viaClientId'])
    .where('id', ...among(db, JSON.stringify(ids)))
    .where('hidden', '=', 0)
    .execute()

const deleteRow = inTransaction.deleteFrom('comment', 'id')

/** Removes a comment and its reactions: a distributed table has no references that would. */
export async function deleteComment(db: Transaction, id: string): Promise<void> {
  await pipeline(db, db.deleteFrom('reaction').where('commentId', '=', id))
  await deleteRow(db, id)
}

/** Some comments of an author, in the order of their ids. */
export function listCommentsBy(db: Db, authorId: string, limit: number) {
  return db
    .selectFrom('comment')
    .select(['id', 'targetType'])
    .where('authorId', '=', authorId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Gives some comments of an author to another one; gives their ids. */
export async function updateAuthors(
  db: Transaction,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<string[]> {
  const some = db.selectFrom('comment').select('id').where('authorId', '=', from).orderBy('id').limit(limit)
  const ids = (await locking(db, some).execute()).map(({ id }) => id)
  if (ids.length > 0)
    await db.updateTable('comment').set({ authorId: to, viaClientId: null }).where('id', 'in', ids).execute()
  return ids
}

export function addReplies(db: Transaction, id: string, delta: number): Promise<void> {
  const comments = db.updateTable('comment').set((comment) => ({ replyCount: comment('replyCount', '+', delta) }))
  return pipeline(db, comments.where('id', '=', id))
}

/** Makes the replies to a comment that is going away comments that reply to none. */
export async function releaseReplies(
  db: Transaction,
  { id, targetId, hidden }: Pick<FoundComment, 'id' | 'targetId' | 'hidden'>,
) {
  const replies = db.updateTable('comment').set({ parentId: null, thread: targetId })
  // Those to a hidden comment are listed as others are.
  const those = hidden === 0 ? replies.where('thread', '=', id) : replies.where('thread', '=', targetId)
  await those.where('parentId', '=', id).execute()
}

export async function updateHidden(db: Transaction, id: string, hidden: number): Promise<void> {
  await db.updateTable('comment').set({ hidden }).where('id', '=', id).execute()
}

/** Lists the replies to a comment that is hidden now as comments that reply to none. */
export async function liftReplies(db: Transaction, { id, targetId }: Pick<CommentTable, 'id' | 'targetId'>) {
  await db.updateTable('comment').set({ thread: targetId }).where('thread', '=', id).execute()
  await db.updateTable('comment').set({ replyCount: 0 }).where('id', '=', id).execute()
}

/**
 * Lists the replies to a comment under it again. What replied to one of them in the meantime replies to the comment now. Gives by how much
 * the number of replies that are not hidden changes.
 */
export async function lowerReplies(db: Transaction, { id, targetId }: Pick<CommentTable, 'id' | 'targetId'>) {
  const lifted = await db
    .selectFrom('comment')
    .select(['id', 'hidden', 'replyCount'])
    .where('thread', '=', targetId)
    .where('parentId', '=', id)
    .orderBy('id')
    .execute()
  if (lifted.length === 0) return 0
  const ids = among(db, JSON.stringify(lifted.map((reply) => reply.id)))
  const moved = db.updateTable('comment').set({ parentId: id, thread: id, replyCount: 0 })
  await moved.where('thread', ...ids).execute()
  await moved.where('id', ...ids).execute()
  // A hidden one among them has its replies listed as others are.
  const orphans = db.updateTable('comment').set({ parentId: id, thread: id }).where('thread', '=', targetId)
  await orphans.where('parentId', ...ids).execute()
  const replyCount = await countRows(db.selectFrom('comment').where('thread', '=', id).where('hidden', '=', 0))
  await db.updateTable('comment').set({ replyCount }).where('id', '=', id).execute()
  return replyCount - lifted.reduce((sum, reply) => sum + reply.replyCount, 0)
}

/** Ids of an account's comments, in order, hidden or not. */
export const listIdsOf = idsByAuthor('comment')

/** Removes every comment on what is going away, and the history of both. */
export async function deleteComments(db: Transaction, on: Target): Promise<void> {
  const { targetType, targetId } = on
  const comments = db.selectFrom('comment').select('id')
  const gone = comments.where('targetType', '=', targetType).where('targetId', '=', targetId)
  await pipeline(db, db.deleteFrom('reaction').where('commentId', 'in', gone))
  await db.deleteFrom('comment').where('targetType', '=', targetType).where('targetId', '=', targetId).execute()
  await deleteHistory(db, targetId)
  const replies = await countReplies(db, on)
  if (replies > 0) await addToCount(db, repliesOf(on), -replies)
}

/** Their counter. */
export const repliesOf = ({ targetType, targetId }: Target) => ({
  kind: 'reply',
  groups: [`${targetType}/${targetId}`],
  facets: [],
})

export const countReplies = (db: Db, { targetType, targetId }: Target): Promise<number> =>
  countOf(db, { kind: 'reply', group: `${targetType}/${targetId}` })
