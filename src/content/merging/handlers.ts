// Merges one thing into another of its kind, and undoes that. The transaction of the request takes the thing away, so that no one can add to it;
// what it had goes over in batches (moving.ts), of which the request waits for the first. Both rows are locked in the order of their ids; a batch locks
// the target, since the other is gone by then. The order of all locks of a thing: `lockPlaces` in contract/capabilities.ts.

import type { Insertable } from 'kysely'
import { record } from '../../audit/audit.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { THE_SERVER } from '../../contract/no-account.ts'
import { Problem } from '../../contract/problem.ts'
import { type PageRequest, pageOfRows } from '../../database/cursor.ts'
import type { MergedThingTable, Transaction } from '../../database/schema.ts'
import { indexText, removeText } from '../../database/search.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import type { NewDocument } from '../../search/document.ts'
import { changeSearch } from '../../search/indexing.ts'
import { assertSameAudience } from '../board-access/boards.ts'
import { historyOf } from '../edits/edits.ts'
import { deleteEntry } from '../entries/entries.ts'
import { isInClosedBoard } from '../hiding/rules.ts'
import { withWholeTexts } from '../imported/whole-texts.ts'
import * as queries from '../merged/queries.ts'
import { UNDO_SECONDS } from '../merged/rules.ts'
import { insertParts, isUndoing, type Part } from '../merged/undo-queries.ts'
import { moveRevisions } from '../rows/revision-queries.ts'
import type { Store, StoredRow } from '../store/queries.ts'
import type { Mergeable, Merging } from '../things.ts'
import { clearPin } from '../threads/queries.ts'
import { countOwnChanges } from './flood-queries.ts'
import type { Thing } from './undoing.ts'

interface Options {
  audit: AuditAction
  undoAudit: AuditAction
}

const mergingBy = ({ db, now, address, caller }: Context<Caller>): Merging => ({ db, now, address, by: caller.id })

interface Merge {
  id: string
  into: string
  confirm: boolean
  reason: string | null
}

/** Of a merge with more the request leaves the rest to the background. */
const BATCHES_AWAITED = 8

/** What the search has of a thing beside what was merged into it. */
function documentOf<Row extends Thing>({ subject }: Store<Row, string, string>, row: StoredRow<Row>): NewDocument {
  const { id, authorId, createdAt, viaClientId } = row
  const { title, text: body } = subject.text(row)
  return { id, type: subject.type, authorId, createdAt, viaClientId, title, body, url: subject.url(row) }
}

export function mergeableOf<Row extends Thing>(store: Store<Row, string, string>): Mergeable {
  const { type, addCounts, addScores, isShared, labelling, subject } = store
  return {
    ...{ type, addCounts, addScores, isShared, table: subject.table },
    async attach(db, id, labelId) {
      const row = await store.findLockedAny(db, id)
      if (row) await labelling?.attach(db, row, labelId)
    },
    lockAny: async (db, id) => (await store.findLockedAny(db, id)) !== undefined,
    async indexAll(db, ids) {
      const rows = await Promise.all(ids.map((id) => store.findAny(db, id)))
      const found = rows.flatMap((row) => (row?.hidden === 0 ? documentOf(store, row) : []))
      const shown = await withWholeTexts(db, found)
      for (const { id, type, title, body } of shown) await indexText(db, { id, type }, [title, body])
      if (shown.length > 0) await changeSearch(db, { put: await queries.withMerged(db, shown) })
    },
  }
}

export function mergeHandlers<Row extends Thing, Action extends string>(
  store: Store<Row, string, Action>,
  options: Options,
) {
  const mergeable = mergeableOf(store)
  return {
    async merge(context: Context<Caller>, { id, into, confirm, reason }: Merge) {
      const { db, now } = context
      const target = await queries.forwarded(db, into, (targetId) => {
        if (targetId === id) throw new Problem('conflict', 'It cannot be merged into itself')
        return take(mergingBy(context), { store, options }, { id, targetId, confirm, reason })
      })
      const waiting = { id, targetId: target.id, now }
      const { moveSome } = await import('./moving.ts')
      const done = await awaited(() => moveSome(db, mergeable, waiting))
      const { title } = store.subject.text(target)
      return { id, mergedInto: { id: target.id, number: target.number, title, url: store.subject.url(target) }, done }
    },

    async undoMerge(context: Context<Caller>, { id, reason }: Omit<Merge, 'into' | 'confirm'>) {
      const { db, now } = context
      const { bringBack, returnSome } = await import('./undoing.ts')
      const { url, ...undoing } = await bringBack(
        mergingBy(context),
        { store, mergeable, audit: options.undoAudit },
        { id, reason },
      )
      const done = await awaited(() => returnSome(db, mergeable, { ...undoing, now }))
      return { id, url, done }
    },

    async merged({ db, now }: Context, { id, ...request }: { id: string } & PageRequest) {
      const target = await queries.forwarded(db, id, (targetId) => store.getRow(db, targetId))
      const total = await queries.countMerged(db, target.id)
      const list = { list: ['merged', target.id], by: { mergedAt: '', id: '' } }
      const page = await pageOfRows(request, list, (range) => queries.listMerged(db, target.id, range))
      const items = page.items.map(({ record, doneAt, directId, targetId, ...one }) => {
        const end = after(one.mergedAt, UNDO_SECONDS)
        const isUndoable = record !== null && doneAt !== null && directId === targetId && now < end
        return { ...one, undoableUntil: isUndoable ? end : null }
      })
      return { ...page, items, total }
    },
  }
}

/** Runs batches until all is done, or the rest is for the background. */
export async function awaited(batch: () => Promise<boolean>): Promise<boolean> {
  for (let count = 0; count < BATCHES_AWAITED; count++) if (await batch()) return true
  return false
}

interface TakeOptions<Row extends Thing> {
  store: Store<Row, string, string>
  options: Pick<Options, 'audit'>
}

interface Taking<Row> {
  id: string
  targetId: string
  /** Merges also what others may read there; else that is refused. */
  confirm?: boolean | undefined
  reason: string | null
  /** Throws where the two, which are locked, are not to be merged. */
  check?(source: StoredRow<Row>, target: StoredRow<Row>): void
}

/** Takes a thing away and notes where it went; gives the target, which is locked with it in the order of their ids. */
export function take<Row extends Thing>(
  merging: Merging,
  { store, options }: TakeOptions<Row>,
  { id, targetId, confirm, reason, check }: Taking<Row>,
): Promise<StoredRow<Row>> {
  const { subject } = store
  return merging.db.transaction().execute(async (transaction) => {
    const rows = new Map<string, StoredRow<Row> | undefined>()
    for (const one of [id, targetId].toSorted()) rows.set(one, await store.findLocked(transaction, one))
    const [source, target] = [rows.get(id), rows.get(targetId)]
    if (!source) throw await whyGone(transaction, store, id)
    if (!target) throw store.noSuchThing()
    check?.(source, target)
    if (!confirm) await assertSameAudience(transaction, source, target)
    if (await isUndoing(transaction, id)) {
      throw new Problem('conflict', 'A merge of it is being undone; try again in a moment')
    }
    const labels = (await store.labelling?.labelsOf(transaction, id)) ?? []
    const earlier = await queries.retarget(transaction, id, targetId)
    const own = merging.by === null && (await countOwnChanges(transaction, { table: subject.table, id: targetId }))
    await queries.insertMerged(transaction, {
      ...mergedRow(merging, { source, store }, { targetId, reason, labels }),
      ...own,
    })
    const parts = labels.map((partId): Part => ({ partId, isAdded: 1, value: null }))
    await insertParts(transaction, { mergedId: id, kind: 'label' }, parts)
    await queries.addMerged(transaction, { table: subject.table, id: targetId, count: earlier + 1 })
    await store.remove(transaction, source)
    await deleteEntry(transaction, id)
    await removeText(transaction, id)
    if (subject.thread) await clearPin(transaction, id)
    await moveRevisions(transaction, [id], targetId)
    const { title } = subject.text(source)
    const { authorId, number } = source
    const detail = { authorId, title, number, into: targetId }
    const { by, now, address } = merging
    const act = { action: options.audit, actorId: by, targetId: id, detail, reason, address }
    await record(transaction, now, act)
    const shown = isInClosedBoard(target) ? [] : [documentOf(store, target)]
    const put = await queries.withMerged(transaction, shown)
    await changeSearch(transaction, { put, removed: [id] })
    return target
  })
}

/** A row without what is counted of it, and without its author, who may be erased. */
function ownOf(row: StoredRow<{ authorId: string }>): object {
  const { score: _s, commentCount: _c, hidden: _h, authorId: _a, ...own } = row
  return own
}

function mergedRow<Row extends Thing>(
  { by, now }: Merging,
  { source, store }: { source: StoredRow<Row>; store: Store<Row, string, string> },
  { labels, ...more }: { targetId: string; reason: string | null; labels: readonly string[] },
): Insertable<MergedThingTable> {
  const { id, number, authorId, createdAt, editedAt } = source
  const status = 'status' in source ? String(source.status) : null
  return {
    ...{ id, type: store.type, number, authorId, createdAt, editedAt, ...store.subject.text(source), ...more },
    ...{ status, ...historyOf(source), labels: JSON.stringify(labels) },
    ...{ mergedBy: by ?? THE_SERVER, mergedAt: now, doneAt: null, directId: more.targetId, hidden: 0 },
    record: JSON.stringify(ownOf(source)),
  }
}

/** Of two moderators who merge the same thing, the second one gets a conflict. */
async function whyGone<Row extends Thing>(
  db: Transaction,
  store: Store<Row, string, string>,
  id: string,
): Promise<Problem> {
  return (await queries.findMerged(db, id)) ? new Problem('conflict', 'It is merged already') : store.noSuchThing()
}
