// How the things of a subject are hidden: the declaration says what the feed and the search have of them.
import type { Transaction } from '../../database/schema.ts'
import { required } from '../../runtime/untyped.ts'
import { recordCreated, recordHidden, recordShown } from '../notifications/events.ts'
import { conceal, publish } from '../publication.ts'
import { removeThing } from '../subject-handlers.ts'
import type { Store, StoredRow } from '../subject-queries.ts'
import type { HideableKind } from './hiding.ts'
import { hiddenBy, isHeldBack } from './rules.ts'

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

/** What those are told of a hiding who saw the thing. */
const why = (hidden: number) => ({ isSeen: !isHeldBack({ hidden }), isBlock: hidden === hiddenBy.block })

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
      const { authorId, createdAt, hidden } = thing
      return { id, authorId, createdAt, hidden, ...text(thing), url: url(thing) }
    },
    lock: (db, id) => store.findLockedAny(db, id),
    listIdsOf: (db, of) => store.listIdsOf(db, of),
    async setHidden(db, id, { hidden, now }) {
      const row = required(await store.findLockedAny(db, id))
      await store.setHidden(db, row, hidden)
      const isNew = (row.hidden === 0) !== (hidden === 0)
      if (isNew && hidden !== 0) await recordHidden(db, { type, id, ...why(hidden) }, now)
      await show(db, row, { hidden, isNew })
      if (!isNew || hidden !== 0) return
      const act = { by: row.authorId, now, on: { type, id } }
      const { text: words } = text(row)
      if (isHeldBack(row)) await recordCreated(db, act, words)
      else await recordShown(db, act, { text: words })
    },
    async remove(db, id, now) {
      await removeThing(db, store, { row: required(await store.findLockedAny(db, id)), now })
      return []
    },
  }
}
