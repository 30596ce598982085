// Items as their owners change them: the item is locked, and who may is decided under the lock.
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { noSuchItem, type StoredItem } from '../queries.ts'
import { assertNotOfGallery, getVisible, lockItemFor } from '../record.ts'
import { canSee, type ItemRole, isOwner } from '../rules.ts'

export type HeldItem = StoredItem & { role: ItemRole | undefined }

const forbidden = () => new Problem('forbidden', 'Only its owners can do this')

/** What is refused without a lock: an item that the caller does not see, one of the gallery. */
export async function assertOpen(context: Context<Caller>, id: string): Promise<void> {
  assertNotOfGallery(await getVisible(context, { id }))
}

/** Locks an item for a change, and counts the call. `isOwn` lets the caller change what is their own. */
export async function lockOwned(
  db: Transaction,
  { caller, budget }: Pick<Context<Caller>, 'caller' | 'budget'>,
  { id, isOwn = false }: { id: string; isOwn?: boolean },
): Promise<HeldItem> {
  const item = await lockItemFor(db, caller, id)
  if (!canSee(caller, item)) throw noSuchItem()
  if (!isOwner(caller, item) && !isOwn) throw forbidden()
  await budget.spend(db)
  return item
}
