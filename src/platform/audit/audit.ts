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

let lastId = ''

/** Ids of one millisecond are in no order; here they are in that of the acts, which are read back by them. */
function nextId(): string {
  const id = newId()
  lastId =
    id > lastId ? id : lastId.slice(0, 24) + (Number.parseInt(lastId.slice(24), 16) + 1).toString(16).padStart(12, '0')
  return lastId
}

export async function record(
  db: Db,
  now: string,
  { detail, reason = null, address = null, ...act }: Act,
): Promise<void> {
  await insertAudit(db, {
    id: nextId(),
    at: now,
    ...act,
    detail: detail ? JSON.stringify(detail) : null,
    reason,
    address,
  })
}
