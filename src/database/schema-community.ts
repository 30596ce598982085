// The tables of the community: bugs, feature requests and posts, with what is said of them and how they changed.
import type { Generated } from 'kysely'
import type { ReactionKind } from '../contract/reaction-kinds.ts'

/** What carries who wrote it (content/via.ts). */
export interface WrittenTable {
  /** The client with whose token it was written; null in a browser. */
  viaClientId: string | null
}

/** What the table of every subject has, and nothing else is known of (content/subject-queries.ts). */
export interface SubjectTable extends WrittenTable {
  id: string
  authorId: string
  score: number
  createdAt: string
  /** Why it is hidden, as bits (content/hiding/rules.ts); 0 for what shows. */
  hidden: Generated<number>
}

/** Bugs, feature requests and posts share one sequence of numbers, with gaps. */
interface NumberedTable extends SubjectTable {
  number: number
  commentCount: number
  /** When the text was changed last; null for never. */
  editedAt: string | null
  revisionCount: Generated<number>
  /** How many things were merged into it. */
  mergedCount: Generated<number>
}

/** What has a status counts its changes. */
interface DecidedTable extends NumberedTable {
  statusChangeCount: Generated<number>
}

export interface BugTable extends DecidedTable {
  title: string
  description: string
  status: 'open' | 'in_progress' | 'resolved' | 'wontfix'
  severity: 'low' | 'medium' | 'high' | 'critical'
  updatedAt: string
}

export interface LabelTable {
  id: string
  name: string
  /** The name in lower case; unique. */
  nameKey: string
  color: string
  /** What it is for; null where its makers wrote none. */
  description: string | null
}

/** Includes the columns by which a list of bugs is filtered and sorted, so that the bugs of one label are an index scan too. */
export interface BugLabelTable extends Pick<BugTable, 'authorId' | 'status' | 'severity' | 'score' | 'createdAt'> {
  bugId: string
  labelId: string
  /** As the bug's. */
  hidden: number
}

export interface FeatureTable extends DecidedTable {
  title: string
  description: string
  status: 'open' | 'planned' | 'shipped' | 'declined'
  updatedAt: string
}

export interface PostTable extends NumberedTable {
  title: string
  body: string
}

/** An entry of the changelog. */
export interface ReleaseTable extends Omit<NumberedTable, 'mergedCount'> {
  title: string
  body: string
  version: string
  /** YYYY-MM-DD. */
  date: string
  /** Numbers, with commas. */
  closes: string
  /** A JSON array of what it has still to close, each with its type and id; null for nothing. */
  pending: string | null
}

/** One row per user and target of any kind: ids are unique over all kinds. */
export interface VoteTable {
  targetId: string
  userId: string
  value: 1 | -1
}

export interface CommentTable extends WrittenTable {
  id: string
  /** The id of a bug, org or library item, or the slug of a blog post. */
  targetId: string
  /** The type of a subject. */
  targetType: string
  authorId: string
  /** The comment that it replies to, which is no reply itself; null for none. */
  parentId: string | null
  /** What it is listed under: `parentId`, or `targetId` if that is null or hidden. */
  thread: string
  /** How many comments that are not hidden are listed under it. */
  replyCount: number
  /** Why it is hidden, as bits (content/hiding/rules.ts); 0 for what shows. */
  hidden: Generated<number>
  /** How many reactions it has, of each kind and in all. */
  score: number
  thumbs_up: number
  heart: number
  hooray: number
  laugh: number
  confused: number
  eyes: number
  body: string
  createdAt: string
  /** When the text was changed last; null for never. */
  editedAt: string | null
  revisionCount: Generated<number>
}

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

/** One row per comment, user and kind of reaction. */
export interface ReactionTable {
  commentId: string
  userId: string
  reaction: ReactionKind
}

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
