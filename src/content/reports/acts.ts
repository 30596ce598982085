// An act of moderators is one row. It is in the public log, and the account that it concerns gets a notice.
import { type ModerationAction, type ModerationRule, noticed } from '../../contract/kinds.ts'
import type { Transaction } from '../../database/schema.ts'
import { newId } from '../../runtime/ids.ts'
import { recordNotice } from '../notifications/events.ts'
import { insertAct } from './act-queries.ts'

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
