// The data model: the tables of the library, the gallery and the authorization server have a page each, all others are
// here. Columns carry the names of the API's fields, so that a row is a record. Timestamps are ISO 8601 UTC text with
// milliseconds, ids are UUIDs of version 7: both sort as time does, on either engine.
import type { ControlledTransaction, Generated, Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { FeedKind } from '../contract/feed-kinds.ts'
import type { Role } from '../contract/operation.ts'
import type {
  EmailCodeTable,
  KnownBrowserTable,
  PasskeyChallengeTable,
  PasskeyTable,
  SessionTable,
} from './schema-accounts.ts'
import type {
  ItemCountTable,
  ItemDetailsTable,
  ItemTagTable,
  ItemTextTable,
  ItemVersionTable,
  LibraryItemTable,
  LibraryUploadTable,
} from './schema-library.ts'
import type { OauthDatabase } from './schema-oauth.ts'
import type { OrgImageTable, OrgPageTable, OrgRunFileTable, OrgRunTable, OrgUploadTable } from './schema-orgs.ts'

export type * from './schema-accounts.ts'
export type * from './schema-library.ts'
export type * from './schema-oauth.ts'
export type * from './schema-orgs.ts'

/** Accounts. A row is a person (or an agent's owner); only the owning slice may return its data. */
export interface UserTable {
  id: string
  /** Lower case, unique. */
  email: string
  /** When the owner verified the mailbox; null while the address is unverified. */
  emailVerifiedAt: string | null
  /** The method of verification: a mailed code of the site, or an agent's claim, which gives no role. null for older rows. */
  emailVerifiedBy: 'code' | 'claim' | null
  name: string | null
  username: string | null
  /** The username in lower case; unique. */
  usernameKey: string | null
  role: Role
  passwordHash: string | null
  blockedAt: string | null
  avatarUpdatedAt: string | null
  /** Of the picture's bytes, in hex; null for one from before there was this column. */
  avatarSha256: Generated<string | null>
  createdAt: string
  updatedAt: string
}

/** Profile fields besides the name. No row is an empty profile. */
export interface ProfileTable {
  userId: string
  tagline: string | null
  jobTitle: string | null
  company: string | null
  /** A JSON array. */
  tags: string
  githubUrl: string | null
  twitterUrl: string | null
  linkedinUrl: string | null
  websiteUrl: string | null
}

/** How often something was tried in the window that is open now. */
export interface RateLimitTable {
  key: string
  count: number
  resetsAt: string
}

/** How many bytes of files an account stores. The database keeps it in step with the rows that hold them. */
export interface StoredBytesTable {
  accountId: string
  bytes: number
  /** How many of them belong to the picture, which has no row; 0 for one that was set before this was counted. */
  avatarBytes: number
}

/** Mail that is to be sent, or was. The text is encrypted, and wiped once it is sent. */
export interface OutboxTable {
  id: string
  recipient: string
  subject: string
  body: string | null
  createdAt: string
  attempts: number
  nextAttemptAt: string
  sentAt: string | null
}

/** Actor, action, target, time and address. Append-only. */
export interface AuditTable {
  id: string
  at: string
  actorId: string | null
  action: string
  targetType: string
  targetId: string
  detail: string | null
  reason: string | null
  address: string | null
  /** Its place in the chain, from 1, with the hash of the previous row and of this one (audit/chain.ts). */
  position: number | null
  previous: string | null
  hash: string | null
}

/** One row: the head of the audit log's chain. */
export interface AuditHeadTable {
  id: Generated<number>
  position: number
  hash: string
}

/** What the table of every subject has, and nothing else is known of (content/subject-queries.ts). */
export interface SubjectTable {
  id: string
  authorId: string
  score: number
  createdAt: string
}

export interface BugTable extends SubjectTable {
  title: string
  description: string
  status: 'open' | 'in_progress' | 'resolved' | 'wontfix'
  severity: 'low' | 'medium' | 'high' | 'critical'
  commentCount: number
  updatedAt: string
}

export interface LabelTable {
  id: string
  name: string
  /** The name in lower case; unique. */
  nameKey: string
  color: string
}

/** Includes the columns by which a list of bugs is filtered and sorted, so that the bugs of one label are an index scan too. */
export interface BugLabelTable extends Pick<BugTable, 'authorId' | 'status' | 'severity' | 'score' | 'createdAt'> {
  bugId: string
  labelId: string
}

export interface FeatureTable extends SubjectTable {
  title: string
  description: string
  status: 'open' | 'planned' | 'shipped' | 'declined'
  updatedAt: string
}

export interface PostTable extends SubjectTable {
  title: string
  body: string
}

/** One row per user and target of any kind: ids are unique over all kinds. */
export interface VoteTable {
  targetId: string
  userId: string
  value: 1 | -1
}

export interface CommentTable {
  id: string
  /** The id of a bug, org or library item, or the slug of a blog post. */
  targetId: string
  /** The type of a subject. */
  targetType: string
  authorId: string
  body: string
  createdAt: string
}

/** All entries of the feed, updated with their source in the same transaction. Private content has no row. */
export interface FeedEntryTable {
  id: string
  type: FeedKind
  title: string
  preview: string
  authorId: string
  url: string
  score: number
  commentCount: number
  createdAt: string
}

/** How many rows of a kind are in a group and have a property, so that a list knows its total without counting. */
export interface CounterTable {
  key: string
  count: number
}

/** The search text, one row per target. Indexed by trigrams on both engines. */
export interface SearchTextTable {
  /** The row number, on SQLite only (database/search.ts). */
  n?: number
  id: string
  type: string
  text: string
}

/** The target of each slug. */
export interface SlugTable {
  kind: 'workflow' | 'automation' | 'org'
  slug: string
  /** The base of the slug, before a number was added. */
  base: string
  targetId: string
}

export interface Database extends OauthDatabase {
  user: UserTable
  profile: ProfileTable
  session: SessionTable
  knownBrowser: KnownBrowserTable
  emailCode: EmailCodeTable
  passkey: PasskeyTable
  passkeyChallenge: PasskeyChallengeTable
  rateLimit: RateLimitTable
  storedBytes: StoredBytesTable
  outbox: OutboxTable
  audit: AuditTable
  auditHead: AuditHeadTable
  bug: BugTable
  label: LabelTable
  bugLabel: BugLabelTable
  feature: FeatureTable
  post: PostTable
  vote: VoteTable
  comment: CommentTable
  feedEntry: FeedEntryTable
  counter: CounterTable
  searchText: SearchTextTable
  slug: SlugTable
  orgUpload: OrgUploadTable
  orgPage: OrgPageTable
  orgImage: OrgImageTable
  orgRun: OrgRunTable
  orgRunFile: OrgRunFileTable
  libraryItem: LibraryItemTable
  itemVersion: ItemVersionTable
  itemDetails: ItemDetailsTable
  itemTag: ItemTagTable
  itemCount: ItemCountTable
  itemText: ItemTextTable
  libraryUpload: LibraryUploadTable
}

/** The pool or a transaction: for queries without a lock. */
export type Db = Kysely<Database>
/** The caller's transaction: for queries that must be atomic with others. */
export type Transaction = KyselyTransaction<Database> | ControlledTransaction<Database>
