// Exports of what an account made, prepared in the background and kept for a week, and changes of address, which the owner of the
// old mailbox can undo for a time. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of statements(text)) await sql.raw(statement).execute(db)
}

const ofUser = (text: string) => `"userId" ${text} not null references "user" ("id") on delete cascade`

const statements = (text: string) => [
  `create table "dataExport" ("id" ${text} not null primary key, ${ofUser(text)}, "requestedAt" ${text} not null,
    "readyAt" ${text}, "failedAt" ${text}, "expiresAt" ${text}, "sha256" ${text}, "size" bigint, "files" integer,
    "attempts" integer not null, "leasedUntil" ${text} not null)`,
  'create index "dataExport_user" on "dataExport" ("userId", "id")',
  `create index "dataExport_waiting" on "dataExport" ("id") where "readyAt" is null and "failedAt" is null`,
  'create index "dataExport_sha256" on "dataExport" ("sha256") where "sha256" is not null',
  `create table "emailChange" ("id" ${text} not null primary key, ${ofUser(text)}, "oldEmail" ${text} not null,
    "oldVerifiedAt" ${text} not null, "oldVerifiedBy" ${text}, "role" ${text} not null, "tokenHash" ${text} not null unique,
    "changedAt" ${text} not null, "undoUntil" ${text} not null)`,
  'create index "emailChange_oldEmail" on "emailChange" ("oldEmail")',
  'create index "emailChange_user" on "emailChange" ("userId")',
]
