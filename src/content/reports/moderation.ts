// What moderators and admins do to other people's content is in the audit log, written in the transaction that does it.
import { record } from '../../audit/audit.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { type ModerationAction, type ModerationRule, noticed } from '../../contract/kinds.ts'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { recordNotice } from '../notifications/events.ts'
import type { ActContext } from '../things.ts'
import { insertAct } from './act-queries.ts'

/** Allows the owner, moderators and admins; throws `forbidden` for others. */
export function requireOwnerOrModerator(caller: Caller, ownerId: string): void {
  if (caller.id !== ownerId && caller.role === 'member') throw new Problem('forbidden', 'Forbidden')
}

interface Moderation {
  action: AuditAction
  /** The target and its owner. */
  on: { id: string; authorId: string }
  /** What names the target to its author, where `detail` has no title. */
  name?: string
  reason: string | null
  detail: Record<string, unknown>
}

/**
 * Records an act on a thing of another member. What members do to their own is not recorded. A removal is in the public log too, and its
 * author gets a notice.
 */
export async function recordModeration(
  db: Transaction,
  { caller, now, address }: ActContext,
  { action, on: { id: targetId, authorId }, name = '', detail, reason }: Moderation,
): Promise<void> {
  if (caller.id === authorId) return
  const actorId = caller.id
  await record(db, now, { action, actorId, targetId, detail: { authorId, ...detail }, reason, address })
  if (!action.name.endsWith('.delete')) return
  const title = String(detail['title'] ?? detail['name'] ?? name)
  const on = { type: action.subject, id: targetId, title, url: '' }
  const act = { rule: 'other', reason: reason ?? '', on, accountId: authorId, actorId, isFinal: true } as const
  await recordAct(db, now, { action: 'delete', ...act })
}

// An act of moderators is one row. It is in the public log, and the account that it concerns gets a notice.

export interface ActParams {
  action: ModerationAction
  rule: ModerationRule
  reason: string
  /** The thing, or `user` for an account. */
  on: { type: string; id: string; title: string; url: string }
  /** Whose it is. */
  accountId: string
  /** null for the operator at the command line. */
  actorId: string | null
  caseId?: string | null
  /** It was deleted for good. */
  isFinal?: boolean
}

/** Records an act, and gives its id: the notice has it too. */
export async function recordAct(
  db: Transaction,
  now: string,
  { on, caseId = null, isFinal = false, ...act }: ActParams,
): Promise<string> {
  const id = newId()
  const { type: targetType, id: targetId, title, url } = on
  await insertAct(db, {
    id,
    caseId,
    ...act,
    targetType,
    targetId,
    title,
    url,
    createdAt: now,
    purgedAt: isFinal ? now : null,
  })
  const { action, rule, reason, accountId: to } = act
  if (noticed.has(action)) await recordNotice(db, { to, now, on, notice: { id, action, rule }, reason }, title)
  return id
}
