// The items that a caller may know of. All others do not exist for that caller.
import type { Context } from '../request/handler.ts'
import type { Kind } from './choices.ts'
import { findItem, type ItemRow, noSuchItem } from './queries.ts'
import { canSee } from './rules.ts'

export type Ref = { id: string } | { kind: Kind; slug: string }

/** The item, if the caller may know of it; throws `not_found`. */
export async function getVisible({ db, caller }: Pick<Context, 'db' | 'caller'>, ref: Ref): Promise<ItemRow> {
  const item = await findItem(db, ref)
  if (!item || !canSee(caller, item)) throw noSuchItem()
  return item
}
