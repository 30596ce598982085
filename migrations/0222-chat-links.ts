// Users of chats who act for an account by the slash command: each for one account. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `create table "chatLink" ("id" ${text} primary key not null, "service" ${text} not null, "workspace" ${text} not null,
      "chatUser" ${text} not null, "name" ${text} not null, "userId" ${text} not null references "user" ("id") on delete cascade,
      "createdAt" ${text} not null, unique ("service", "workspace", "chatUser"))`,
    'create index "chatLink_userId" on "chatLink" ("userId", "id")',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
