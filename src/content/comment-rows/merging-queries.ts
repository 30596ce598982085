// Comments on a merged thing go over to its target, a thread at a time, and back where the merge is undone.
import { among } from '../../database/engine.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Move } from '../merged/rules.ts'

/** What is listed under the merged thing, hidden or not, with the number of replies to each, oldest first. */
export const listThreads = (db: Transaction, { from, limit }: Move) =>
  db
    .selectFrom('comment')
    .select(['id', 'replyCount', 'hidden', 'createdAt'])
    .where('thread', '=', from)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Moves whole threads; gives the replies in them. */
export async function moveThreads(db: Transaction, roots: readonly string[], to: string) {
  const threads = among(db, JSON.stringify(roots))
  const replies = db
    .updateTable('comment')
    .set({ targetId: to })
    .where('thread', ...threads)
  const moved = await replies.returning(['id', 'hidden', 'createdAt']).execute()
  await db
    .updateTable('comment')
    .set({ targetId: to, thread: to })
    .where('id', ...threads)
    .execute()
  return moved
}

/** These comments on a thing with what they are in a thread with: what one replies to, and what replies to that. */
export async function listAround(db: Transaction, { from, ids }: { from: string; ids: readonly string[] }) {
  const on = db.selectFrom('comment').select(['id', 'parentId', 'thread', 'hidden']).where('targetId', '=', from)
  const found = await on.where('id', ...among(db, JSON.stringify(ids))).execute()
  const heads = among(db, JSON.stringify([...new Set(found.map(({ id, parentId }) => parentId ?? id))]))
  const around = on.where((e) => e.or([e('id', ...heads), e('parentId', ...heads)]))
  return around.execute()
}

/** Moves comments, of which those that were listed under one thing are listed under the other. */
export async function moveComments(
  db: Transaction,
  { from, to }: Omit<Move, 'limit'>,
  ids: readonly string[],
): Promise<void> {
  const those = among(db, JSON.stringify(ids))
  await db
    .updateTable('comment')
    .set({ targetId: to })
    .where('id', ...those)
    .execute()
  const listed = db
    .updateTable('comment')
    .set({ thread: to })
    .where('id', ...those)
  await listed.where('thread', '=', from).execute()
}
