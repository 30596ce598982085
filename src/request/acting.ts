// A write that is made without a credential at hand, on its way through the same steps as any other: an account has agreed to it, and the caller is
// the agent; or the account sent it by mail. Its answer is stored in the transaction of the write.
import type { Operation } from '../contract/operation.ts'
import type { Transaction } from '../database/schema.ts'
import type { Caller } from './handler.ts'
import type { KeptAnswer } from './idempotency.ts'

export interface Approval {
  /** The agent as it is now: its account, and what its grant allows. */
  caller: Caller
  blocked: boolean
  leaving: boolean
  /** Who agreed to it, where that is said of what it publishes. */
  approver?: { id: string; username: string | null } | undefined
  /** When the agent sent it, ISO 8601: what it sent was fresh or not then. */
  sentAt: string
  /** The account wrote it itself, by mail: no person looked at it before. */
  isOwnWrite?: true | undefined
  /** A read looks into this transaction. */
  on?: Transaction | undefined
  /** Takes the act for this transaction, first in it; false when it is not to be made any more. */
  take(db: Transaction): Promise<boolean>
  /** Stores the answer, last in it. */
  keep(db: Transaction, answer: KeptAnswer): Promise<void>
  /** Gives back what was taken, where the write was refused. */
  free?(db: Transaction): Promise<void>
}

/** A call as it is kept. */
export interface KeptCall {
  operation: Operation
  /** Path and query. */
  target: string
  json?: string | undefined
  form?: [name: string, value: string | Blob][] | undefined
  /** The network address that it came from. */
  address: string
}

/** Calls an operation as an agent that its account has agreed to; gives its answer, and throws a Problem for what is refused. */
export type CallActing = (call: KeptCall, acting: Approval) => Promise<unknown>

/** A file of a form, staged on local disk. */
export interface SentFile {
  /** The field of the form. */
  field: string
  path: string
  filename: string
  mimeType: string
  sha256: string
  /** In bytes. */
  size: number
}

/** The body of a request as it came: the text of JSON, or the fields and files of a form. */
export interface SentBody {
  json?: string
  fields?: [name: string, value: string][]
  files: SentFile[]
}

/** A write that has passed a dry run, and waits for the yes of its account. */
export interface WaitingWrite {
  /** `bugs.create` */
  operation: string
  caller: Caller
  now: string
  address: string
  method: string
  /** Path and query. */
  target: string
  body: SentBody
  /** The item whose owners and maintainers decide on it as well. */
  itemId?: string | undefined
  /** What the dry run answered. */
  preview: KeptAnswer
}
