// What other slices may do with orgs of the gallery.
import { lockStoredBytesOf } from '../../budgets/queries.ts'
import { deleteComments } from '../../content/comments/removal.ts'
import type { GalleryItems } from '../../content/gallery.ts'
import { recordModeration } from '../../content/moderation.ts'
import { recordGone } from '../../content/notifications/events.ts'
import { withdraw } from '../../content/publication.ts'
import { deleteSlug } from '../../content/slugs.ts'
import { removeObjects } from '../../content/stored-files.ts'
import { lockPermitted } from '../../content/subject-handlers.ts'
import { locksRows } from '../../database/engine.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { listImageKeys } from './images/queries.ts'
import { listStorers, store } from './queries.ts'
import { listRunFileKeys } from './runs/queries.ts'
import { orgActions } from './subject.ts'

export { isDefinitionUsed, listOrgDocuments } from './queries.ts'

/** Removes the org of this id with its comments, votes, images and runs, for its owner and for moderators. */
export type RemoveOrg = (context: Context<Caller>, id: string, reason: string | null) => Promise<void>

export const orgRemoval =
  (library: GalleryItems): RemoveOrg =>
  async (context, id, reason) => {
    const keys = await context.db.transaction().execute(async (transaction) => {
      const { caller } = context
      const org = await lockPermitted(store, { db: transaction, id, action: 'delete', caller })
      const detail = { name: org.name, slug: org.slug }
      await recordModeration(transaction, context, { action: orgActions.delete, on: org, reason, detail })
      const keys = await removeRows(transaction, org)
      await recordGone(transaction, { type: 'org', id: org.id }, context.now)
      // Last, as the counts of items are (ARCHITECTURE.md, Data).
      await library.removeGalleryOrg(transaction, id)
      return keys
    })
    await removeObjects(context, keys)
  }

/** Gives the keys of the stored files that no row names any more. */
async function removeRows(db: Transaction, org: Awaited<ReturnType<typeof store.lock>>): Promise<string[]> {
  if (locksRows(db)) await lockStoredBytesOf(db, await listStorers(db, org))
  const keys = [...(await listImageKeys(db, org.id)), ...(await listRunFileKeys(db, org.id))]
  await store.remove(db, org)
  await deleteComments(db, { targetType: 'org', targetId: org.id })
  await withdraw(db, org.id)
  await deleteSlug(db, 'org', org.id)
  return keys
}
