// The tables of the community: bugs, feature requests and posts, with what is said of them and how they changed.
import type { ColumnType, Generated } from 'kysely'

/** What carries who wrote it (content/via.ts). */
export interface WrittenTable {
  /** The client with whose token it was written; null in a browser. */
  viaClientId: string | null
}

/** The columns that the tables of all subjects share (content/store/queries.ts). */
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
  /** The board that it is in; null for the first one. */
  boardId: Generated<string | null>
}

/** What lists show in the order of what happened last. */
interface ActiveTable {
  /** When something happened to it last; null for never since it was written. */
  touchedAt: Generated<string | null>
  /** The same, or when it was written: the database derives it (migration 0246). */
  activeAt: ColumnType<string, never, never>
}

/** What has a status counts its changes. */
interface DecidedTable extends NumberedTable, ActiveTable {
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
  /** Its purpose; null if none was written. */
  description: string | null
}

/** Includes the columns by which a list is filtered and sorted, so that the things of one label are an index scan too. */
interface ThingLabelTable extends Pick<SubjectTable, 'authorId' | 'score' | 'createdAt'>, ActiveTable {
  labelId: string
  /** As that of the thing. */
  hidden: number
}

interface BugLabelTable extends ThingLabelTable, Pick<BugTable, 'status' | 'severity'> {
  bugId: string
}

interface FeatureLabelTable extends ThingLabelTable, Pick<FeatureTable, 'status'> {
  featureId: string
}

interface PostLabelTable extends ThingLabelTable {
  postId: string
}

export interface FeatureTable extends DecidedTable {
  title: string
  description: string
  status: 'open' | 'planned' | 'shipped' | 'declined'
  updatedAt: string
}

export interface PostTable extends NumberedTable, ActiveTable {
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
  /** A JSON array of the type and id of each thing that is still to be closed; null for none. */
  pending: string | null
}

export interface CommunityDatabase {
  bug: BugTable
  label: LabelTable
  bugLabel: BugLabelTable
  feature: FeatureTable
  featureLabel: FeatureLabelTable
  post: PostTable
  postLabel: PostLabelTable
  release: ReleaseTable
}
