// An item that goes to another account or to a team, with the bytes that it counts for, its entries and totals.
import { moveStoredBytes } from '../../budgets/queries.ts'
import { reassignEntry } from '../../content/entries/entries.ts'
import { DELETED_USER } from '../../contract/no-account.ts'
import type { MembershipTable, Transaction } from '../../database/schema.ts'
import { changeAuthor } from '../../search/indexing.ts'
import { recountItem, setOwnerName } from '../items/indexing-queries.ts'
import * as queries from '../items/queries.ts'
import { deleteMembership, findNextOwner } from './owner-queries.ts'
import { findSuccessor } from './team-queries.ts'

interface Holder {
  ownerId: string
  heldSince?: string | null
  teamId?: string | null
}

/** Gives a locked item to another account, with the bytes that it counts for, and to a team where one is given. */
export async function reassignItem(
  db: Transaction,
  item: queries.StoredItem,
  { ownerId, heldSince = null, teamId = null }: Holder,
): Promise<void> {
  // What an erased account let an agent write is no agent's.
  const via = ownerId === DELETED_USER ? { viaClientId: null } : {}
  await queries.updateItem(db, item.id, { ownerId, heldSince, teamId, ...via })
  if (ownerId === item.ownerId) return
  await moveStoredBytes(db, { from: item.ownerId, to: ownerId, bytes: await queries.sumSizes(db, item.id) })
  const written = { authorId: ownerId, ...via }
  if (!item.gallery) await setOwnerName(db, item.rowId, ownerId)
  if (!item.gallery) await reassignEntry(db, item.id, written)
  const indexed = { ...item, tags: [] }
  await recountItem(db, indexed, { ...indexed, ownerId })
  if (!item.gallery) await changeAuthor(db, [item.id], written)
}

/** Gives a locked item to another one of its owners, who has been that for some time. */
async function passOn(db: Transaction, item: queries.StoredItem, to: Omit<MembershipTable, 'role'>): Promise<void> {
  await deleteMembership(db, to)
  await reassignItem(db, item, { ownerId: to.accountId, heldSince: to.since })
}

/** Gives a locked item on to the one who follows the account that it counts for; gives that one, or undefined where there is none. */
export async function passToNext(db: Transaction, item: queries.StoredItem): Promise<string | undefined> {
  const { id, ownerId, teamId, heldSince } = item
  if (teamId === null) {
    const next = await findNextOwner(db, id, ownerId)
    if (next) await passOn(db, item, next)
    return next?.accountId
  }
  const next = await findSuccessor(db, { teamId, accountId: ownerId })
  if (next) await reassignItem(db, item, { ownerId: next.accountId, heldSince: heldSince ?? item.createdAt, teamId })
  return next?.accountId
}
