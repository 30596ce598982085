// The audit log: moderation and credential events, written in the transaction of the event. Each row contains the hash of the row
// before (chain.ts).
import type { AuditAction } from '../contract/audit.ts'
import type { Db } from '../database/schema.ts'
import { newId } from '../runtime/ids.ts'
import { allRows } from '../runtime/pages.ts'
import { type Head, hashOf } from './chain.ts'
import * as queries from './queries.ts'

export { findHead as auditHead, listAudit } from './queries.ts'

export interface Act {
  action: AuditAction
  /** null for the operator at the command line. */
  actorId: string | null
  /** The subject of the action unless told. */
  targetType?: string
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
  { action, targetType = action.subject, detail, reason = null, address = null, ...act }: Act,
): Promise<void> {
  await queries.insertAudit(db, {
    id: nextId(),
    at: now,
    action: action.name,
    targetType,
    ...act,
    detail: detail ? JSON.stringify(detail) : null,
    reason,
    address,
  })
}

export interface AuditState {
  /** Rows that are right, from the first. */
  rows: number
  head: Head
  /** The first problem, in a sentence. */
  broken: string | undefined
}

/**
 * Recomputes the chain and compares it with the rows and with the stored head. An attacker who can write to the database can also
 * write a new chain; `noted` is an earlier head from outside the database that must still be in it.
 */
export async function verifyAudit(db: Db, noted?: Head): Promise<AuditState> {
  const recorded = await queries.findHead(db)
  let head: Head = { position: 0, hash: '' }
  const stop = (broken: string): AuditState => ({ rows: head.position, head, broken })
  if (!recorded) return stop('The record of the head of the audit log is missing')
  const chain = allRows(
    0,
    (after, limit) => queries.listChain(db, after, limit),
    (row) => row.position,
  )
  for await (const row of chain) {
    const { position, previous, hash, ...entry } = row
    const name = `${position} of the audit log (${entry.action} at ${entry.at}, id ${entry.id})`
    if (position !== head.position + 1) return stop(`Row ${head.position + 1} of the audit log is missing`)
    if (previous !== head.hash) return stop(`Row ${name} does not follow the one before: one of the two was changed`)
    if (hash !== hashOf(entry, { position, previous })) return stop(`Row ${name} was changed`)
    head = { position, hash }
    for (const known of [recorded, noted]) {
      if (known?.position === position && known.hash !== hash) {
        return stop(`Row ${name} is not what its recorded hash says: the chain was written again`)
      }
    }
  }
  if (head.position < recorded.position) {
    return stop(`Rows ${head.position + 1} to ${recorded.position}, the last of the audit log, are missing`)
  }
  if (noted && head.position < noted.position)
    return stop(`Row ${noted.position} of the audit log, noted before, is missing`)
  const loose = await queries.findUnchained(db)
  return loose
    ? stop(`Row ${loose.id} of the audit log has no place in the chain`)
    : { rows: head.position, head, broken: undefined }
}
