// Removes pictures whose thing is gone, and those that no text names after a day. And those of an account at its erasure: what belongs to
// a thing that stays goes to the deleted user with it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { moveStoredBytes } from '../../budgets/queries.ts'
import { DELETED_USER } from '../../contract/no-account.ts'
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { removeObjects } from '../stored-files.ts'
import * as queries from './queries.ts'
import { LOOSE_SECONDS } from './rules.ts'

const BATCH = 100

type CleanUpDependencies = Pick<Dependencies, 'db' | 'blobs' | 'log'>

/** What the drafts of an account name is read once for all its pictures: it costs what the drafts cost, however many pictures there are. */
export async function deleteLooseImages(dependencies: CleanUpDependencies, now: string): Promise<void> {
  const { db } = dependencies
  const before = after(now, -LOOSE_SECONDS)
  await forEachPage(
    () => queries.listGone(db, BATCH),
    (id) => deleteImage(dependencies, id),
  )
  const uploaders = (last: string) => queries.listLooseUploaders(db, before, { after: last, limit: BATCH })
  await forEachPage(uploaders, async (uploaderId) => {
    const drafted = queries.namedIn(await queries.listDrafted(db, uploaderId))
    const images = (last: string) => queries.listLooseOf(db, { uploaderId, before }, { after: last, limit: BATCH })
    await forEachPage(images, async (id) => {
      if (!drafted.has(id)) await deleteImage(dependencies, id)
    })
    // Other work comes between the accounts.
    await nextTurn()
  })
}

async function forEachPage(list: (after: string) => Promise<string[]>, work: (one: string) => Promise<void>) {
  for (let last = ''; ; ) {
    const found = await list(last)
    for (const one of found) await work(one)
    last = found.at(-1) ?? ''
    if (found.length < BATCH) return
  }
}

/** Each picture by itself, so that one transaction changes the stored bytes of one account. */
async function deleteImage(dependencies: CleanUpDependencies, id: string): Promise<void> {
  if (await queries.deleteDoomed(dependencies.db, id)) await removeObjects(dependencies, [queries.imageKey(id)])
}

/** After the steps that remove or keep what an account wrote. */
export const textImageErasure: ErasureStep = {
  name: 'text-images',
  part: 'content',
  clears: ['textImage.uploaderId'],
  async erase(dependencies, account) {
    const { db } = dependencies
    const found = await queries.listImagesBy(db, account.id, ERASURE_BATCH)
    for (const { id, thingId, size, gone } of found) {
      if (thingId === null || gone === 1) {
        await queries.deleteImage(db, id)
        await removeObjects(dependencies, [queries.imageKey(id)])
        continue
      }
      await db.transaction().execute(async (transaction) => {
        if (await queries.updateUploader(transaction, id, DELETED_USER))
          await moveStoredBytes(transaction, { from: account.id, to: DELETED_USER, bytes: size })
      })
    }
    return found.length === ERASURE_BATCH
  },
}
