// What is decided about the versions of an item, without storage.
import { Problem } from '../../contract/problem.ts'
import type { Caller } from '../../request/handler.ts'
import type { StoredItem } from '../queries.ts'
import { canEdit } from '../rules.ts'

/** How a caller comes to change what is not a text of an item: as one who publishes its versions, or as an admin. */
export type Standing = 'editor' | 'admin'

/** Throws `forbidden` for others. */
export function standingOf(
  caller: Caller,
  item: Pick<StoredItem, 'ownerId' | 'teamId' | 'visibility'>,
  what: string,
): Standing {
  if (canEdit(caller, item)) return 'editor'
  if (caller.role === 'admin') return 'admin'
  throw new Problem('forbidden', `Only its owners and maintainers can ${what}`)
}

/** Throws `invalid_request` where an admin gives no reason for an act on an item of others. */
export function assertReason(standing: Standing, reason: string | null): void {
  if (standing === 'admin' && reason === null)
    throw new Problem('invalid_request', 'reason: is needed for an item of others')
}
