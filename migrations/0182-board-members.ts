// Who is invited to a board, and the board that a link invites to. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  const notify = (table: string) =>
    `create trigger "changed" after insert or update or delete or truncate on "${table}" for each statement execute function "notify_change"()`
  const statements = [
    `create table "boardMember" ("boardId" ${text} not null, "userId" ${text} not null references "user" ("id") on delete cascade,
      "createdAt" ${text} not null, primary key ("boardId", "userId"))`,
    'create index "boardMember_user" on "boardMember" ("userId")',
    `create table "boardInvitation" ("linkId" ${text} primary key, "boardId" ${text} not null)`,
    ...(isPostgres ? ['boardMember', 'boardInvitation'].map(notify) : []),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
