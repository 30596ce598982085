// Undoes a merge. The transaction of the request brings the thing back; what had gone over to its target comes back in batches, as it went
// (moving.ts). What came to the target later stays there, but for replies to comments that go back.

import { record } from '../../audit/audit.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { DELETED_USER, THE_SERVER } from '../../contract/no-account.ts'
import { Problem } from '../../contract/problem.ts'
import { keysOf } from '../../contract/records.ts'
import type { Db, MergeUndoTable, Transaction } from '../../database/schema.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { findBoard, hiddenIn, holdBoards } from '../board-access/boards.ts'
import * as comments from '../comment-rows/merging-queries.ts'
import { addEntry, addToEntries, type Visible } from '../entries/entries.ts'
import { hiddenBy } from '../hiding/rules.ts'
import * as queries from '../merged/queries.ts'
import { AT_ONCE, type Move, UNDO_SECONDS } from '../merged/rules.ts'
import * as undo from '../merged/undo-queries.ts'
import { recordUnmerged } from '../notifications/events.ts'
import * as follows from '../notifications/merging-queries.ts'
import { moveRevisions } from '../rows/revision-queries.ts'
import type { Store, StoredRow } from '../store/queries.ts'
import type { Mergeable, Merging } from '../things.ts'
import * as votes from '../votes/merging-queries.ts'
import { carryDocuments, isShown, moveReplyCount } from './moving.ts'

/** What can be merged. */
export interface Thing {
  id: string
  number: number
  authorId: string
  createdAt: string
  editedAt: string | null
}

interface Options<Row> {
  store: Store<Row, string, string>
  mergeable: Mergeable
  audit: AuditAction
}

interface UndoRequest {
  id: string
  reason: string | null
}

/** Brings a merged thing back, without what went over. Gives what still has to be done, and where the thing is. */
export function bringBack<Row extends Thing>(
  { db, by, now, address }: Merging,
  { store, mergeable, audit }: Options<Row>,
  { id, reason }: UndoRequest,
): Promise<MergeUndoTable & { url: string }> {
  return db.transaction().execute(async (transaction) => {
    await holdBoards(transaction)
    const merged = await undo.lockMerged(transaction, mergeable, id)
    if (!merged) throw await whyNot(transaction, store, id)
    const own = undoable<Row>(merged, now)
    const { targetId, authorId, number, title, type } = merged
    const carried = await undo.retargetBack(transaction, { id, targetId })
    if (!(await queries.deleteUndone(transaction, id))) throw cannotBeUndone()
    await queries.addMerged(transaction, { table: mergeable.table, id: targetId, count: -1 - carried })
    // Nothing of an account that was erased since then comes back.
    const isErased = authorId === DELETED_USER
    const { boardId, hidden } = await placeBack(transaction, { store, own, merged })
    const back = { ...own, authorId, ...(isErased && { viaClientId: null }), ...(boardId != null && { boardId }) }
    const row = await insert(transaction, store, back)
    await queries.addMerged(transaction, { table: mergeable.table, id, count: carried })
    await moveRevisions(transaction, [id], id)
    if (hidden === 0) await addEntry(transaction, entryOf(store, row))
    else await store.setHidden(transaction, row, hidden)
    const undoing = { id, type, targetId, undoneBy: by ?? THE_SERVER, reason, startedAt: now }
    await undo.insertUndo(transaction, undoing)
    const detail = { authorId, title, number, from: targetId }
    await record(transaction, now, { action: audit, actorId: by, targetId: id, detail, reason, address })
    await mergeable.indexAll(transaction, hidden === 0 ? [targetId, id] : [targetId])
    return { ...undoing, url: store.subject.url(row) }
  })
}

/** Where a thing comes back: in its board as that is now, in that of the target where it is gone. */
async function placeBack<Row extends Thing>(
  db: Transaction,
  { store, own, merged }: { store: Store<Row, string, string>; own: object; merged: undo.UndoableMerge },
): Promise<{ boardId: string | null; hidden: number }> {
  const hidden = merged.hidden & ~hiddenBy.board
  const boardId = Reflect.get(own, 'boardId') as string | null | undefined
  if (boardId == null) return { boardId: null, hidden }
  const board = await findBoard(db, boardId)
  if (board) return { boardId, hidden: hidden | hiddenIn(board) }
  const target = await store.findLockedAny(db, merged.targetId)
  return { boardId: target?.boardId ?? null, hidden: hidden | ((target?.hidden ?? 0) & hiddenBy.board) }
}

const cannotBeUndone = () => new Problem('conflict', 'This merge cannot be undone any more')

/** The row of a thing whose merge can be undone; throws `conflict` with the reason where it cannot. */
function undoable<Row>({ doneAt, record, mergedAt, directId, targetId }: undo.UndoableMerge, now: string): Row {
  if (doneAt === null) throw new Problem('conflict', 'It is still being merged; try again in a moment')
  if (directId !== targetId) throw new Problem('conflict', 'What it was merged into was merged itself; undo that first')
  if (record === null || mergedAt < after(now, -UNDO_SECONDS)) {
    throw cannotBeUndone()
  }
  return parseJson<Row>(record)
}

async function whyNot(
  db: Transaction,
  { findAny, noSuchThing }: Pick<Store<unknown>, 'findAny' | 'noSuchThing'>,
  id: string,
): Promise<Problem> {
  return (await findAny(db, id)) ? new Problem('conflict', 'It is not merged') : noSuchThing()
}

/** A row without what is counted of it. */
async function insert<Row extends Thing>(
  db: Transaction,
  store: Store<Row, string, string>,
  row: Row,
): Promise<StoredRow<Row>> {
  await store.insert(db, row)
  return { viaClientId: null, ...row, score: 0, commentCount: 0, hidden: 0 }
}

function entryOf<Row extends Thing>({ subject }: Store<Row, string, string>, row: StoredRow<Row>): Visible {
  const { id, authorId, createdAt, number, viaClientId } = row
  return {
    id,
    authorId,
    createdAt,
    number,
    viaClientId,
    type: subject.type,
    url: subject.url(row),
    ...subject.text(row),
  }
}

/** Brings back some of what went over to a target. Gives whether there may be more. */
export async function returnBatch(
  { db, clock }: Pick<Dependencies, 'db' | 'clock'>,
  mergeables: readonly Mergeable[],
  id: string,
): Promise<boolean> {
  const waiting = await undo.findPending(db, id)
  const mergeable = mergeables.find(({ type }) => type === waiting?.type)
  if (!waiting || !mergeable) return false
  return !(await returnSome(db, mergeable, { ...waiting, now: timestamp(clock.now()) }))
}

/** One batch. Gives whether all is done. */
export function returnSome(
  db: Db,
  mergeable: Mergeable,
  { id, targetId, now }: Pick<MergeUndoTable, 'id' | 'targetId'> & { now: string },
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    for (const one of [id, targetId].toSorted()) await mergeable.lockAny(transaction, one)
    const undoing = await undo.lockUndo(transaction, { id, targetId })
    // It was finished by another process, or one of the two is gone.
    if (!undoing) return true
    const move = { from: targetId, to: id, limit: AT_ONCE }
    for (const kind of keysOf(steps)) {
      const parts = await undo.takeParts(transaction, { mergedId: id, kind }, kind === 'label' ? 1 : AT_ONCE)
      if (parts.length === 0) continue
      await steps[kind](transaction, mergeable, { ...move, parts })
      return false
    }
    await undo.deleteUndo(transaction, id)
    const { undoneBy: by, reason, type } = undoing
    const target = await undo.findTitle(transaction, mergeable.table, targetId)
    // What the server does goes unsaid, as what it did before.
    if (target && by !== THE_SERVER)
      await recordUnmerged(transaction, { by, now, on: { type, id } }, { ...target, reason })
    return true
  })
}

type Step = (db: Transaction, mergeable: Mergeable, move: Move & { parts: readonly undo.Part[] }) => Promise<void>

const idsOf = (parts: readonly undo.Part[]) => parts.map(({ partId }) => partId)

const returnVotes: Step = async (db, { addScores }, { parts, ...move }) => {
  const { target, thing } = await votes.returnVotes(db, move, parts)
  const changed = [
    { id: move.from, score: target },
    { id: move.to, score: thing },
  ].filter(({ score }) => score !== 0)
  if (changed.length === 0) return
  await addScores(db, changed)
  await addToEntries(db, changed)
}

const returnFollows: Step = (db, _, { parts, ...move }) => follows.returnFollows(db, move, parts)

const returnComments: Step = async (db, { type, addCounts, isShared }, { parts, ...move }) => {
  const { from, to } = move
  const moved = await comments.listAround(db, { from, ids: idsOf(parts) })
  const ids = moved.map(({ id }) => id)
  if (ids.length === 0) return
  await comments.moveComments(db, move, ids)
  await moveRevisions(db, ids, to)
  await follows.returnEvents(db, move, { ids, of: 'commentId' })
  const shown = moved.filter(isShown)
  const commentCount = shown.length
  for (const [id, count] of [
    [from, -commentCount],
    [to, commentCount],
  ] as const) {
    await addCounts(db, id, { commentCount: count })
    await addToEntries(db, [{ id, commentCount: count }])
  }
  await moveReplyCount(db, type, { from, to, replyCount: shown.filter(({ thread }) => thread !== from).length })
  await carryDocuments(db, isShared, { from, to, ids })
}

const returnEvents: Step = (db, _, { parts, ...move }) =>
  follows.returnEvents(db, move, { ids: idsOf(parts), of: 'id' })

/** One a transaction, as when they are moved. */
const returnLabels: Step = async (db, { attach }, { parts, to }) => {
  for (const labelId of idsOf(parts)) await attach(db, to, labelId)
}

const steps = {
  vote: returnVotes,
  follow: returnFollows,
  comment: returnComments,
  event: returnEvents,
  label: returnLabels,
}
