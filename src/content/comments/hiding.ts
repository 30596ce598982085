// How a comment is hidden: it leaves the counts of what it is on, of its thread and of the feed. Replies to it stay, listed as comments
// that reply to none, and hang under it again when it shows.

import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import { required } from '../../runtime/untyped.ts'
import { changeSearch } from '../../search/indexing.ts'
import * as queries from '../comment-rows/queries.ts'
import { hiddenBy, isHeldBack } from '../hiding/rules.ts'
import { recordComment, recordHidden, recordShown } from '../notifications/events.ts'
import { wasCommentSeen } from '../notifications/seen-events.ts'
import type { Commentable, HideableKind } from '../things.ts'
import { count, deleteLocked, isReply, lockComment, putComment } from './comments.ts'

/** `commentables` is everything that can be commented on. */
export function hidingOfComments(commentables: readonly Commentable[]): HideableKind {
  const byType = new Map(commentables.map((commentable) => [commentable.type, commentable]))
  const parentOf = ({ targetType }: { targetType: string }) => required(byType.get(targetType))
  return {
    type: 'comment',
    async find(db, id) {
      const comment = await queries.findComment(db, id)
      if (!comment) return undefined
      const { authorId, createdAt, hidden, body: text } = comment
      return { id, authorId, createdAt, hidden, title: '', text, url: `/community/comments/${id}` }
    },
    async lock(db, id) {
      const comment = await queries.findComment(db, id)
      return comment && lockComment(db, parentOf(comment), id)
    },
    listIdsOf: queries.listIdsOf,
    async setHidden(db, id, { hidden, now }) {
      const comment = required(await queries.findLockedComment(db, id))
      await queries.updateHidden(db, id, hidden)
      if ((comment.hidden === 0) === (hidden === 0)) return
      const parent = parentOf(comment)
      const { targetType: type, targetId } = comment
      if (hidden === 0) {
        // What was held before anyone saw it is new when it shows.
        const activeAt = isHeldBack(comment) ? now : comment.createdAt
        await count(db, parent, { targetId, comments: 1, replies: await hang(db, comment), activeAt })
        await putComment(db, parent, comment)
        await tell(db, parent, { comment, now })
      } else {
        await count(db, parent, { targetId, comments: -1, replies: await release(db, comment) })
        const isBlock = hidden === hiddenBy.block
        await recordHidden(db, { type, id: targetId, commentId: id, isSeen: true, isBlock }, now)
        await changeSearch(db, { removed: [id] })
      }
    },
    async remove(db, id, now) {
      const comment = required(await queries.findLockedComment(db, id))
      await deleteLocked(db, parentOf(comment), { comment, now })
      await changeSearch(db, { removed: [id] })
      return []
    },
    async isPlaceSeen(db, id) {
      const comment = await queries.findComment(db, id)
      if (!comment) return false
      return parentOf(comment)
        .findUrl(db, comment.targetId)
        .then(() => true)
        .catch((error: unknown) => {
          if (error instanceof Problem) return false
          throw error
        })
    },
  }
}

/** Takes a comment out of its thread. Gives by how much the number of replies changes. */
async function release(db: Transaction, comment: queries.FoundComment): Promise<number> {
  await queries.liftReplies(db, comment)
  if (isReply(comment)) await queries.addReplies(db, comment.thread, -1)
  return -comment.replyCount - (isReply(comment) ? 1 : 0)
}

/** Puts a comment back into its thread, with the replies to it. Gives by how much the number of replies changes. */
async function hang(db: Transaction, comment: queries.FoundComment): Promise<number> {
  if (isReply(comment)) {
    await queries.addReplies(db, comment.thread, 1)
    return 1
  }
  return queries.lowerReplies(db, comment)
}

/** What was held before anyone saw it is new when it shows. Of anything else webhooks alone tell that it is there again. */
async function tell(
  db: Transaction,
  parent: Commentable,
  { comment, now }: { comment: queries.FoundComment; now: string },
): Promise<void> {
  const { id: commentId, authorId, body, parentId, targetId } = comment
  const thing = await parent.describe?.(targetId)
  const act = { by: authorId, now, on: { type: parent.type, id: targetId } }
  if ((comment.hidden & hiddenBy.hold) === 0 || (await wasCommentSeen(db, commentId))) {
    return recordShown(db, act, { text: body, comment: { id: commentId, thing } })
  }
  const replied = parentId === null ? undefined : await queries.findComment(db, parentId)
  await recordComment(db, act, { commentId, body, repliedTo: replied?.authorId, thing })
}
