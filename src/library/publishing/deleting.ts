// The deletion of an item by its owners and by admins.

import { recordGone } from '../../content/notifications/events.ts'
import { recordModeration } from '../../content/reports/moderation.ts'
import { isOneOf } from '../../content/subject.ts'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { removeItem } from '../changing/changes.ts'
import type { publishing } from '../changing/contract.ts'
import { listDownloads } from '../items/download-total-queries.ts'
import { findItem, noSuchItem, type StoredItem } from '../items/queries.ts'
import { assertDeletable, canSee, ownedBy, permittedTo, weekBefore } from '../items/rules.ts'
import { itemActions, item as itemSubject } from '../items/subject.ts'
import { lockAnyItemFor, type SeenItem, withRoles } from '../records/record.ts'
import { wasPublic } from '../statements/logging.ts'
import { isUsed } from '../uses/user-queries.ts'

/** How the gallery takes one of its orgs away, with everything it has on it. */
export type RemoveOrg = (context: Context<Caller>, id: string, reason: string | null) => Promise<void>

const { permissions } = itemSubject
const forbidden = () => new Problem('forbidden', 'Only its owners can delete this item')

export const deletionBy =
  (removeOrg: RemoveOrg): Handlers<typeof publishing>['delete'] =>
  async (context, { id, reason }) => {
    const { db, caller } = context
    const [seen] = await withRoles<SeenItem>(
      db,
      caller,
      [await findItem(db, { id })].filter((item) => item !== undefined),
    )
    const mayDelete = seen && isOneOf(permissions.delete, caller, permittedTo(caller, seen))
    if (!seen || !(mayDelete || canSee(caller, seen))) throw noSuchItem()
    if (!mayDelete) throw forbidden()
    if (seen.gallery) await removeOrg(context, id, reason)
    else
      await db.transaction().execute(async (transaction) => {
        const item = await lockAnyItemFor(transaction, caller, id)
        if (!isOneOf(permissions.delete, caller, permittedTo(caller, item))) throw forbidden()
        if (caller.role !== 'admin' && (await wasPublic(transaction, item)))
          await assertUnused(context, transaction, item)
        await removeItem(transaction, item)
        await recordGone(transaction, { type: itemSubject.type, id, isSeen: item.listed === 1 }, context.now)
        const detail = { kind: item.kind, slug: item.slug }
        const act = { action: itemActions.delete, on: ownedBy(caller, item), name: item.name, reason, detail }
        await recordModeration(transaction, context, act)
      })
    return { id, deleted: true }
  }

/** Throws `conflict` where others may rely on the item. */
async function assertUnused({ now }: Context, db: Transaction, item: StoredItem): Promise<void> {
  const downloads = (await listDownloads(db, [item.id], weekBefore(now))).get(item.id)?.total ?? 0
  assertDeletable('This item', { createdAt: item.createdAt, downloads, isUsed: await isUsed(db, item) }, now)
}
