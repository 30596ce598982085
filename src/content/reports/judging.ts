// What is decided of a case, of an act and of an appeal, each in a transaction of its own: by a moderator, or by the operator at the command line.
import { record } from '../../audit/audit.ts'
import type { Decision, ModerationRule } from '../../contract/kinds.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, ModerationActTable } from '../../database/schema.ts'
import { recordJudged, recordNotice } from '../notifications/events.ts'
import { nameFrom } from '../preview.ts'
import { findAct, lockAct, updateAct } from './act-queries.ts'
import * as queries from './case-queries.ts'
import { settle } from './cases.ts'
import { caseActions } from './contract.ts'
import { carryOutDecision, type DecisionContext, undoAct } from './deciding.ts'
import { listEvidence } from './evidence-queries.ts'
import { actorIdOf, requireNotOwn, requireRankToUndo } from './impartial.ts'
import { requireOnThing, requireTargetWithinReach } from './reach.ts'
import { findTarget, whole } from './showing.ts'

export type Deciders = Omit<DecisionContext, 'db'>

export const noSuchCase = () => new Problem('not_found', 'No such case')

/** A case with everything that a decision needs; throws not_found. */
export async function showCase({ powers }: Deciders, db: Db, id: string) {
  const found = await queries.findCase(db, id)
  if (!found) throw noSuchCase()
  return whole(db, powers.hidings, found)
}

interface CaseDecision {
  /** Of the case. */
  id: string
  action: Decision
  rule: ModerationRule
  reason: string
}

/** Decides an open case; gives the id of the act. Throws not_found, forbidden for one's own, and conflict where the decision does not fit. */
export const decideCase = (
  deciders: Deciders,
  db: Db,
  { id, action, rule, reason }: CaseDecision,
): Promise<{ id: string; action: Decision }> =>
  db.transaction().execute(async (transaction) => {
    const { powers, context } = deciders
    const found = await queries.lockCase(transaction, id)
    if (!found) throw noSuchCase()
    await requireTargetWithinReach(transaction, found.targetId)
    requireOnThing(action)
    requireNotOwn(context.caller, found.authorId)
    if (found.state === 'closed') throw new Problem('conflict', 'This case is closed')
    const { targetType: type, targetId, authorId: accountId } = found
    const thing = await findTarget(transaction, powers.hidings, { type, id: targetId })
    const kept = thing ? undefined : (await listEvidence(transaction, targetId)).at(-1)
    if (!thing) await requireOnAuthor(transaction, { action, accountId })
    const isHeld = thing !== undefined && found.held === 1
    if (isHeld && action === 'dismiss' && found.reportCount === 0) {
      throw new Problem('conflict', 'It waits for approval: approve it, hide it or remove it')
    }
    const { title = '', text = '' } = thing ?? kept ?? {}
    const url = thing?.url ?? ''
    const on = { type, id: targetId, title: title || nameFrom(text), url }
    const acting = { action, rule, reason, on, accountId, caseId: id }
    const actId = await carryOutDecision({ ...deciders, db: transaction }, acting)
    const held = isHeld && (action === 'dismiss' || action === 'warn') ? 1 : 0
    await settle(transaction, found, { reportCount: 0, held, now: context.now })
    const { now } = context
    if (found.reportCount > 0) await recordJudged(transaction, { now, actId, report: { type, action } })
    return { id: actId, action }
  })

/** What can be decided where only what was kept of the thing is there: its author can be warned or blocked, while there is one. */
const onAuthors: ReadonlySet<Decision> = new Set(['warn', 'block', 'remove_all'])

async function requireOnAuthor(db: Db, { action, accountId }: { action: Decision; accountId: string }): Promise<void> {
  if (action === 'dismiss') return
  const isThere = (await queries.findAccount(db, accountId)) !== undefined
  if (!isThere) throw new Problem('conflict', 'It is gone; dismiss the case')
  if (!onAuthors.has(action)) throw new Problem('conflict', 'It is gone; warn or block its author, or dismiss the case')
}

/** Undoes an act; gives the id of the act that does so. */
export async function undo(
  deciders: Deciders,
  db: Db,
  act: { id: string; reason: string },
): Promise<{ id: string; action: 'undo' }> {
  const id = await db.transaction().execute((transaction) => undoAct({ ...deciders, db: transaction }, act))
  return { id, action: 'undo' }
}

interface AppealDecision {
  /** Of the act. */
  id: string
  granted: boolean
  reason: string
}

/** Decides the appeal against an act, once; a granted one undoes it. */
export async function decideAppeal(
  deciders: Deciders,
  db: Db,
  { id, granted, reason }: AppealDecision,
): Promise<{ id: string; granted: boolean }> {
  const seen = await findAct(db, id)
  if (!seen?.appealedAt) throw new Problem('not_found', 'No such appeal')
  const { caller, now } = deciders.context
  await db.transaction().execute(async (transaction) => {
    const found = await queries.lockOpenCase(transaction, seen.targetId)
    const act = await lockAct(transaction, id)
    if (!found || !act || act.appealDecidedAt !== null) throw new Problem('conflict', 'This was decided already')
    requireNotOwn(caller, act.accountId)
    await requireTargetWithinReach(transaction, act.targetId)
    if (caller?.role === 'member') await requireRankToUndo({ caller, db: transaction }, act)
    await storeDecision({ ...deciders, db: transaction }, { act, granted, reason })
    await settle(transaction, found, { appealCount: found.appealCount - 1, now })
  })
  return { id, granted }
}

/** Stores the decision of an appeal, and undoes the act where it is granted. */
async function storeDecision(
  { powers, context, db }: DecisionContext,
  { act, granted, reason }: { act: ModerationActTable; granted: boolean; reason: string },
): Promise<void> {
  const { caller, now, address } = context
  const { id, targetType: type, targetId, accountId: to, action, rule, title } = act
  const decided = { appealGranted: granted ? 1 : 0, appealReason: reason, appealDecidedAt: now } as const
  if (granted && act.undoneAt === null) await undoAct({ powers, context, db }, { id, reason })
  await updateAct(db, id, decided)
  const notice = { id, action: granted ? ('undo' as const) : action, rule }
  await recordNotice(db, { to, now, on: { type, id: targetId }, notice, reason }, title)
  const detail = { act: id, granted }
  await record(db, now, { action: caseActions.appeal, actorId: actorIdOf(caller), targetId, detail, reason, address })
}
