// What a block or a hiding takes out of inboxes waits here, and comes back when that is undone. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const statement of statementsFor(isPostgres)) await sql.raw(statement).execute(db)
}

const statementsFor = (isPostgres: boolean) => {
  const text = isPostgres ? 'text collate "C"' : 'text'
  const tables = [
    `create table "takenNotification" ("userId" ${text} not null, "position" integer not null,
      "eventId" ${text} not null references "event" ("id") on delete cascade, "kind" ${text} not null, "read" integer not null,
      "createdAt" ${text} not null, "mail" ${text}, "mailAt" ${text}, primary key ("eventId", "userId"))`,
    'create index "takenNotification_user" on "takenNotification" ("userId")',
    'create index "takenNotification_age" on "takenNotification" ("createdAt")',
  ]
  return isPostgres ? [...tables, changed('takenNotification')] : tables
}

const changed = (table: string) =>
  `create trigger "changed" after insert or update or delete or truncate on "${table}" for each statement execute function "notify_change"()`
