// Tables of the server itself: the audit log, mail to send, budgets, idempotency keys, jobs, and the machine that members can ask; schema.ts has the rules for all of it.
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
  /** Where its reader answers it; null for none. */
  replyTo: string | null
}

/** An address to which mail does not come, or whose reader complained (content/mail-replies/reports.ts). */
export interface BounceTable {
  id: string
  email: string
  kind: 'hard' | 'soft' | 'complaint'
  /** As the mail server said it: `5.1.1`. */
  status: string | null
  /** How many mails did not come for a while, since a moment. */
  softCount: number
  since: string
  /** Since when notifications are not mailed there; null while they are. */
  stoppedAt: string | null
  updatedAt: string
}

/** A mail that was taken, once: for a month (content/mail-replies). */
export interface SeenMailTable {
  /** Of its account and its Message-ID. */
  hash: string
  seenAt: string
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

/** A write that was sent with an idempotency key, and its answer: for a retry within a day (request/idempotency.ts). */
export interface IdempotencyKeyTable {
  /** Of the key and whom it is of: an account and a client, or a network. */
  hash: string
  /** null for a caller without an account. */
  accountId: string | null
  /** Of the operation, its address and its body. */
  fingerprint: string
  /** Sealed: it may hold a secret, such as that of a webhook. */
  answer: string
  createdAt: string
  expiresAt: string
}

/** Who works on what, how far it got, and how it failed (core/jobs). */
export interface JobTable {
  /** As src/jobs.ts lists it. */
  kind: string
  /** The row that it is about, the version of work that is done once, or ''. */
  key: string
  /** Not before. */
  runAt: string
  /** How far its batches got. */
  cursor: string
  /** How often it failed since it last succeeded. */
  attempts: number
  /** Until then one process has it; '' while none has. */
  leasedUntil: string
  /** Of the last attempt that failed. */
  error: string | null
  /** When it was given up. */
  failedAt: string | null
  /** When work that is done once was done. */
  doneAt: string | null
}

/** A setting that is stored; the environment wins (settings/live-settings.ts). */
export interface SettingTable {
  name: string
  /** As text; of a secret it is sealed. */
  value: string
  /** null for the operator at the command line. */
  actorId: string | null
  changedAt: string
}

/** A change of a setting. */
export interface SettingChangeTable {
  /** From 1, in the order of the changes. */
  number: number
  id: string
  name: string
  /** null for the default. Those of a secret are sealed. */
  valueBefore: string | null
  valueAfter: string | null
  actorId: string | null
  changedAt: string
}

/** One row in a database that is new: the set-up in the browser. One from before has none. */
export interface SetupTable {
  id: number
  /** SHA-256 of the token of the link that a start printed last; null before, and when the set-up is over. */
  tokenHash: string | null
  /** When the set-up was over: by its page, at the command line, or because there is an account. */
  doneAt: string | null
}

/** A thing or a label that the set-up made as sample data. */
export interface SampleTable {
  thingId: string
  type: string
  /** Of what it was when it was made: a change keeps it. */
  fingerprint: string
}

/** What the overview of admins cannot count later, noted each hour in its week. */
export interface WeekFigureTable {
  /** Its Monday (UTC). */
  week: string
  activeMembers: number
  databaseBytes: number | string
  storedBytes: number | string
}

export interface ServerDatabase {
  weekFigure: WeekFigureTable
  setup: SetupTable
  sample: SampleTable
  clockDoubt: ClockDoubtTable
  rateLimit: RateLimitTable
  outbox: OutboxTable
  seenMail: SeenMailTable
  bounce: BounceTable
  audit: AuditTable
  auditHead: AuditHeadTable
  idempotencyKey: IdempotencyKeyTable
  job: JobTable
  setting: SettingTable
  settingChange: SettingChangeTable
}

/** An answer, kept for the same question. It names no account. */
export interface MachineAnswerTable {
  /** A hash of the model and of all that it was told. */
  key: string
  text: string
  createdAt: string
  expiresAt: string
}

/** What a day used up of the budget of the instance. */
export interface MachineDayTable {
  /** `2026-11-29` */
  day: string
  tokens: number
}

export interface AssistantDatabase {
  machineAnswer: MachineAnswerTable
  machineDay: MachineDayTable
}
