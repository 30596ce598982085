// Writes of agents that wait for the yes of their account, and suggestions of agents; schema.ts has the rules for all of it.
import type { Generated } from 'kysely'
import type { pendingActStates, StateIn, suggestionStates } from '../contract/states.ts'

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
  /** The helpers that it came by, as JSON; null where the agent sent it itself. */
  helpers: Generated<string | null>
  /** The item whose owners and maintainers decide, too; null where the account alone does. */
  itemId: Generated<string | null>
  /** Who agreed to it, where it is of an item. */
  deciderId: Generated<string | null>
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

/** A call that an agent would make, and a person decides (content/suggestions). */
export interface SuggestionTable {
  id: string
  targetType: string
  /** No reference: things of several kinds; they go with it. */
  targetId: string
  /** `bugs.triage` */
  operation: string
  /** What the operation takes, in JSON. */
  input: string
  reason: string
  /** In percent. */
  confidence: number
  state: StateIn<typeof suggestionStates>
  authorId: string
  viaClientId: string | null
  createdAt: string
  decidedById: string | null
  decidedAt: string | null
  /** Why it was refused. */
  decision: string | null
}

export interface SuggestionDatabase {
  suggestion: SuggestionTable
}
