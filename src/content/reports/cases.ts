// A case is one thing with all that waits for moderators there: reports, its approval, appeals. It closes when nothing waits any more.
import type { Transaction } from '../../database/schema.ts'
import { newId } from '../../runtime/ids.ts'
import * as queries from './case-queries.ts'

type Case = queries.CaseRow
type WaitingCounts = Partial<Pick<Case, 'reportCount' | 'held' | 'appealCount'>>
type MachineVerdict = Partial<Pick<Case, 'machineVerdict' | 'machineReason' | 'machinePercent'>>

interface CaseParams {
  type: string
  id: string
  authorId: string
  now: string
}

/** Opens a case on a thing, or adds to its open one; gives the id. */
export async function openCase(
  db: Transaction,
  { type, id: targetId, authorId, now }: CaseParams,
  waiting: WaitingCounts & MachineVerdict,
): Promise<string> {
  const row = { id: newId(), targetType: type, targetId, authorId, createdAt: now }
  const caseId = await queries.upsertCase(db, row, waiting)
  await queries.holdEvidence(db, targetId)
  return caseId
}

/** Opens the case of a thing that is new in this transaction, and waits for a moderator: it has no other case, and no evidence. */
export async function openCaseOfNew(db: Transaction, { type, id: targetId, authorId, now }: CaseParams): Promise<void> {
  await queries.insertCase(db, { id: newId(), targetType: type, targetId, authorId, createdAt: now }, { held: 1 })
}

/** What is gone waits for no approval any more. */
export async function settleGone(db: Transaction, targetId: string, now: string): Promise<void> {
  const open = await queries.lockOpenCase(db, targetId)
  if (open?.held === 1) await settle(db, open, { held: 0, now })
}

/** Stores what still waits in a locked case, and closes it where that is nothing. */
export async function settle(db: Transaction, before: Case, changes: WaitingCounts & { now: string }): Promise<void> {
  const { now, ...waiting } = changes
  const { reportCount, held, appealCount } = { ...before, ...waiting }
  const isDone = reportCount + held + appealCount === 0
  if (waiting.reportCount === 0) await queries.closeReports(db, before.id)
  if (isDone) await queries.releaseEvidence(db, before.targetId, now)
  await queries.updateCase(db, before.id, { ...waiting, ...(isDone && { closedAt: now }) })
}
