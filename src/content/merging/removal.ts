// What goes with a thing that is removed: what was merged into it, also where that is still on its way.
import type { Transaction } from '../../database/schema.ts'
import { deleteFeedback } from '../about/queries.ts'
import { deleteComments } from '../comment-rows/queries.ts'
import { deleteFullTexts } from '../imported/queries.ts'
import * as queries from '../merged/queries.ts'
import { recordGone } from '../notifications/events.ts'
import { deleteStatusChanges } from '../rows/revision-queries.ts'
import { markImagesGone } from '../text-images/queries.ts'
import { deleteThreads } from '../threads/queries.ts'
import { deleteVotes } from '../votes/queries.ts'

/** Forgets what was merged into a thing that is locked; gives the ids under which the search has comments still. */
export async function removeMerged(
  db: Transaction,
  { targetType, targetId }: { targetType: string; targetId: string },
  now: string,
): Promise<string[]> {
  await queries.forgetUndos(db, targetId)
  const merged = await queries.deleteMerged(db, targetId)
  if (merged.length === 0) return []
  const ids = merged.map(({ id }) => id)
  await queries.deleteParts(db, ids)
  await deleteStatusChanges(db, ids)
  await deleteThreads(db, ids)
  await deleteFeedback(db, ids)
  for (const id of ids) await deleteFullTexts(db, { targetType, targetId: id })
  await markImagesGone(db, ids)
  const pending = merged.flatMap(({ id, doneAt }) => (doneAt === null ? id : []))
  for (const id of pending) {
    await deleteComments(db, { targetType, targetId: id })
    await deleteVotes(db, id)
    await recordGone(db, { type: targetType, id, isSeen: false }, now)
  }
  return pending
}
