// What the library says of the caller. Each folder has the handlers of its other operations; operations.ts puts them together.
import { allScopes } from '../contract/scopes.ts'
import { getUser } from '../identity/account-queries.ts'
import { avatarUrl } from '../identity/avatar-url.ts'
import { boundsOf } from '../request/bounds.ts'
import type { Handlers } from '../request/handler.ts'
import type { items } from './contract.ts'

export const me: Handlers<typeof items>['me'] = async ({ db, caller }) => {
  const { id, name, username, email, ...rest } = await getUser(db, caller.id)
  // A session lists every scope (behaviour.md, section 4).
  const scopes = 'session' in caller.via ? [...allScopes] : [...caller.via.scopes]
  return {
    user: { id, name, username, email, image: avatarUrl({ id, ...rest }) },
    scopes,
    ...boundsOf(caller),
  }
}
