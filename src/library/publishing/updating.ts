// What is said about an item, and who sees it.

import { recordHidden } from '../../content/notifications/events.ts'
import { recordModeration } from '../../content/reports/moderation.ts'
import { isOneOf } from '../../content/subject.ts'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller, Handlers } from '../../request/handler.ts'
import { changeItem } from '../changing/changes.ts'
import type { publishing } from '../changing/contract.ts'
import { getItem, noSuchItem, type StoredItem } from '../items/queries.ts'
import { canSee, canUpdate, keepOfficial, ownedBy, permittedTo } from '../items/rules.ts'
import { itemActions, item as itemSubject } from '../items/subject.ts'
import type { ItemAnnouncer } from '../listing/showing.ts'
import { assertNotOfGallery, getVisible, type LockedItem, lockItemFor, oneItem } from '../records/record.ts'
import { lookAgain } from '../scanning/scanning.ts'

const { permissions } = itemSubject
const forbidden = (message: string) => new Problem('forbidden', message)

export const updateBy =
  ({ tellingOfUpdate, holdFound }: ItemAnnouncer): Handlers<typeof publishing>['update'] =>
  async (context, { id }, body) => {
    const { db, caller, now } = context
    const seen = await getVisible(context, { id })
    assertNotOfGallery(seen)
    if (!isOneOf(permissions.edit, caller, permittedTo(caller, seen)) && seen.role !== 'maintainer') {
      throw forbidden('Only its owners and maintainers can change this item')
    }
    const { visibility, reason, ...rest } = await body(keepOfficial(caller, seen.visibility))
    const isRenamed = rest.name !== undefined && rest.name !== seen.name
    const rewrite = isRenamed ? await lookAgain(context, seen, rest) : undefined
    const changed = await db.transaction().execute(async (transaction) => {
      const item = await lockUpdatable(transaction, caller, { id, visibility })
      const given = Object.entries({ ...rest, visibility }).filter(([, value]) => value !== undefined)
      if (given.length === 0) return getItem(transaction, { id })
      const changes = Object.fromEntries(given)
      const isAlike = await rewrite?.(transaction, item)
      const telling = await tellingOfUpdate(context, transaction, { item, changes: { ...rest, visibility } })
      await changeItem(transaction, item, { ...changes, updatedAt: now })
      if (item.listed && visibility === 'private') {
        const on = { type: itemSubject.type, id, isSeen: true, isBlock: false }
        await recordHidden(transaction, on, now)
      }
      await telling?.()
      if (isAlike && item.listed === 1 && visibility !== 'private') await holdFound(context, transaction, item)
      const detail = { from: item.visibility, ...changes }
      await recordModeration(transaction, context, {
        action: itemActions.update,
        on: itsOwn(caller, item),
        reason,
        detail,
      })
      return getItem(transaction, { id })
    })
    return oneItem(context, changed)
  }

/** Decided again under the lock: who may do what can have changed since it was looked at. */
async function lockUpdatable(
  db: Transaction,
  caller: Caller,
  { id, visibility }: { id: string; visibility: StoredItem['visibility'] | undefined },
): Promise<LockedItem> {
  const item = await lockItemFor(db, caller, id)
  if (!canSee(caller, item)) throw noSuchItem()
  if (!canUpdate(caller, item, visibility)) {
    const isMaintained = item.role === 'maintainer'
    throw forbidden(
      isMaintained ? 'Only owners decide who sees this item' : 'Only its owners and maintainers can change this item',
    )
  }
  keepOfficial(caller, item.visibility)({ visibility })
  return item
}

/** What owners and maintainers change is no act of moderation. */
const itsOwn = (caller: Caller, item: LockedItem) =>
  item.role ? { ...ownedBy(caller, item), authorId: caller.id } : ownedBy(caller, item)
