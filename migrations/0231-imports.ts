// Imports from other trackers: what was read and waits to be written, what became of each thing, and whole texts. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `create table "import" ("id" ${text} primary key, "source" ${text} not null, "name" ${text} not null, "state" ${text} not null,
      "cursor" ${text} not null, "options" ${text} not null, "report" ${text} not null, "done" ${text} not null, "total" integer not null,
      "firstNumber" integer, "createdBy" ${text}, "createdAt" ${text} not null, "endedAt" ${text}, "error" ${text})`,
    'create index "import_created" on "import" ("createdAt", "id")',
    `create table "importRecord" ("importId" ${text} not null references "import" ("id") on delete cascade, "sortKey" ${text} not null,
      "body" ${text} not null, primary key ("importId", "sortKey"))`,
    // The scope is a source and the name of what came from it, such as a repository.
    `create table "imported" ("scope" ${text} not null, "type" ${text} not null, "sourceId" ${text} not null, "importId" ${text} not null,
      "thingId" ${text} not null, "number" integer, "ownNumber" integer, "url" ${text}, primary key ("scope", "type", "sourceId"))`,
    'create index "imported_import" on "imported" ("importId", "type", "sourceId")',
    'create index "imported_thing" on "imported" ("thingId")',
    'create index "imported_number" on "imported" ("scope", "number") where "number" is not null',
    'create index "imported_url" on "imported" ("url") where "url" is not null',
    `create table "fullText" ("thingId" ${text} primary key, "text" ${text} not null)`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}
