// A kind of thing whose reports the server merges.

import type { AuditAction } from '../../contract/audit.ts'
import { shows } from '../hiding/rules.ts'
import { awaited, take } from '../merging/handlers.ts'
import type { Thing } from '../merging/undoing.ts'
import type { Store, StoredRow } from '../store/queries.ts'
import type { Floodable, Flooding, Mergeable } from '../things.ts'

interface Options<Row> {
  mergeable: Mergeable
  audit: AuditAction
  undoAudit: AuditAction
  /** The states of one that is open. */
  open: readonly string[]
  /** How bad a thing is: the greater, the worse. */
  weightOf(row: Row): number
}

/** Reports of a subject, as the server merges them. */
export function floodableOf<Row extends Thing & { status: string }>(
  store: Store<Row, string, string>,
  { mergeable, open, weightOf, ...options }: Options<Row>,
): Floodable {
  const { subject } = store
  const flooding = (row: StoredRow<Row>): Flooding => {
    const { id, number, status, hidden } = row
    return {
      id,
      number,
      ...subject.text(row),
      weight: weightOf(row),
      isOpen: hidden === 0 && open.includes(status),
    }
  }
  return {
    ...{ type: subject.type, table: subject.table, open },
    async find(db, id) {
      const row = await store.findAny(db, id)
      return row && shows(row) ? flooding(row) : undefined
    },
    async merge(by, { id, into, isSame }) {
      const check = (source: StoredRow<Row>, target: StoredRow<Row>) => {
        if (!isSame(flooding(source), flooding(target))) throw store.noSuchThing()
      }
      await take(by, { store, options }, { id, targetId: into, reason: null, check })
      // The rest, if there is any, is for the job of merges.
      const { moveSome } = await import('../merging/moving.ts')
      await moveSome(by.db, mergeable, { id, targetId: into, now: by.now })
    },
    async undo(by, id) {
      const { bringBack, returnSome } = await import('../merging/undoing.ts')
      const { url: _, ...undoing } = await bringBack(
        by,
        { store, mergeable, audit: options.undoAudit },
        { id, reason: null },
      )
      // It can be merged again when all of it is back.
      await awaited(() => returnSome(by.db, mergeable, { ...undoing, now: by.now }))
    },
  }
}
