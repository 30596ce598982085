// How the things of a subject are hidden: the declaration says what the feed and the search have of them.

import type { Transaction } from '../../database/schema.ts'
import { required } from '../../runtime/untyped.ts'
import { boardSeenIn } from '../board-access/boards.ts'
import { hiddenBy, isHeldBack } from '../hiding/rules.ts'
import { recordHidden, recordShown } from '../notifications/events.ts'
import { recordSeen, wasSeen } from '../notifications/seen-events.ts'
import type { Store, StoredRow } from '../store/queries.ts'
import type { HideableKind } from '../things.ts'
import { removeThing } from './handlers.ts'
import { conceal, publish } from './publication.ts'

interface BaseRecord {
  id: string
  authorId: string
  createdAt: string
}

/** Takes a thing out of what shows it beside its own lists, or brings it back; `isNew` where that changes. */
export type Show<Thing> = (
  db: Transaction,
  thing: StoredRow<Thing>,
  change: { hidden: number; isNew: boolean },
) => Promise<void>

/** As `publication.ts` does it. */
const published =
  <Thing extends BaseRecord>({ subject }: Store<Thing>): Show<Thing> =>
  async (db, thing, { hidden, isNew }) => {
    const { id, authorId, createdAt, viaClientId, score, commentCount } = thing
    if (!isNew) return
    if (hidden !== 0) return conceal(db, id)
    const number: unknown = Reflect.get(thing, 'number')
    const written = { id, authorId, createdAt, viaClientId }
    const shown = { ...written, type: subject.type, url: subject.url(thing), ...subject.text(thing) }
    await publish(db, { ...shown, number: typeof number === 'number' ? number : null }, { score, commentCount })
  }

export function hidingOf<Thing extends BaseRecord, Action extends string>(
  store: Store<Thing, string, Action>,
  show: Show<Thing> = published(store),
): HideableKind {
  const { type, text, url } = store.subject
  return {
    type,
    async find(db, id) {
      const thing = await store.findAny(db, id)
      if (!thing) return undefined
      const { authorId, createdAt, hidden, boardId = null } = thing
      return { id, authorId, createdAt, hidden, boardId, ...text(thing), url: url(thing) }
    },
    lock: (db, id) => store.findLockedAny(db, id),
    listIdsOf: (db, of) => store.listIdsOf(db, of),
    async setHidden(db, id, { hidden, now }) {
      const row = required(await store.findLockedAny(db, id))
      await store.setHidden(db, row, hidden)
      const isNew = (row.hidden === 0) !== (hidden === 0)
      const isBlock = hidden === hiddenBy.block
      if (isNew && hidden !== 0) {
        await recordHidden(
          db,
          { type, id, isSeen: await wasSeen(db, id, { hidden }), isBlock, board: boardSeenIn(row) },
          now,
        )
      }
      await show(db, row, { hidden, isNew })
      // What is in a closed board and was held before anyone saw it is new to those who read that.
      const isNewInBoard = hidden === hiddenBy.board && isHeldBack(row)
      if (!isNewInBoard && (!isNew || hidden !== 0)) return
      const act = { by: row.authorId, now, on: { type, id } }
      const { text: words } = text(row)
      // What was held before anyone saw it is new when it shows.
      if (isHeldBack(row)) await store.touch(db, id, now)
      if (isHeldBack(row)) await recordSeen(db, act, words)
      else await recordShown(db, act, { text: words })
    },
    async remove(db, id, now) {
      await removeThing(db, store, { row: required(await store.findLockedAny(db, id)), now })
      return []
    },
  }
}
