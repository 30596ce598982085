// Suggestions of agents; schema.ts has the rules for all of it.
import type { StateIn, suggestionStates } from '../contract/states.ts'

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
