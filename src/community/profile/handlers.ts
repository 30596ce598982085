import { avatarUrl, getUser, updateUsername } from '../../accounts/accounts.ts'
import { Problem } from '../../contract/problem.ts'
import type { Handlers } from '../../handler.ts'
import type { profile } from './contract.ts'
import { isReserved } from './rules.ts'

export const handlers: Handlers<typeof profile> = {
  async me({ db, caller }) {
    const user = await getUser(db, caller.id)
    return { id: user.id, username: user.username, name: user.name, avatarUrl: avatarUrl(user) }
  },

  async setUsername({ db, caller, now }, { username }) {
    const own = username.toLowerCase() === caller.username?.toLowerCase()
    // Taken and reserved look the same, and are 400 rather than 409 (interface.md, section 4).
    if ((!own && isReserved(username)) || !(await updateUsername(db, caller.id, username, now))) {
      throw new Problem('invalid_request', 'username: is taken; choose another')
    }
    return { username }
  },
}
