// How an item is hidden: it is listed no more, as one that is private. An org of the gallery is hidden by the gallery.
import type { Hiding } from '../content/hiding/hiding.ts'
import { recordGone, recordHidden } from '../content/notifications/events.ts'
import { changeItem, removeItem } from './publishing/changes.ts'
import { findAnyItem, findLockedItem, listIdsOf, lockAnyItem } from './queries.ts'
import { pathOf } from './record.ts'
import { item } from './subject.ts'

export const itemHiding: Hiding = {
  type: item.type,
  async find(db, id) {
    const found = await findAnyItem(db, id)
    if (!found || found.gallery === 1) return undefined
    const { ownerId: authorId, createdAt, hidden, name: title, description: text } = found
    return { id, authorId, createdAt, hidden, title, text, url: pathOf(found) }
  },
  async lock(db, id) {
    const found = await findLockedItem(db, id)
    return found?.gallery === 1 ? undefined : found
  },
  listIdsOf,
  async setHidden(db, id, { hidden, now }) {
    const before = await lockAnyItem(db, id)
    if (before.listed && hidden !== 0) await recordHidden(db, { type: item.type, id }, now)
    await changeItem(db, before, { hidden })
  },
  async remove(db, id, now) {
    await removeItem(db, await lockAnyItem(db, id))
    await recordGone(db, { type: item.type, id }, now)
    return []
  },
  async isPlaceSeen(db, id) {
    const found = await findAnyItem(db, id)
    return found !== undefined && found.visibility !== 'private'
  },
}
