// What is decided about a thing beside its record; schema.ts has the rules for all of it.
import type { Generated } from 'kysely'
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
  action:
    | ('pinned' | 'unpinned' | 'locked' | 'unlocked' | 'solved' | 'unsolved' | 'assigned' | 'unassigned' | 'due')
    | ('labelled' | 'unlabelled' | 'referenced')
  /** The account that it was assigned to. */
  accountId: string | null
  /** The comment that became the answer, or was it; or the one that refers to the thing. */
  commentId: string | null
  /** The day when it is due from then on; null for none. */
  dueOn: string | null
  /** The label that was put on it or taken off. */
  labelId: string | null
  /** The thing whose text, or whose comment, refers to it. */
  fromId: string | null
  reason: string | null
  createdAt: string
}

/** That an account opened a thing, and whether it bookmarked it. One row of each account and thing; for a list one with its type. */
export interface ThreadVisitTable {
  userId: string
  thingId: string
  /** Up to when the account saw what is new. */
  seenAt: string
  bookmarkedAt: string | null
  /** Of a list: when the visit before ended. */
  beforeAt: Generated<string | null>
}

export interface ThreadsDatabase {
  threadState: ThreadStateTable
  assignment: AssignmentTable
  threadChange: ThreadChangeTable
  threadVisit: ThreadVisitTable
}
