// The audit log: what was done with power over other people or with credentials, written in the transaction that does it.
import type { Db } from '../../database/schema.ts'
import { newId } from '../ids.ts'
import { insertAudit } from './queries.ts'

export { listAudit } from './queries.ts'

export interface Act {
  /** `area.verb`, such as `role.change` or `bug.delete`. */
  action: string
  /** null for the operator at the command line. */
  actorId: string | null
  targetType: string
  targetId: string
  detail?: Record<string, unknown>
  reason?: string | null
  address?: string | null
}

export async function record(
  db: Db,
  now: string,
  { detail, reason = null, address = null, ...act }: Act,
): Promise<void> {
  await insertAudit(db, {
    id: newId(),
    at: now,
    ...act,
    detail: detail ? JSON.stringify(detail) : null,
    reason,
    address,
  })
}
