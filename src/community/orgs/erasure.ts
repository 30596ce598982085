// The erasure of an account's orgs in the gallery, with what it attached to those of others.
import { moveStoredBytes } from '../../budgets/queries.ts'
import { reassignEntry } from '../../content/entries/entries.ts'
import type { GalleryItems } from '../../content/gallery.ts'
import { isRemoved } from '../../content/hiding/rules.ts'
import { removeObjects } from '../../content/stored-files.ts'
import { DELETED_USER } from '../../contract/no-account.ts'
import type { Transaction } from '../../database/schema.ts'
import { ERASURE_BATCH, type ErasedAccount, type ErasureStep } from '../../identity/erasure.ts'
import { timestamp } from '../../runtime/clock.ts'
import { changeAuthor } from '../../search/indexing.ts'
import { listImagesBy, updateUploader } from './images/queries.ts'
import { takeAway } from './orgs.ts'
import { store } from './queries.ts'
import * as runs from './runs/queries.ts'

type Library = Pick<GalleryItems, 'removeGalleryOrg' | 'reassignGalleryOrg'>

/** In the order in which they must run. */
export const orgErasure = (library: Library): ErasureStep[] => [
  {
    name: 'orgs',
    part: 'content',
    clears: ['orgUpload.authorId', 'libraryItem.ownerId', 'feedEntry.authorId', 'searchDocument.authorId'],
    async erase(dependencies, account) {
      const { db, clock } = dependencies
      const ids = await store.listIdsOf(db, { authorId: account.id, after: '', limit: ERASURE_BATCH })
      const now = timestamp(clock.now())
      for (const id of ids) {
        const erasing = { id, account, now }
        const keys = await db.transaction().execute((transaction) => eraseOrg(transaction, library, erasing))
        await removeObjects(dependencies, keys)
      }
      return ids.length === ERASURE_BATCH
    },
  },
  runErasure,
  imageErasure,
]

/** Gives the keys of stored files that no row names any more. */
async function eraseOrg(
  db: Transaction,
  library: Library,
  { id, account, now }: { id: string; account: ErasedAccount; now: string },
): Promise<string[]> {
  const org = await store.findLockedAny(db, id)
  if (org?.authorId !== account.id) return []
  if (isRemoved(org) || account.content === 'delete') return takeAway(db, library, { org, now })
  await store.reassign(db, org, DELETED_USER)
  await reassignEntry(db, id, { authorId: DELETED_USER, viaClientId: null })
  await library.reassignGalleryOrg(db, id, DELETED_USER)
  await changeAuthor(db, [id], { authorId: DELETED_USER, viaClientId: null })
  return []
}

const runErasure: ErasureStep = {
  name: 'runs',
  part: 'content',
  clears: ['orgRun.authorId'],
  async erase(dependencies, account) {
    const { db } = dependencies
    const found = await runs.listRunsBy(db, account.id, ERASURE_BATCH)
    for (const { id, orgId } of found) {
      const keys = await db.transaction().execute(async (transaction) => {
        if (!(await store.findLockedAny(transaction, orgId))) return []
        const run = await runs.lockRun(transaction, orgId, id)
        if (isRemoved(run) || account.content === 'delete') {
          const files = await runs.listFileKeys(transaction, id)
          await runs.deleteRun(transaction, run)
          return files
        }
        const bytes = await runs.sumFileSizes(transaction, id)
        await moveStoredBytes(transaction, { from: account.id, to: DELETED_USER, bytes })
        await runs.updateRunAuthor(transaction, id, DELETED_USER)
        return []
      })
      await removeObjects(dependencies, keys)
    }
    return found.length === ERASURE_BATCH
  },
}

/** What is left are pictures in orgs that stay: they belong to the org. */
const imageErasure: ErasureStep = {
  name: 'images',
  part: 'content',
  clears: ['orgImage.uploaderId'],
  async erase({ db }, account) {
    const found = await listImagesBy(db, account.id, ERASURE_BATCH)
    for (const { id, orgId, size } of found) {
      await db.transaction().execute(async (transaction) => {
        if (!(await store.findLockedAny(transaction, orgId))) return
        await moveStoredBytes(transaction, { from: account.id, to: DELETED_USER, bytes: size })
        await updateUploader(transaction, id, DELETED_USER)
      })
    }
    return found.length === ERASURE_BATCH
  },
}
