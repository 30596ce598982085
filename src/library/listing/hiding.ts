// How an item is hidden: it is listed no more, as one that is private. An org of the gallery is hidden by the gallery.

import { hiddenBy, isHeldBack } from '../../content/hiding/rules.ts'
import { recordGone, recordHidden, recordShown } from '../../content/notifications/events.ts'
import { recordSeen, wasSeen } from '../../content/notifications/seen-events.ts'
import type { HideableKind } from '../../content/things.ts'
import { changeItem, removeItem } from '../changing/changes.ts'
import { passToNext } from '../holders/holding.ts'
import { findAnyItem, findLockedItem, listIdsOf, listVersions, lockAnyItem } from '../items/queries.ts'
import { isListed } from '../items/rules.ts'
import { item } from '../items/subject.ts'
import { findDetails } from '../items/version-queries.ts'
import { pathOf } from '../records/record.ts'

/** Of so many of the newest versions, what they say of themselves is read too. */
const MAX_SAYING = 20

export const itemHiding: HideableKind = {
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
    const isBlock = (hidden & hiddenBy.block) > (before.hidden & hiddenBy.block)
    // What a team holds does not go with the account that published it.
    if (isBlock && before.teamId !== null && (await passToNext(db, before)) !== undefined) return
    const on = { type: item.type, id }
    if (before.listed && hidden !== 0) {
      const isSeen = await wasSeen(db, id, { hidden })
      await recordHidden(db, { ...on, isSeen, isBlock: hidden === hiddenBy.block }, now)
    }
    await changeItem(db, before, { hidden, lifeAt: now })
    if (before.listed === 1 || !isListed({ ...before, hidden })) return
    const { ownerId: by, description: text } = before
    const act = { by, now, on: { type: item.type, id } }
    // What was held is new when it shows, unless a later version of it was held.
    if (isHeldBack(before)) await recordSeen(db, act, text)
    else await recordShown(db, act, { text })
  },
  async findMore(db, id) {
    const found = await findAnyItem(db, id)
    if (!found) return null
    const details = await findDetails(db, found)
    const versions = await listVersions(db, id, { limit: MAX_SAYING, offset: 0 })
    const said = versions.flatMap(({ changelog, yankReason }) => [changelog, yankReason])
    return [details?.readme, found.deprecation, ...said].filter(Boolean).join('\n\n')
  },
  async remove(db, id, now) {
    const before = await lockAnyItem(db, id)
    await removeItem(db, before)
    await recordGone(db, { type: item.type, id, isSeen: before.listed === 1 }, now)
    return []
  },
  async isPlaceSeen(db, id) {
    const found = await findAnyItem(db, id)
    return found !== undefined && found.visibility !== 'private'
  },
}
