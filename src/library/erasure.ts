// The erasure of an account's items. Private ones are deleted; public ones stay with all their versions, without their owner, unless
// the account deletes what it wrote; an item with another owner goes to that one, and one of a team to another of its people. An owner may delete an item at any time, also one that others depend on, and so may the erasure.
import { isRemoved } from '../content/hiding/rules.ts'
import { recordGone } from '../content/notifications/events.ts'
import { moveKeptSlugs } from '../content/slugs.ts'
import { DELETED_USER } from '../contract/deleted-user.ts'
import { ERASURE_BATCH, type ErasureStep } from '../identity/erasure.ts'
import { timestamp } from '../runtime/clock.ts'
import { passToNext, reassignItem } from './owners/passing.ts'
import { removeItem } from './publishing/changes.ts'
import { deleteUploadsOf } from './publishing/queries.ts'
import * as queries from './queries.ts'
import { item as subject } from './subject.ts'

export const itemErasure: ErasureStep = {
  name: 'items',
  part: 'content',
  clears: ['libraryItem.ownerId', 'itemText.owner', 'feedEntry.authorId', 'searchDocument.authorId'],
  async erase({ db, clock }, account) {
    const ids = await queries.listIdsOf(db, { authorId: account.id, after: '', limit: ERASURE_BATCH })
    const now = timestamp(clock.now())
    for (const id of ids) {
      await db.transaction().execute(async (transaction) => {
        const item = await queries.findLockedItem(transaction, id)
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

/** Names that were kept for the account belong to no account from then on, and stay taken. */
export const slugErasure: ErasureStep = {
  name: 'slugs',
  part: 'account',
  clears: ['keptSlug.ownerId'],
  async erase({ db }, { id }) {
    return (await moveKeptSlugs(db, { from: id, to: DELETED_USER, limit: ERASURE_BATCH })) === ERASURE_BATCH
  },
}

/** The uploads of the last hour. */
export const uploadErasure: ErasureStep = {
  name: 'uploads',
  part: 'account',
  clears: ['libraryUpload.accountId'],
  async erase({ db }, { id }) {
    await deleteUploadsOf(db, id)
    return false
  },
}
