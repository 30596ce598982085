// Removes pictures whose thing is gone, and those that no text names after a day. And those of an account at its erasure: what belongs to
// a thing that stays goes to the deleted user with it.
import { moveStoredBytes } from '../../budgets/queries.ts'
import { DELETED_USER } from '../../contract/deleted-user.ts'
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { removeObjects } from '../stored-files.ts'
import * as queries from './queries.ts'
import { LOOSE_SECONDS } from './rules.ts'

const BATCH = 100

/** Each picture by itself, so that one transaction changes the stored bytes of one account. */
export async function deleteLooseImages(
  dependencies: Pick<Dependencies, 'db' | 'blobs' | 'log'>,
  now: string,
): Promise<void> {
  const before = after(now, -LOOSE_SECONDS)
  for (;;) {
    const found = await queries.listDoomed(dependencies.db, before, BATCH)
    for (const { id } of found) {
      const isGone = await queries.deleteDoomed(dependencies.db, id)
      if (isGone) await removeObjects(dependencies, [queries.imageKey(id)])
    }
    if (found.length < BATCH) return
  }
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
