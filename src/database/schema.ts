// The data model: a page for each part of it, named by its file. Columns carry the names of the API's fields, so that a row is a record.
// Timestamps are ISO 8601 UTC text with milliseconds, ids are UUIDs of version 7: both sort as time does, on either engine.
import type { ControlledTransaction, Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { AccountsDatabase } from './schema-accounts.ts'
import type { BoardDatabase } from './schema-boards.ts'
import type { CommunityDatabase } from './schema-community.ts'
import type { CredentialsDatabase } from './schema-credentials.ts'
import type { DiscussionDatabase } from './schema-discussion.ts'
import type { DownloadsDatabase } from './schema-downloads.ts'
import type { EventsDatabase } from './schema-events.ts'
import type { FeedbackDatabase } from './schema-feedback.ts'
import type { HistoryDatabase } from './schema-history.ts'
import type { ImportsDatabase } from './schema-imports.ts'
import type { LibraryDatabase } from './schema-library.ts'
import type { ListingDatabase } from './schema-listing.ts'
import type { MergingDatabase } from './schema-merging.ts'
import type { ModerationDatabase } from './schema-moderation.ts'
import type { NotificationsDatabase } from './schema-notifications.ts'
import type { OauthDatabase } from './schema-oauth.ts'
import type { OrgsDatabase } from './schema-orgs.ts'
import type { OutcomesDatabase } from './schema-outcomes.ts'
import type { PendingDatabase, SuggestionDatabase } from './schema-pending.ts'
import type { ScimDatabase } from './schema-scim.ts'
import type { SearchDatabase } from './schema-search.ts'
import type { AssistantDatabase, ServerDatabase } from './schema-server.ts'
import type { StorageDatabase } from './schema-storage.ts'
import type { TeamsDatabase } from './schema-teams.ts'
import type { ThreadsDatabase } from './schema-threads.ts'
import type { TrackersDatabase } from './schema-trackers.ts'
import type { TransparencyDatabase } from './schema-transparency.ts'
import type { UsersDatabase } from './schema-users.ts'
import type { VersionsDatabase } from './schema-versions.ts'
import type { WebhooksDatabase } from './schema-webhooks.ts'
import type { WidgetDatabase } from './schema-widget.ts'
import type { WritingDatabase } from './schema-writing.ts'

export type * from './schema-accounts.ts'
export type * from './schema-boards.ts'
export type * from './schema-community.ts'
export type * from './schema-credentials.ts'
export type * from './schema-discussion.ts'
export type * from './schema-downloads.ts'
export type * from './schema-events.ts'
export type * from './schema-feedback.ts'
export type * from './schema-history.ts'
export type * from './schema-imports.ts'
export type * from './schema-library.ts'
export type * from './schema-listing.ts'
export type * from './schema-merging.ts'
export type * from './schema-moderation.ts'
export type * from './schema-notifications.ts'
export type * from './schema-oauth.ts'
export type * from './schema-orgs.ts'
export type * from './schema-outcomes.ts'
export type * from './schema-pending.ts'
export type * from './schema-scim.ts'
export type * from './schema-search.ts'
export type * from './schema-server.ts'
export type * from './schema-storage.ts'
export type * from './schema-teams.ts'
export type * from './schema-threads.ts'
export type * from './schema-trackers.ts'
export type * from './schema-transparency.ts'
export type * from './schema-users.ts'
export type * from './schema-versions.ts'
export type * from './schema-webhooks.ts'
export type * from './schema-widget.ts'
export type * from './schema-writing.ts'

export interface Database
  extends AccountsDatabase,
    BoardDatabase,
    CommunityDatabase,
    CredentialsDatabase,
    DiscussionDatabase,
    DownloadsDatabase,
    EventsDatabase,
    FeedbackDatabase,
    HistoryDatabase,
    ImportsDatabase,
    LibraryDatabase,
    ListingDatabase,
    AssistantDatabase,
    MergingDatabase,
    ModerationDatabase,
    NotificationsDatabase,
    OauthDatabase,
    OrgsDatabase,
    OutcomesDatabase,
    PendingDatabase,
    ScimDatabase,
    SearchDatabase,
    ServerDatabase,
    StorageDatabase,
    SuggestionDatabase,
    TeamsDatabase,
    ThreadsDatabase,
    TrackersDatabase,
    TransparencyDatabase,
    UsersDatabase,
    VersionsDatabase,
    WebhooksDatabase,
    WidgetDatabase,
    WritingDatabase {}

/** The tables that have these columns. A query of one that a declaration names has the columns that all of them have. */
export type TablesWith<Column extends string> = {
  [Table in keyof Database]: [Column] extends [keyof Database[Table]] ? Table : never
}[keyof Database]

/** The pool or a transaction: for queries without a lock. */
export type Db = Kysely<Database>
/** The caller's transaction: for queries that must be atomic with others. */
export type Transaction = KyselyTransaction<Database> | ControlledTransaction<Database>
