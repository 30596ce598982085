// What was reported is kept for the case, as the reporter saw it. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  const statements = [
    `create table "evidence" ("id" ${text} not null primary key, "targetType" ${text} not null, "targetId" ${text} not null,
      "authorId" ${text} not null, "title" ${text} not null, "text" ${text} not null, "createdAt" ${text} not null,
      "waiting" integer not null, "deleteAt" ${text})`,
    'create index "evidence_target" on "evidence" ("targetId", "id")',
    'create index "evidence_author" on "evidence" ("authorId")',
    'create index "evidence_end" on "evidence" ("deleteAt") where "deleteAt" is not null',
    ...(isPostgres ? [changed('evidence')] : []),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const changed = (table: string) =>
  `create trigger "changed" after insert or update or delete or truncate on "${table}" for each statement execute function "notify_change"()`
