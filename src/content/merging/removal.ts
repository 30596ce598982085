// What happens to what was merged into a thing when the thing is removed, also where that is still on its way. And how its texts are hidden.
import { DELETED_TEXT } from '../../contract/no-account.ts'
import type { Transaction } from '../../database/schema.ts'
import { deleteFeedback } from '../about/queries.ts'
import { deleteComments } from '../comment-rows/queries.ts'
import { deleteFullTexts } from '../imported/queries.ts'
import * as queries from '../merged/queries.ts'
import { lockMerged } from '../merged/undo-queries.ts'
import { recordGone } from '../notifications/events.ts'
import { deleteRevisions, deleteStatusChanges } from '../rows/revision-queries.ts'
import { markImagesGone } from '../text-images/queries.ts'
import type { HideableKind, Mergeable } from '../things.ts'
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

/** Hiding the texts of merged things: with everything of an account alone, as moderators see no single one in their queue. */
export function hidingOfMerged(mergeables: readonly Mergeable[]): HideableKind {
  const lock: HideableKind['lock'] = async (db, id) => {
    for (const mergeable of mergeables) {
      const found = await lockMerged(db, mergeable, id)
      if (found) return found
    }
    return undefined
  }
  return {
    type: 'merged',
    find: async () => undefined,
    lock,
    listIdsOf: queries.listIdsOf,
    async setHidden(db, id, { hidden }) {
      const merged = await queries.updateHidden(db, id, hidden)
      await mergeables.find(({ type }) => type === merged.type)?.indexAll(db, [merged.targetId])
    },
    // Its number and its address still lead to the target.
    async remove(db, id) {
      await deleteRevisions(db, id)
      await queries.updateMerged(db, id, { title: DELETED_TEXT, text: DELETED_TEXT, revisionCount: 0, record: null })
      return []
    },
  }
}
