// The data model: accounts, the community, the library, the gallery and the authorization server have a page each, all others are
// here. Columns carry the names of the API's fields, so that a row is a record. Timestamps are ISO 8601 UTC text with
// milliseconds, ids are UUIDs of version 7: both sort as time does, on either engine.
import type { ColumnType, ControlledTransaction, Generated, Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { FeedKind } from '../contract/feed-kinds.ts'
import type { Role } from '../contract/operation.ts'
import type {
  AccountDeletionTable,
  AccountSweepTable,
  DataExportTable,
  EmailChangeTable,
  EmailCodeTable,
  ExternalIdentityTable,
  KnownBrowserTable,
  PasskeyChallengeTable,
  PasskeyTable,
  SessionTable,
  SignUpInvitationTable,
} from './schema-accounts.ts'
import type {
  BugLabelTable,
  BugTable,
  CommentTable,
  FeatureTable,
  LabelTable,
  MergedPartTable,
  MergedThingTable,
  MergeUndoTable,
  PostTable,
  ReactionTable,
  ReleaseTable,
  RevisionTable,
  StatusChangeTable,
  VoteTable,
  WrittenTable,
} from './schema-community.ts'
import type {
  CountedDownloadTable,
  DayDownloadsTable,
  DependencyTable,
  ItemCountTable,
  ItemDownloadsTable,
  ItemTagTable,
  ItemTextTable,
  ItemVersionTable,
  LibraryItemTable,
  LibraryUploadTable,
  UseFillingTable,
  VersionDetailsTable,
  VersionDownloadsTable,
  VersionPermissionsTable,
  VersionScanTable,
} from './schema-library.ts'
import type { ModerationDatabase } from './schema-moderation.ts'
import type { NotificationsDatabase } from './schema-notifications.ts'
import type { OauthDatabase } from './schema-oauth.ts'
import type { OrgsDatabase } from './schema-orgs.ts'
import type { OwnersDatabase } from './schema-owners.ts'
import type { RequestsDatabase } from './schema-requests.ts'
import type {
  SearchBuildTable,
  SearchCountTable,
  SearchDocumentTable,
  SearchTextTable,
  SearchWordTable,
} from './schema-search.ts'
import type { TransparencyDatabase } from './schema-transparency.ts'
import type { WebhooksDatabase } from './schema-webhooks.ts'
import type { WritingDatabase } from './schema-writing.ts'

export type * from './schema-accounts.ts'
export type * from './schema-community.ts'
export type * from './schema-library.ts'
export type * from './schema-moderation.ts'
export type * from './schema-notifications.ts'
export type * from './schema-oauth.ts'
export type * from './schema-orgs.ts'
export type * from './schema-owners.ts'
export type * from './schema-requests.ts'
export type * from './schema-search.ts'
export type * from './schema-transparency.ts'
export type * from './schema-webhooks.ts'
export type * from './schema-writing.ts'

/** Accounts. A row is a person (or an agent's owner); only the owning slice may return its data. */
export interface UserTable {
  id: string
  /** Lower case, unique. */
  email: string
  /** When the owner verified the mailbox; null while the address is unverified. */
  emailVerifiedAt: string | null
  /** The method of verification: a mailed code of the site; or an agent's claim, a change of address or an external provider, which give no role. null for older rows. */
  emailVerifiedBy: 'code' | 'claim' | 'change' | 'external' | null
  name: string | null
  username: string | null
  /** The username in lower case; unique. */
  usernameKey: string | null
  role: Role
  passwordHash: string | null
  blockedAt: string | null
  avatarUpdatedAt: string | null
  /** When the account will be erased; null unless its deletion was asked for. Until then its sessions can only cancel that. */
  deletionAt: Generated<string | null>
  /** Of the picture's bytes, in hex; null for one from before there was this column. */
  avatarSha256: Generated<string | null>
  /** Of its pages and mails, by its own choice; null leaves pages to the browser. */
  language: Generated<string | null>
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
  unsubscribeUrl: string | null
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

/** All entries of the feed, updated with their source in the same transaction. Private content has no row. */
export interface FeedEntryTable extends WrittenTable {
  id: string
  type: FeedKind
  title: string
  preview: string
  authorId: string
  url: string
  /** Of a bug, a feature request or a post; null for others. Unique. */
  number: number | null
  score: number
  commentCount: number
  createdAt: string
  /** What trends: the database derives it (migration 0085). */
  heat: ColumnType<number, never, never>
}

/** How many rows of a kind are in a group and have a property, so that a list knows its total without counting. */
export interface CounterTable {
  key: string
  count: number
}

/** The target of each slug. */
export interface SlugTable {
  kind: 'workflow' | 'automation' | 'org' | 'team'
  slug: string
  /** The base of the slug, before a number was added. */
  base: string
  targetId: string
}

/** Slugs of what is gone: others may install it by that name, so only its account can take it again. */
export interface KeptSlugTable {
  kind: SlugTable['kind']
  slug: string
  ownerId: string
}

/** The last removal of stored bytes under a name (storage/blob-lifecycle.ts). */
export interface BlobRemovalTable {
  name: string
  id: string
  startedAt: string
  /** null until the store has answered, and when it never did. */
  endedAt: string | null
}

export interface Database
  extends OauthDatabase,
    NotificationsDatabase,
    OrgsDatabase,
    ModerationDatabase,
    OwnersDatabase,
    RequestsDatabase,
    TransparencyDatabase,
    WebhooksDatabase,
    WritingDatabase {
  user: UserTable
  profile: ProfileTable
  accountSweep: AccountSweepTable
  session: SessionTable
  knownBrowser: KnownBrowserTable
  emailCode: EmailCodeTable
  passkey: PasskeyTable
  passkeyChallenge: PasskeyChallengeTable
  signUpInvitation: SignUpInvitationTable
  accountDeletion: AccountDeletionTable
  dataExport: DataExportTable
  emailChange: EmailChangeTable
  externalIdentity: ExternalIdentityTable
  rateLimit: RateLimitTable
  storedBytes: StoredBytesTable
  outbox: OutboxTable
  blobRemoval: BlobRemovalTable
  audit: AuditTable
  auditHead: AuditHeadTable
  bug: BugTable
  label: LabelTable
  bugLabel: BugLabelTable
  feature: FeatureTable
  post: PostTable
  vote: VoteTable
  comment: CommentTable
  reaction: ReactionTable
  revision: RevisionTable
  statusChange: StatusChangeTable
  mergedThing: MergedThingTable
  mergedPart: MergedPartTable
  mergeUndo: MergeUndoTable
  release: ReleaseTable
  feedEntry: FeedEntryTable
  counter: CounterTable
  searchText: SearchTextTable
  searchDocument: SearchDocumentTable
  searchWord: SearchWordTable
  searchCount: SearchCountTable
  searchBuild: SearchBuildTable
  slug: SlugTable
  keptSlug: KeptSlugTable
  libraryItem: LibraryItemTable
  itemVersion: ItemVersionTable
  versionDetails: VersionDetailsTable
  versionScan: VersionScanTable
  versionPermissions: VersionPermissionsTable
  itemTag: ItemTagTable
  dependency: DependencyTable
  useFilling: UseFillingTable
  itemDownloads: ItemDownloadsTable
  versionDownloads: VersionDownloadsTable
  dayDownloads: DayDownloadsTable
  countedDownload: CountedDownloadTable
  itemCount: ItemCountTable
  itemText: ItemTextTable
  libraryUpload: LibraryUploadTable
}

/** The pool or a transaction: for queries without a lock. */
export type Db = Kysely<Database>
/** The caller's transaction: for queries that must be atomic with others. */
export type Transaction = KyselyTransaction<Database> | ControlledTransaction<Database>
