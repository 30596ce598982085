// Programs of members that are known by the ID tokens of an issuer, without a secret. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  const statements = [
    `create table "workload" ("id" ${text} primary key not null,
      "userId" ${text} not null references "user" ("id") on delete cascade,
      "name" ${text} not null, "issuer" ${text} not null, "subject" ${text} not null, "claims" ${text} not null,
      "scope" ${text} not null, "bounds" ${text}, "createdAt" ${text} not null, "lastUsedAt" ${text})`,
    'create index "workload_user" on "workload" ("userId")',
    ...(isPostgres
      ? [
          'create trigger "changed" after insert or update or delete or truncate on "workload" for each statement execute function "notify_change"()',
        ]
      : []),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
