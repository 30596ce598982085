// Handlers for profiles and the posts on them.
import { entriesAsShown, entriesOf } from '../../content/feed/pages.ts'
import { isReserved } from '../../content/reserved-names.ts'
import { Problem } from '../../contract/problem.ts'
import { findUserByUsername, getUser, updateIndexed, updateUsername } from '../../identity/account-queries.ts'
import { avatarUrl } from '../../identity/rules.ts'
import { boundsOf, type Handlers } from '../../request/handler.ts'
import type { profile } from './contract.ts'
import { readDetails, upsertProfile } from './queries.ts'

export const handlers: Handlers<typeof profile> = {
  async me({ db, caller }) {
    const user = await getUser(db, caller.id)
    return {
      id: user.id,
      username: user.username,
      name: user.name,
      avatarUrl: avatarUrl(user),
      ...boundsOf(caller),
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
    const [details, entries] = await Promise.all([readDetails(db, id), entriesOf(db, { authorId: id }, input)])
    const items = await entriesAsShown(context, entries.items)
    const known = { id, username: user.username, name, avatarUrl: avatarUrl(user), role, createdAt }
    return { ...known, ...details, entries: { ...entries, items } }
  },
}
