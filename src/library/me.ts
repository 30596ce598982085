// Tells clients of the library which account and scopes they act with.
import { getUser } from '../identity/account-queries.ts'
import { avatarUrl } from '../identity/avatar-url.ts'
import type { Handlers } from '../request/handler.ts'
import type { own } from './me-contract.ts'

export const me: Handlers<typeof own>['me'] = async ({ db, caller }) => {
  const { id, name, username, email, ...rest } = await getUser(db, caller.id)
  const scopes = 'session' in caller.via ? [...allScopes] : [...caller.via.scopes]
  return { user: { id, name, username, email, image: avatarUrl({ id, ...rest }) }, scopes }
}

/** A session lists every scope (behaviour.md, section 4). */
const allScopes = [
  ...['openid', 'profile', 'email', 'offline_access'],
  ...['community:read', 'community:write', 'library:read', 'library:write'],
]
