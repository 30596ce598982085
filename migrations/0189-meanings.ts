// What things mean, as vectors of a machine of the operator, where there is one. A vector goes with its document. The column says by which machine
// a document has one; a document that says something else by now has none. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  const statements = [
    `create table "meaning" ("id" ${text} primary key references "searchDocument" ("id") on delete cascade,
      "type" ${text} not null, "space" ${text} not null, "vector" ${text})`,
    'create index "meaning_newest" on "meaning" ("space", "type", "id")',
    `alter table "searchDocument" add column "meantBy" ${text}`,
    'create index "searchDocument_unmeant" on "searchDocument" ("type", "rowId") where "meantBy" is null',
    ...(isPostgres
      ? [
          'create trigger "changed" after insert or update or delete or truncate on "meaning" for each statement execute function "notify_change"()',
        ]
      : []),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
