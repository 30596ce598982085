// Merges one thing into another of its kind. The transaction of the request takes the thing away, so that no one can add to it;
// what it had goes over in batches (moving.ts), of which the request waits for the first.
import { record } from '../../audit/audit.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { Problem } from '../../contract/problem.ts'
import type { MergedThingTable, Transaction } from '../../database/schema.ts'
import { removeText } from '../../database/search.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { changeSearch } from '../../search/indexing.ts'
import { moveRevisions } from '../edits/queries.ts'
import { deleteEntry } from '../feed/feed.ts'
import type { Store, Stored } from '../subject-queries.ts'
import { forwarded } from './forwarding.ts'
import { type Mergeable, moveSome } from './moving.ts'
import * as queries from './queries.ts'

interface Thing {
  id: string
  number: number
  authorId: string
  createdAt: string
  editedAt: string | null
}

/** What the row of a thing has beyond its record. */
interface Kept {
  status?: string
  revisionCount: number
  statusChangeCount?: number
}

interface Options {
  audit: AuditAction
  table: string
  /** The labels of a thing. */
  labelsOf?(db: Transaction, id: string): Promise<string[]>
  attach?: Mergeable['attach']
}

interface Merge {
  id: string
  into: string
  reason: string | null
}

/** Of a merge with more the request leaves the rest to the background. */
const BATCHES_AWAITED = 8

export const mergeableOf = <Row extends Thing>(
  { type, addCounts, addScores }: Store<Row, string, string>,
  { table, attach }: Options,
): Mergeable => ({ type, addCounts, addScores, table, ...(attach && { attach }) })

export function mergeHandlers<Row extends Thing, Action extends string>(
  store: Store<Row, string, Action>,
  options: Options,
) {
  return {
    async merge(context: Context<Caller>, { id, into, reason }: Merge) {
      const { db, now } = context
      const target = await forwarded(db, into, (targetId) => {
        if (targetId === id) throw new Problem('conflict', 'It cannot be merged into itself')
        return take(context, { store, options }, { id, targetId, reason })
      })
      const waiting = { id, targetId: target.id, now }
      let done = false
      for (let batch = 0; batch < BATCHES_AWAITED && !done; batch++) {
        done = await moveSome(db, mergeableOf(store, options), waiting)
      }
      const { title } = store.subject.text(target)
      return { id, mergedInto: { id: target.id, number: target.number, title, url: store.subject.url(target) }, done }
    },

    async merged({ db }: Context, { id, page, per_page }: { id: string; page: number; per_page: number }) {
      const target = await forwarded(db, id, (targetId) => store.getRow(db, targetId))
      const total = await queries.countMerged(db, target.id)
      const range = { offset: page * per_page, limit: per_page }
      const items = await queries.listMerged(db, target.id, range)
      return { items, hasMore: range.offset + items.length < total, total }
    },
  }
}

interface Taking<Row extends Thing> {
  store: Store<Row, string, string>
  options: Options
}

/** Takes a thing away and notes where it went; gives the target, which is locked with it in the order of their ids. */
function take<Row extends Thing>(
  context: Context<Caller>,
  { store, options }: Taking<Row>,
  { id, targetId, reason }: { id: string; targetId: string; reason: string | null },
): Promise<Stored<Row>> {
  const { subject } = store
  return context.db.transaction().execute(async (transaction) => {
    const rows = new Map<string, Stored<Row> | undefined>()
    for (const one of [id, targetId].toSorted()) rows.set(one, await store.findLocked(transaction, one))
    const [source, target] = [rows.get(id), rows.get(targetId)]
    if (!source) throw await whyGone(transaction, store, id)
    if (!target) throw store.noSuchThing()
    const labels = (await options.labelsOf?.(transaction, id)) ?? []
    const earlier = await queries.retarget(transaction, id, targetId)
    await queries.insertMerged(transaction, mergedRow(context, { source, store }, { targetId, reason, labels }))
    await queries.addMerged(transaction, { table: options.table, id: targetId, count: earlier + 1 })
    await store.remove(transaction, source)
    await deleteEntry(transaction, id)
    await removeText(transaction, id)
    await moveRevisions(transaction, [id], targetId)
    const { title } = subject.text(source)
    const { authorId, number } = source
    const detail = { authorId, title, number, into: targetId }
    const { caller, now, address } = context
    const act = { action: options.audit, actorId: caller.id, targetId: id, detail, reason, address }
    await record(transaction, now, act)
    await changeSearch(transaction, { removed: [id] })
    return target
  })
}

const keptOf = (row: object) => row as Kept

function mergedRow<Row extends Thing>(
  { caller, now }: Context<Caller>,
  { source, store }: { source: Stored<Row>; store: Store<Row, string, string> },
  { labels, ...more }: { targetId: string; reason: string | null; labels: readonly string[] },
): MergedThingTable {
  const { id, number, authorId, createdAt, editedAt } = source
  const { status = null, revisionCount, statusChangeCount = 0 } = keptOf(source)
  return {
    ...{ id, type: store.type, number, authorId, createdAt, editedAt, ...store.subject.text(source), ...more },
    ...{ status, revisionCount, statusChangeCount, labels: JSON.stringify(labels) },
    ...{ mergedBy: caller.id, mergedAt: now, doneAt: null },
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
