// Suggestions of agents, which people accept or refuse. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  const statements = [
    `create table "suggestion" ("id" ${text} primary key, "targetType" ${text} not null, "targetId" ${text} not null,
      "operation" ${text} not null, "input" ${text} not null, "reason" ${text} not null, "confidence" integer not null,
      "state" ${text} not null, "authorId" ${text} not null references "user" ("id"), "viaClientId" ${text}, "createdAt" ${text} not null,
      "decidedById" ${text}, "decidedAt" ${text}, "decision" ${text})`,
    'create index "suggestion_target" on "suggestion" ("targetId", "state", "id")',
    'create index "suggestion_state" on "suggestion" ("state", "id")',
    'create index "suggestion_author" on "suggestion" ("authorId", "state", "id")',
    'create index "suggestion_decider" on "suggestion" ("decidedById")',
    ...(isPostgres
      ? [
          'create trigger "changed" after insert or update or delete or truncate on "suggestion" for each statement execute function "notify_change"()',
        ]
      : []),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
