// How texts and statuses changed; schema.ts has the rules for all of it.
import type { WrittenTable } from './schema-community.ts'

/** A change of a text by its author or a moderator. */
export interface RevisionTable extends WrittenTable {
  id: string
  /** The type of a subject, or `comment`. */
  targetType: string
  targetId: string
  /** The thing that it goes with: for a comment what that is on. */
  thingId: string
  editorId: string
  /** A JSON object: for each changed field the text before and the text after. */
  changes: string
  createdAt: string
}

/** A change of the status of a bug or a feature request. */
export interface StatusChangeTable extends WrittenTable {
  id: string
  targetType: string
  targetId: string
  actorId: string
  from: string
  to: string
  reason: string | null
  createdAt: string
}

export interface HistoryDatabase {
  revision: RevisionTable
  statusChange: StatusChangeTable
}
