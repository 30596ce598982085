// By now the caller is known, not blocked and allowed, and the path is parsed: a handler only decides and remembers.
import { allScopes } from '../contract/scopes.ts'
import { getUser } from '../identity/account-queries.ts'
import { avatarUrl } from '../identity/avatar-url.ts'
import { boundsOf } from '../request/bounds.ts'
import type { Handlers } from '../request/handler.ts'
import type { items } from './contract.ts'
import type { discussingHandlers } from './discussing.ts'
import type { Counting } from './finding/artifact.ts'
import { findingHandlers, type Readers, readingHandlers } from './finding/handlers.ts'
import { deletionBy, type RemoveOrg } from './publishing/deleting.ts'
import { type Publishing, publishingHandlers } from './publishing/handlers.ts'
import { updateBy } from './publishing/updating.ts'

/**
 * All but votes and comments, which are in discussing.ts. Orgs of the gallery are removed by the gallery, which is handed in: it knows
 * what else is on them.
 */
export function libraryHandlers(
  given: Publishing & { removeOrg: RemoveOrg } & Readers & Counting,
): Omit<Handlers<typeof items>, keyof typeof discussingHandlers> {
  return {
    ...findingHandlers,
    ...readingHandlers(given),
    ...publishingHandlers(given),
    update: updateBy(given.showing),
    delete: deletionBy(given.removeOrg),

    async me({ db, caller }) {
      const { id, name, username, email, ...rest } = await getUser(db, caller.id)
      // A session lists every scope (behaviour.md, section 4).
      const scopes = 'session' in caller.via ? [...allScopes] : [...caller.via.scopes]
      return {
        user: { id, name, username, email, image: avatarUrl({ id, ...rest }) },
        scopes,
        ...boundsOf(caller),
      }
    },
  }
}
