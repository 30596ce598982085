// By now the caller is known, not blocked and allowed, and the path is parsed: a handler only decides and remembers.
import type { Commentable } from '../content/comments/comments.ts'
import { commentHandlers, voteHandler } from '../content/discussion-handlers.ts'
import { rowsOf } from '../content/subject-row-queries.ts'
import { allScopes } from '../contract/scopes.ts'
import { getUser } from '../identity/account-queries.ts'
import { avatarUrl } from '../identity/avatar-url.ts'
import { boundsOf } from '../request/bounds.ts'
import type { Handlers } from '../request/handler.ts'
import type { items } from './contract.ts'
import type { Counting } from './finding/artifact.ts'
import { findingHandlers, type Readers, readingHandlers } from './finding/handlers.ts'
import { deletionBy, type RemoveOrg } from './publishing/deleting.ts'
import { type Publishing, publishingHandlers } from './publishing/handlers.ts'
import { updateBy } from './publishing/updating.ts'
import type { StoredItem } from './queries.ts'
import { pathOf } from './record.ts'
import { item } from './subject.ts'

/** Items with votes and comments of their own: everyone sees them, and they are not the gallery's. */
const discussed = rowsOf<StoredItem, 'visibility' | 'gallery'>(item, {
  by: ['visibility', 'gallery'],
  isHidden: (row) => row.visibility === 'private' || row.gallery === 1,
})

/** Every item that is not the gallery's, private ones included: for the erasure of votes and comments. */
export const allItems = rowsOf<StoredItem, 'gallery'>(item, { by: ['gallery'], isHidden: (row) => row.gallery === 1 })

/** The same for comments. */
export const commentable: Commentable = {
  ...discussed,
  findUrl: async (db, id) => pathOf(await discussed.getRow(db, id)),
}

/** Orgs of the gallery are removed by the gallery, which is handed in: it knows what else is on them. */
export function libraryHandlers(
  given: Publishing & { removeOrg: RemoveOrg } & Readers & Counting,
): Handlers<typeof items> {
  return {
    ...findingHandlers,
    ...readingHandlers(given),
    ...publishingHandlers(given),
    update: updateBy(given.showing),
    delete: deletionBy(given.removeOrg),
    vote: voteHandler(discussed),
    ...commentHandlers(commentable, item),

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
