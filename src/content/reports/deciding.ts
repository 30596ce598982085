// What a decision does to a thing or an account, and how it is undone. The case is locked first, then the act, the
// account and the thing.

import { record } from '../../audit/audit.ts'
import { type ModerationAction, noticed, UNDO_DAYS } from '../../contract/kinds.ts'
import { Problem } from '../../contract/problem.ts'
import type { ModerationActTable, Transaction } from '../../database/schema.ts'
import type { Context } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { changeHidden } from '../hiding/hiding.ts'
import type { HiddenBy } from '../hiding/rules.ts'
import { startSweep } from '../hiding/sweeping.ts'
import type { HideableKind } from '../things.ts'
import { lockAct, updateAct } from './act-queries.ts'
import { mailBlock } from './appeals.ts'
import { caseActions } from './contract.ts'
import { actorIdOf, type Judge, requireNotOwn, requireRankToUndo } from './impartial.ts'
import { type ActParams, recordAct } from './moderation.ts'
import { requireTargetWithinReach } from './reach.ts'

/** Who decides, and when: a moderator by a request, or the operator at the command line, who has no account and no address. */
interface JudgeContext extends Pick<Context, 'now' | 'outbox' | 'config' | 'secretFor'> {
  caller: Judge
  address: string | null
}

export interface Powers {
  hidings: ReadonlyMap<string, HideableKind>
  /** Blocks an account or lets it in again, by the rules for who may. */
  changeBlock(
    by: JudgeContext,
    db: Transaction,
    change: { id: string; blocked: boolean; reason: string },
  ): Promise<unknown>
  /** Locks an account that the caller may block or remove; throws otherwise. */
  lockSubordinate(by: JudgeContext, db: Transaction, id: string): Promise<unknown>
}

/** A decision that is made in this transaction. */
export interface DecisionContext {
  powers: Powers
  context: JudgeContext
  db: Transaction
}

/** What a decision adds to a thing, or takes away. */
const marks: Partial<Record<ModerationAction, { by: HiddenBy; isOn: boolean }>> = {
  hide: { by: 'moderator', isOn: true },
  delete: { by: 'removal', isOn: true },
  approve: { by: 'hold', isOn: false },
  // Of the thing itself at once; of everything else in the background.
  block: { by: 'block', isOn: true },
  remove_all: { by: 'massRemoval', isOn: true },
}

const ofAccounts: ReadonlySet<ModerationAction> = new Set(['block', 'remove_all'])

type ActSummary = Pick<ModerationActTable, 'action' | 'targetType' | 'targetId' | 'accountId'>

interface CarryOutOptions {
  act: ActSummary
  isOn: boolean
  reason: string
}

/** Does what an act says, or the opposite of it. */
async function carryOut(
  { powers: { hidings, changeBlock, lockSubordinate }, context, db }: DecisionContext,
  { act, isOn, reason }: CarryOutOptions,
): Promise<void> {
  const { action, targetType, targetId: id, accountId: userId } = act
  const { now } = context
  if (action === 'block') await changeBlock(context, db, { id: userId, blocked: isOn, reason })
  if (action === 'remove_all') {
    if (isOn) await lockSubordinate(context, db, userId)
    await startSweep(db, { userId, by: 'massRemoval', isOn, now })
  }
  const mark = marks[action]
  const hiding = hidings.get(targetType)
  if (!mark || (!hiding && ofAccounts.has(action))) return
  if (!hiding) throw new Problem('conflict', 'A profile cannot be hidden; warn or block its member')
  await changeHidden(db, hiding, { id, by: mark.by, isOn: mark.isOn === isOn, now })
  // What is decided waits no more: when this is undone, it shows.
  if (isOn && mark.isOn) await changeHidden(db, hiding, { id, by: 'hold', isOn: false, now })
}

/** Decides, within the transaction that locks the case. Gives the id of the act. */
export async function carryOutDecision(
  { powers, context, db }: DecisionContext,
  acting: Omit<ActParams, 'actorId'>,
): Promise<string> {
  const { caller, now, address } = context
  const { action, rule, reason, on, accountId } = acting
  if (reason === '' && noticed.has(action)) throw new Problem('invalid_request', 'reason: must be given for the author')
  const act = { action, targetType: on.type, targetId: on.id, accountId }
  await carryOut({ powers, context, db }, { act, isOn: true, reason })
  const id = await recordAct(db, now, { ...acting, actorId: actorIdOf(caller) })
  if (action === 'block') await mailBlock(context, db, { id, accountId, reason })
  const detail = { action, rule, targetType: on.type, authorId: accountId }
  await record(db, now, {
    action: caseActions.decide,
    actorId: actorIdOf(caller),
    targetId: on.id,
    detail,
    reason,
    address,
  })
  return id
}

/** Undoes an act that is locked here; conflict where that is too late or was done. */
export async function undoAct(
  { powers, context, db }: DecisionContext,
  { id, reason }: { id: string; reason: string },
): Promise<string> {
  const { caller, now, address } = context
  const act = await lockAct(db, id)
  if (!act) throw new Problem('not_found', 'No such act')
  await requireTargetWithinReach(db, act.targetId)
  requireNotOwn(caller, act.accountId)
  await requireRankToUndo({ caller, db }, act)
  if (!noticed.has(act.action)) throw new Problem('conflict', 'There is nothing to undo')
  if (act.undoneAt !== null) throw new Problem('conflict', 'This was undone already')
  const isRemoval = act.action === 'delete' || act.action === 'remove_all'
  if (isRemoval && (act.purgedAt !== null || act.createdAt < after(now, -UNDO_DAYS * 86_400))) {
    throw new Problem('conflict', 'It was deleted: removals can be undone for 30 days')
  }
  await carryOut({ powers, context, db }, { act, isOn: false, reason })
  await updateAct(db, id, { undoneAt: now })
  const { targetType: type, targetId, title, url, accountId, rule } = act
  const on = { type, id: targetId, title, url }
  const undone = await recordAct(db, now, { action: 'undo', rule, reason, on, accountId, actorId: actorIdOf(caller) })
  const detail = { act: id, action: act.action }
  await record(db, now, { action: caseActions.undo, actorId: actorIdOf(caller), targetId, detail, reason, address })
  return undone
}
