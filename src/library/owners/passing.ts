// An item that goes to another account, with the bytes that it counts for, its entries and totals.
import { moveStoredBytes } from '../../budgets/queries.ts'
import { reassignEntry } from '../../content/feed/feed.ts'
import type { MembershipTable, Transaction } from '../../database/schema.ts'
import { changeAuthor } from '../../search/indexing.ts'
import { recountItem, setOwnerName } from '../indexing-queries.ts'
import * as queries from '../queries.ts'
import { deleteMembership } from './queries.ts'

/** Gives a locked item to another account, with the bytes that it counts for. */
export async function reassignItem(
  db: Transaction,
  item: queries.StoredItem,
  { ownerId, heldSince = null }: { ownerId: string; heldSince?: string | null },
): Promise<void> {
  await moveStoredBytes(db, { from: item.ownerId, to: ownerId, bytes: await queries.sumSizes(db, item.id) })
  await queries.updateItem(db, item.id, { ownerId, heldSince })
  if (!item.gallery) await setOwnerName(db, item.rowId, ownerId)
  if (!item.gallery) await reassignEntry(db, item.id, ownerId)
  const indexed = { ...item, tags: [] }
  await recountItem(db, indexed, { ...indexed, ownerId })
  if (!item.gallery) await changeAuthor(db, [item.id], ownerId)
}

/** Gives a locked item to another one of its owners, who has been that for some time. */
export async function passOn(db: Transaction, item: queries.StoredItem, to: MembershipTable): Promise<void> {
  await deleteMembership(db, to)
  await reassignItem(db, item, { ownerId: to.accountId, heldSince: to.since })
}
