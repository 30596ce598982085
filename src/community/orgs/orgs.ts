// What other slices may do with orgs of the gallery.
import { lockStoredBytesOf } from '../../budgets/queries.ts'
import { requireOwnerOrModerator } from '../../content/access.ts'
import { deleteComments } from '../../content/comments/comments.ts'
import { recordModeration } from '../../content/moderation.ts'
import { withdraw } from '../../content/publication.ts'
import { deleteSlug } from '../../content/slugs/slugs.ts'
import { removeObjects } from '../../content/stored-files.ts'
import { locksRows } from '../../database/engine.ts'
import type { OrgUploadTable, Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { listImageKeys } from './images/queries.ts'
import { unlist } from './library-listing.ts'
import { deleteOrg, listStorers, lockOrg } from './queries.ts'
import { listRunFileKeys } from './runs/queries.ts'

export { isDefinitionUsed } from './queries.ts'

/** Removes the org of this id with everything that hangs on it, for its owner and for moderators. */
export async function removeOrg(context: Context<Caller>, id: string, reason: string | null = null): Promise<void> {
  const keys = await context.db.transaction().execute(async (transaction) => {
    const org = await lockOrg(transaction, id)
    const { authorId, name, slug } = org
    requireOwnerOrModerator(context.caller, authorId)
    const detail = { name, slug }
    await recordModeration(transaction, context, { action: 'org.delete', targetId: id, authorId, reason, detail })
    return removeRows(transaction, org)
  })
  await removeObjects(context, keys)
}

/** Gives the keys of the stored files that no row names any more. */
async function removeRows(db: Transaction, org: Pick<OrgUploadTable, 'id' | 'authorId'>): Promise<string[]> {
  if (locksRows(db)) await lockStoredBytesOf(db, await listStorers(db, org))
  const keys = [...(await listImageKeys(db, org.id)), ...(await listRunFileKeys(db, org.id))]
  await deleteOrg(db, org)
  await deleteComments(db, { targetType: 'org', targetId: org.id })
  await withdraw(db, org.id)
  await deleteSlug(db, 'org', org.id)
  // Last, as the counts of items are (ARCHITECTURE.md, Data).
  await unlist(db, org.id)
  return keys
}
