// Handlers for the picture of a profile.
import { hash } from 'node:crypto'
import { lockStoredBytes, updateAvatarBytes } from '../../budgets/queries.ts'
import { readPicture } from '../../content/pictures.ts'
import { pictureAnswer } from '../../content/serving-pictures.ts'
import { Problem } from '../../contract/problem.ts'
import { isBlocked, updateAvatar } from '../../identity/account-queries.ts'
import type { Handlers } from '../../request/handler.ts'
import { storeThenInsert } from '../../storage/blob-lifecycle.ts'
import { hashedType, readHashedType } from '../../storage/hashed-type.ts'
import type { avatars } from './avatar-contract.ts'

/** In px: pages show pictures at 24, 48 and 96 px, on screens with two pixels to one. */
const MAX_EDGE = 192

const avatarKey = (userId: string) => `avatars/${userId}`

export const handlers: Handlers<typeof avatars> = {
  async set({ db, blobs, caller, now, budget, worker }, _input, readForm) {
    const [file] = (await readForm()).files.avatar
    const { bytes, contentType } = await readPicture(file, worker(), MAX_EDGE)
    const key = avatarKey(caller.id)
    const sha256 = hash('sha256', bytes)
    const picture = { name: key, keep: () => blobs.objects.put(key, bytes, hashedType(contentType, sha256)) }
    await storeThenInsert(db, picture, async (transaction) => {
      await updateAvatar(transaction, caller.id, { now, sha256 })
      const { avatarBytes } = await lockStoredBytes(transaction, caller.id)
      await budget.spend(transaction, bytes.byteLength - avatarBytes)
      await updateAvatarBytes(transaction, caller.id, bytes.byteLength)
    })
    return { avatarKey: key, updatedAt: now }
  },

  async show(context, { userId, width }) {
    const key = avatarKey(userId)
    const found = (await isBlocked(context.db, userId)) ? undefined : await context.blobs.objects.get(key)
    if (!found) throw new Problem('not_found', 'No such picture')
    const { bytes } = found
    const { contentType } = readHashedType(found.contentType)
    // The key outlives the picture, so that only its bytes can tell one from another.
    const image = { id: hash('sha256', bytes), contentType, size: bytes.byteLength }
    return pictureAnswer(context, { key, image, width, bytes })
  },
}
