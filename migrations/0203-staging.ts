// Items whose versions wait for a person when a program publishes them, and who agreed to one. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  const statements = [
    `create table "stagedItem" ("itemId" ${text} primary key not null references "libraryItem" ("id") on delete cascade, "since" ${text} not null)`,
    `alter table "pendingAct" add column "itemId" ${text}`,
    `alter table "pendingAct" add column "deciderId" ${text}`,
    'create index "pendingAct_item" on "pendingAct" ("itemId") where "itemId" is not null',
    'create index "pendingAct_decider" on "pendingAct" ("deciderId") where "deciderId" is not null',
    ...(isPostgres
      ? [
          'create trigger "changed" after insert or update or delete or truncate on "stagedItem" for each statement execute function "notify_change"()',
        ]
      : []),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
