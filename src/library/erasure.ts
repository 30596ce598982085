// The erasure of the items of an account, in the order of ../erasure.ts: what it published for teams goes on before it leaves them. An owner may
// delete an item at any time, also one that others depend on, and so may the erasure. Other steps are beside what they erase.
import { isRemoved } from '../content/hiding/rules.ts'
import { recordGone } from '../content/notifications/events.ts'
import { DELETED_USER } from '../contract/no-account.ts'
import type { Db } from '../database/schema.ts'
import { ERASURE_BATCH, type ErasureStep } from '../identity/erasure.ts'
import { timestamp } from '../runtime/clock.ts'
import { removeItem } from './changing/changes.ts'
import { cleanUpDownloads } from './downloads/downloads.ts'
import { passToNext, reassignItem } from './holders/holding.ts'
import { deleteEmptyCounts } from './items/indexing-queries.ts'
import { findLockedItem, listIdsOf } from './items/queries.ts'
import { item as subject } from './items/subject.ts'
import { cleanUpOutcomes } from './outcomes/counting.ts'
import { deleteExpired } from './owners/erasure.ts'
import { deleteOldUploads } from './publishing/rate.ts'

/**
 * Private items are deleted; public ones stay with all their versions, without their owner, unless the account deletes what it wrote. An
 * item with another owner goes to that one, and one of a team to another of its people.
 */
export const itemErasure: ErasureStep = {
  name: 'items',
  part: 'content',
  clears: ['libraryItem.ownerId', 'itemText.owner', 'feedEntry.authorId', 'searchDocument.authorId'],
  async erase({ db, clock }, account) {
    const ids = await listIdsOf(db, { authorId: account.id, after: '', limit: ERASURE_BATCH })
    const now = timestamp(clock.now())
    for (const id of ids) {
      await db.transaction().execute(async (transaction) => {
        const item = await findLockedItem(transaction, id)
        if (item?.ownerId !== account.id) return
        if ((await passToNext(transaction, item)) !== undefined) return
        const isKept = item.visibility !== 'private' && !isRemoved(item) && account.content === 'anonymise'
        if (isKept) return reassignItem(transaction, item, { ownerId: DELETED_USER })
        await recordGone(transaction, { type: subject.type, id, isSeen: item.listed === 1 }, now)
        await removeItem(transaction, item)
      })
    }
    return ids.length === ERASURE_BATCH
  },
}

/** Forgets uploads that no longer count and tags that nothing carries. */
export async function cleanUp(db: Db, now: string): Promise<void> {
  await deleteOldUploads(db, now)
  await cleanUpDownloads(db, now)
  await cleanUpOutcomes(db, now)
  await deleteEmptyCounts(db)
  await deleteExpired(db, now)
}
