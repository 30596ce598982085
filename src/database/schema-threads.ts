// What is decided about a thing beside its record; schema.ts has the rules for all of it.
import type { WrittenTable } from './schema-community.ts'

/** There is a row for a thing of which something was decided once. It stays while the thing is merged into another one. */
export interface ThreadStateTable {
  /** Of a bug, a feature request or a post. */
  id: string
  type: string
  pinnedAt: string | null
  lockedAt: string | null
  /** The comment that is the answer; null for none, also when the comment is deleted. */
  solutionId: string | null
  /** YYYY-MM-DD. */
  dueOn: string | null
}

/** An account that a thing is assigned to. */
export interface AssignmentTable {
  thingId: string
  userId: string
  createdAt: string
}

/** A change of all of that, for the history of the thing. */
export interface ThreadChangeTable extends WrittenTable {
  id: string
  targetType: string
  targetId: string
  actorId: string
  action: 'pinned' | 'unpinned' | 'locked' | 'unlocked' | 'solved' | 'unsolved' | 'assigned' | 'unassigned' | 'due'
  /** The account that it was assigned to. */
  accountId: string | null
  /** The comment that became the answer, or was it. */
  commentId: string | null
  /** The day when it is due from then on; null for none. */
  dueOn: string | null
  reason: string | null
  createdAt: string
}

export interface ThreadsDatabase {
  threadState: ThreadStateTable
  assignment: AssignmentTable
  threadChange: ThreadChangeTable
}
