// Filters of lists that are shared in a board: null is the first board, as for things. They stay when the account goes that shared them. One file for
// both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  const statements = [
    `create table "sharedFilter" ("id" ${text} primary key, "boardId" ${text} references "board" ("id") on delete cascade,
      "userId" ${text} references "user" ("id") on delete set null, "name" ${text} not null, "path" ${text} not null,
      "createdAt" ${text} not null)`,
    'create unique index "sharedFilter_board" on "sharedFilter" ("boardId", "path") where "boardId" is not null',
    'create unique index "sharedFilter_first" on "sharedFilter" ("path") where "boardId" is null',
    'create index "sharedFilter_user" on "sharedFilter" ("userId") where "userId" is not null',
    ...(isPostgres
      ? [
          'create trigger "changed" after insert or update or delete or truncate on "sharedFilter" for each statement execute function "notify_change"()',
        ]
      : []),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
