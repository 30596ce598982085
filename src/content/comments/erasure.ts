// The erasure of an account's comments and reactions. A removed comment leaves the replies to it, as everywhere (comments.ts).

import { DELETED_USER } from '../../contract/no-account.ts'
import type { Transaction } from '../../database/schema.ts'
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { timestamp } from '../../runtime/clock.ts'
import { changeAuthor, changeSearch } from '../../search/indexing.ts'
import * as queries from '../comment-rows/queries.ts'
import { addReactions, deleteReaction, listReactionsBy } from '../comment-rows/reaction-queries.ts'
import type { Commentable } from '../things.ts'
import { deleteLocked, lockComment } from './comments.ts'

/** Reactions are deleted in both cases. */
export const reactionErasure: ErasureStep = {
  name: 'reactions',
  part: 'content',
  clears: ['reaction.userId'],
  erase: ({ db }, { id }) =>
    db.transaction().execute(async (transaction) => {
      const reactions = await listReactionsBy(transaction, id, ERASURE_BATCH)
      for (const row of reactions) {
        if (!(await queries.findLockedComment(transaction, row.commentId))) continue
        if (await deleteReaction(transaction, row)) await addReactions(transaction, row, -1)
      }
      return reactions.length === ERASURE_BATCH
    }),
}

type Place = Pick<Commentable, 'type' | 'findLockedAny' | 'addCounts'>

/** `places` are all that can be commented on. */
export function commentErasure(places: readonly Place[]): ErasureStep {
  const byType = new Map(places.map((place) => [place.type, place]))
  return {
    name: 'comments',
    part: 'content',
    clears: ['comment.authorId', 'searchDocument.authorId'],
    async erase({ db, clock }, { id, content }) {
      if (content === 'anonymise') return db.transaction().execute((transaction) => anonymise(transaction, id))
      const comments = await queries.listCommentsBy(db, id, ERASURE_BATCH)
      const now = timestamp(clock.now())
      for (const comment of comments) {
        const place = byType.get(comment.targetType)
        if (!place) throw new Error(`Comments on ${comment.targetType} cannot be erased`)
        await db.transaction().execute((transaction) => remove(transaction, place, { ...comment, now }))
      }
      return comments.length === ERASURE_BATCH
    },
  }
}

async function anonymise(db: Transaction, authorId: string): Promise<boolean> {
  const ids = await queries.updateAuthors(db, { from: authorId, to: DELETED_USER, limit: ERASURE_BATCH })
  if (ids.length > 0) await changeAuthor(db, ids, { authorId: DELETED_USER, viaClientId: null })
  return ids.length === ERASURE_BATCH
}

async function remove(db: Transaction, place: Place, { id, now }: { id: string; now: string }): Promise<void> {
  const comment = await lockComment(db, place, id)
  if (!comment) return
  await deleteLocked(db, place, { comment, now })
  await changeSearch(db, { removed: [id] })
}
