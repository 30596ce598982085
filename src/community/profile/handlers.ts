// Handlers for profiles, their pictures, and the posts on them.

import { hash } from 'node:crypto'
import { lockStoredBytes, updateAvatarBytes } from '../../budgets/queries.ts'
import type { Config } from '../../config/config.ts'
import { entriesAsShown, entriesOf, kindsOff } from '../../content/feed/pages.ts'
import { readPicture } from '../../content/pictures.ts'
import { isReserved } from '../../content/reserved-names.ts'
import { pictureAnswer } from '../../content/serving-pictures.ts'
import { Problem } from '../../contract/problem.ts'
import { asLevel } from '../../contract/trust.ts'
import {
  findUserByUsername,
  getUser,
  isBlocked,
  updateAvatar,
  updateIndexed,
  updateUsername,
} from '../../identity/account-queries.ts'
import { avatarUrl } from '../../identity/rules.ts'
import { boundsOf, type Handlers } from '../../request/handler.ts'
import { storeThenInsert } from '../../storage/blob-lifecycle.ts'
import { hashedType, readHashedType } from '../../storage/blobs.ts'
import type { avatars, profile } from './contract.ts'
import { readDetails, upsertProfile } from './queries.ts'

export const handlers: Handlers<typeof profile> = {
  async me({ db, caller, config }) {
    const user = await getUser(db, caller.id)
    return {
      id: user.id,
      username: user.username,
      name: user.name,
      avatarUrl: avatarUrl(user),
      ...boundsOf(caller),
      ...trustOf(config, user),
    }
  },

  async get({ db, caller }) {
    const { name } = await getUser(db, caller.id)
    return { name, ...(await readDetails(db, caller.id)) }
  },

  async update({ db, caller, now }, { name, ...details }) {
    await db.transaction().execute(async (transaction) => {
      await updateIndexed(transaction, caller.id, { name, updatedAt: now })
      await upsertProfile(transaction, caller.id, details)
    })
    return { name, ...details }
  },

  async setUsername({ db, caller, now }, { username }) {
    const own = username.toLowerCase() === caller.username?.toLowerCase()
    // Taken and reserved look the same, and are 400 rather than 409 (interface.md, section 4).
    if ((!own && isReserved(username)) || !(await updateUsername(db, caller.id, { username, now }))) {
      throw new Problem('invalid_request', 'username: is taken; choose another')
    }
    return { username }
  },

  async show(context, { username, ...input }) {
    const { db } = context
    const user = await findUserByUsername(db, username)
    if (!user?.username || user.blockedAt) throw new Problem('not_found', 'No such user')
    const { id, name, role, createdAt } = user
    const [details, entries] = await Promise.all([
      readDetails(db, id),
      entriesOf(db, { authorId: id, without: kindsOff(context) }, input),
    ])
    const items = await entriesAsShown(context, entries.items)
    const known = { id, username: user.username, name, avatarUrl: avatarUrl(user), role, createdAt }
    const trusted = { ...known, ...trustOf(context.config, user) }
    return { ...trusted, ...details, entries: { ...entries, items } }
  },
}

/** The level of an account as a field; none where levels are off. */
const trustOf = ({ trust: rule }: Pick<Config, 'trust'>, { trust }: { trust: number }) =>
  rule ? { trust: asLevel(trust) } : {}

/** In px: pages show pictures at 24, 48 and 96 px, on screens with two pixels to one. */
const MAX_EDGE = 192

const avatarKey = (userId: string) => `avatars/${userId}`

export const avatarHandlers: Handlers<typeof avatars> = {
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
