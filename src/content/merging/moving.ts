// What a merged thing had goes over to its target, in small transactions, so that no other write waits for it. Each one locks the target,
// then the merged thing, and moves some rows; where it stands shows in what is left. A process that ends loses nothing.

import { THE_SERVER } from '../../contract/no-account.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { changeSearch, updateParents } from '../../search/indexing.ts'
import { commentDocument } from '../../search/things.ts'
import * as comments from '../comment-rows/merging-queries.ts'
import { listShownAmong } from '../comment-rows/queries.ts'
import { addToCounters } from '../counter-queries.ts'
import { addToEntries } from '../entries/entries.ts'
import { withWholeTexts } from '../imported/whole-texts.ts'
import * as queries from '../merged/queries.ts'
import { AT_ONCE, type Move } from '../merged/rules.ts'
import { insertParts, type Part } from '../merged/undo-queries.ts'
import { recordMerged } from '../notifications/events.ts'
import * as follows from '../notifications/merging-queries.ts'
import { moveRevisions } from '../rows/revision-queries.ts'
import type { Mergeable } from '../things.ts'
import * as votes from '../votes/merging-queries.ts'

/** Moves some of what a merged thing had. Gives whether there may be more. */
export async function moveBatch(
  { db, clock }: Pick<Dependencies, 'db' | 'clock'>,
  mergeables: readonly Mergeable[],
  id: string,
): Promise<boolean> {
  const waiting = await queries.findPending(db, id)
  const mergeable = mergeables.find(({ type }) => type === waiting?.type)
  if (!waiting || !mergeable) return false
  return !(await moveSome(db, mergeable, { ...waiting, now: timestamp(clock.now()) }))
}

interface PendingMerge {
  id: string
  targetId: string
  now: string
}

/** One batch. Gives whether all is done. */
export function moveSome(db: Db, mergeable: Mergeable, { id, targetId, now }: PendingMerge): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const row = await queries.lockPending(transaction, { id, targetId, table: mergeable.table })
    if (!row) return false
    let left = AT_ONCE
    for (const move of [moveVotes, moveComments, moveFollows, moveEvents]) {
      left -= await move(transaction, mergeable, { from: row.id, to: row.targetId, limit: left })
      if (left <= 0) return false
    }
    const labels = parseJson<string[]>(row.labels)
    if (labels.length === 0) return finish(transaction, row, now)
    if (left === AT_ONCE) await moveLabel(transaction, mergeable, { row, labels })
    return false
  })
}

type Step = (db: Transaction, mergeable: Mergeable, move: Move) => Promise<number>

const moveVotes: Step = async (db, { addScores }, move) => {
  const { count, score } = await votes.moveVotes(db, move)
  if (score === 0) return count
  const added = [{ id: move.to, score }]
  await addScores(db, added)
  await addToEntries(db, added)
  return count
}

const moveFollows: Step = (db, _, move) => follows.moveFollows(db, move)
const moveEvents: Step = (db, _, move) => follows.moveEvents(db, move)

const moveComments: Step = async (db, { type, addCounts, isShared }, move) => {
  const { from, to, limit } = move
  const threads = await comments.listThreads(db, move)
  let count = 0
  const roots = threads.filter(({ replyCount }) => {
    const isWithin = count === 0 || count + 1 + replyCount <= limit
    count += isWithin ? 1 + replyCount : limit
    return isWithin
  })
  if (roots.length === 0) return 0
  const replies = await comments.moveThreads(
    db,
    roots.map(({ id }) => id),
    to,
  )
  const moved = [...roots, ...replies]
  const ids = moved.map(({ id }) => id)
  const parts = ids.map((partId): Part => ({ partId, isAdded: 1, value: null }))
  await insertParts(db, { mergedId: from, kind: 'comment' }, parts)
  await moveRevisions(db, ids, to)
  const [shown, replyCount] = [moved.filter(isShown), replies.filter(isShown).length]
  const commentCount = shown.length
  const activeAt = shown.reduce((last, { createdAt }) => (createdAt > last ? createdAt : last), '')
  await addCounts(db, to, { commentCount, activeAt })
  await addToEntries(db, [{ id: to, commentCount }])
  await moveReplyCount(db, type, { from, to, replyCount })
  await carryDocuments(db, isShared, { from, to, ids })
  return count
}

/** Lets comments that went along be found where they are now, unless that is in a closed board. */
export async function carryDocuments(
  db: Transaction,
  isShared: Mergeable['isShared'],
  { from, to, ids }: { from: string; to: string; ids: readonly string[] },
): Promise<void> {
  if (!(await isShared(db, to))) await changeSearch(db, { removed: ids })
  else if (await isShared(db, from)) await updateParents(db, ids, to)
  else await changeSearch(db, { put: await withWholeTexts(db, (await listShownAmong(db, ids)).map(commentDocument)) })
}

export const isShown = ({ hidden }: { hidden: number }): boolean => hidden === 0

/** Replies are counted apart, for lists of the comments that reply to none. */
export async function moveReplyCount(
  db: Transaction,
  type: string,
  { from, to, replyCount }: Omit<Move, 'limit'> & { replyCount: number },
): Promise<void> {
  if (replyCount === 0) return
  await addToCounters(db, [
    { key: `reply/${type}/${from}/`, count: -replyCount },
    { key: `reply/${type}/${to}/`, count: replyCount },
  ])
}

/** One label a transaction: each locks its counters, which have an order. */
async function moveLabel(
  db: Transaction,
  { attach }: Mergeable,
  { row, labels }: { row: queries.PendingMerge; labels: readonly string[] },
): Promise<void> {
  const [labelId, ...others] = labels
  if (labelId !== undefined) await attach(db, row.targetId, labelId)
  await queries.updateMerged(db, row.id, { labels: JSON.stringify(others) })
}

/** Followers of both are notified, now that they all follow the target. */
async function finish(db: Transaction, row: queries.PendingMerge, now: string): Promise<true> {
  const { id, type, targetId, mergedBy, number, title, reason } = row
  if (!(await queries.endMerge(db, id, now))) return true
  // A flood would be one of notifications too.
  if (mergedBy === THE_SERVER) return true
  await recordMerged(db, { by: mergedBy, now, on: { type, id: targetId } }, { number: Number(number), title, reason })
  return true
}
