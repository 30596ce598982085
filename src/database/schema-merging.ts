// Things that were merged into others, and what went over; schema.ts has the rules for all of it.

import type { Generated } from 'kysely'

/** What was merged into another thing of its type, with its own text. */
export interface MergedThingTable {
  id: string
  type: string
  number: number
  /** What it was merged into, at the end of every chain. */
  targetId: string
  title: string
  text: string
  authorId: string
  createdAt: string
  editedAt: string | null
  status: string | null
  revisionCount: number
  statusChangeCount: number
  /** A JSON array: ids of labels that the target does not have yet. */
  labels: string
  mergedBy: string
  mergedAt: string
  reason: string | null
  /** null while votes, comments or followers of it are on their way to the target. */
  doneAt: string | null
  /** What it was merged into itself; `targetId` unless that was merged later. */
  directId: string
  /** Its row as JSON, while the merge can be undone; otherwise null. */
  record: string | null
  /** As of a subject. */
  hidden: number
  /** How often the author of the target had edited it, where the server merged. */
  targetEdits: Generated<number>
  /** How often that author had changed its status, where the server merged. */
  targetStatusChanges: Generated<number>
}

/** What went over to the target of a merge, so that it can go back. */
export interface MergedPartTable {
  mergedId: string
  kind: 'vote' | 'follow' | 'comment' | 'event' | 'label'
  /** The account of a vote or a follow, the id of anything else. */
  partId: string
  /** 0 for a vote or a follow of an account that has its own on the target. */
  isAdded: 0 | 1
  /** Of one that was not added: the vote, or the follow as JSON. */
  value: string | null
}

/** A merge that is being undone: a row until everything that went over is back. */
export interface MergeUndoTable {
  /** Of the thing that was merged and is there again. */
  id: string
  type: string
  targetId: string
  undoneBy: string
  reason: string | null
  startedAt: string
}

/** A report of an agent that is to be compared with older ones (content/floods). */
export interface FloodCheckTable {
  /** Of the report. */
  id: string
  type: string
  createdAt: string
}

export interface MergingDatabase {
  floodCheck: FloodCheckTable
  mergedThing: MergedThingTable
  mergedPart: MergedPartTable
  mergeUndo: MergeUndoTable
}
