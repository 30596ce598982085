// The erasure of an account in what was merged: its texts, or its name alone, and whom the merge was by.

import { DELETED_TEXT, DELETED_USER } from '../../contract/no-account.ts'
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { deleteFullText } from '../imported/queries.ts'
import * as queries from '../merged/queries.ts'
import { deletePartsOf, lockMerged } from '../merged/undo-queries.ts'
import { forgetMergedTitle, forgetTitle } from '../notifications/erasure-queries.ts'
import { deleteRevisions } from '../rows/revision-queries.ts'
import type { Mergeable } from '../things.ts'
import { forgetTold } from '../webhooks/told-queries.ts'

/** What was merged keeps its place: the numbers and addresses of it lead to what it was merged into. */
export const mergedErasure = (mergeables: readonly Mergeable[]): ErasureStep => ({
  name: 'merged',
  part: 'content',
  clears: ['mergedThing.authorId', 'mergedThing.mergedBy', 'mergeUndo.undoneBy', 'mergedPart.partId'],
  async erase({ db }, account) {
    const found = await queries.listMergedBy(db, account.id, ERASURE_BATCH)
    const isDeleted = account.content === 'delete'
    const texts = { title: DELETED_TEXT, text: DELETED_TEXT, revisionCount: 0, record: null }
    for (const merged of found) {
      const { id } = merged
      await db.transaction().execute(async (transaction) => {
        const mergeable = mergeables.find(({ type }) => type === merged.type)
        if (!mergeable || !(await lockMerged(transaction, mergeable, id))) return
        if (isDeleted) {
          await deleteRevisions(transaction, id)
          await deleteFullText(transaction, id)
          await forgetTitle(transaction, id, DELETED_TEXT)
          await forgetMergedTitle(transaction, merged, DELETED_TEXT)
          await forgetTold(transaction, id)
          // Both where it was merged into one that was merged itself later.
          for (const into of new Set([merged.directId, merged.targetId]))
            await forgetTold(transaction, into, '%.merged')
        }
        await queries.updateMerged(transaction, id, { authorId: DELETED_USER, ...(isDeleted && texts) })
        if (isDeleted) await mergeable.indexAll(transaction, [merged.targetId])
      })
    }
    const renamed = await queries.updateMergers(db, { from: account.id, to: DELETED_USER, limit: ERASURE_BATCH })
    const parts = await deletePartsOf(db, account.id, ERASURE_BATCH)
    return [found.length, renamed, parts].includes(ERASURE_BATCH)
  },
})
