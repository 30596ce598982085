// Comments on a merged thing go over to its target, a thread at a time.
import { among } from '../../database/engine.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Move } from '../merging/rules.ts'

/** What is listed under the merged thing, hidden or not, with the number of replies to each, oldest first. */
export const listThreads = (db: Transaction, { from, limit }: Move) =>
  db
    .selectFrom('comment')
    .select(['id', 'replyCount', 'hidden'])
    .where('thread', '=', from)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Moves whole threads; gives the replies in them. */
export async function moveThreads(db: Transaction, roots: readonly string[], to: string) {
  const threads = among(db, JSON.stringify(roots))
  const replies = db.updateTable('comment').set({ targetId: to }).where('thread', 'in', threads)
  const moved = await replies.returning(['id', 'hidden']).execute()
  await db.updateTable('comment').set({ targetId: to, thread: to }).where('id', 'in', threads).execute()
  return moved
}
