// Tables of the server itself: the audit log, mail to send and budgets; schema.ts has the rules for all of it.
import type { Generated } from 'kysely'

/** How often something was tried in the window that is open now. */
export interface RateLimitTable {
  key: string
  count: number
  resetsAt: string
}

/** Mail that is to be sent, or was. The text is encrypted, and wiped once it is sent. */
export interface OutboxTable {
  id: string
  recipient: string
  subject: string
  body: string | null
  createdAt: string
  attempts: number
  nextAttemptAt: string
  sentAt: string | null
  unsubscribeUrl: string | null
}

/** Actor, action, target, time and address. Append-only. */
export interface AuditTable {
  id: string
  at: string
  actorId: string | null
  action: string
  targetType: string
  targetId: string
  detail: string | null
  reason: string | null
  address: string | null
  /** Its place in the chain, from 1, with the hash of the previous row and of this one (audit/chain.ts). */
  position: number | null
  previous: string | null
  hash: string | null
}

/** One row: the head of the audit log's chain. */
export interface AuditHeadTable {
  id: Generated<number>
  position: number
  hash: string
}

/** One row: jumps of the clock that clean-ups do not believe yet. */
export interface ClockDoubtTable {
  id: number
  /** What the clock showed with them. */
  at: string
  /** JSON of DoubtedJump[] (runtime/believed-time.ts). */
  jumps: string
}

export interface ServerDatabase {
  clockDoubt: ClockDoubtTable
  rateLimit: RateLimitTable
  outbox: OutboxTable
  audit: AuditTable
  auditHead: AuditHeadTable
}
