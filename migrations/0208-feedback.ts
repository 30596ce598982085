// What bugs, feature requests and comments are about: a version of an item of the library. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? 'text collate "C"' : 'text'
  for (const statement of [
    `create table "feedback" ("thingId" ${text} primary key, "type" ${text} not null, "itemId" ${text} not null,
      "number" integer not null,
      foreign key ("itemId", "number") references "itemVersion" ("itemId", "number") on delete cascade)`,
    'create index "feedback_version" on "feedback" ("itemId", "number", "type", "thingId")',
    ...(postgres
      ? [
          'create trigger "changed" after insert or update or delete or truncate on "feedback" for each statement execute function "notify_change"()',
        ]
      : []),
  ]) {
    await sql.raw(statement).execute(db)
  }
}
