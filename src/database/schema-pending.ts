// Writes of agents that wait for the yes of their account; schema.ts has the rules for all of it.
import type { Generated } from 'kysely'
import type { pendingActStates, StateIn } from '../contract/states.ts'

/** A write of an agent that waits for the yes of its account, or has ended (content/pending). */
export interface PendingActTable {
  id: string
  userId: string
  /** Whose act it is. No reference: where the grant has ended, it is never made, and an end of a grant locks no act. */
  grantId: string
  clientId: string
  clientName: string | null
  /** `bugs.create` */
  operation: string
  /** Of the token that it came with. */
  scope: string
  /** `approved`: it is being made. What has expired or ended is still `waiting` here. */
  state: StateIn<typeof pendingActStates>
  /** What was sent, sealed. */
  request: string
  /** The beginning of what it says, sealed; null where it has none. */
  title: string | null
  /** Of `request` and `preview`, in characters. */
  size: Generated<number>
  /** What the dry run said, sealed. */
  preview: string
  /** The answer of the write or of the check that refused it, sealed. */
  answer: string | null
  /** Of a refusal. */
  reason: string | null
  createdAt: string
  expiresAt: string
  decidedAt: string | null
}

/** A file of such a write, stored as an object; it goes when the act is made or can no longer be. */
export interface PendingFileTable {
  id: string
  actId: string
  userId: string
  /** The field of the form. */
  field: string
  filename: string
  mimeType: string
  sha256: string
  size: number
}

export interface PendingDatabase {
  pendingAct: PendingActTable
  pendingFile: PendingFileTable
}
