// What moderators and admins do to other people's content is in the audit log, written in the transaction that does it.

import { record } from '../../audit/audit.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller } from '../../request/handler.ts'
import type { ActContext } from '../things.ts'
import { recordAct } from './acts.ts'

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
