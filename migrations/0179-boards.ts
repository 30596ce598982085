// Boards, and the board that a thing is in: null for the first one, so that no row of before changes. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const THINGS = ['bug', 'feature', 'post', 'release']

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  const statements = [
    `create table "board" ("id" ${text} primary key, "slug" ${text} not null unique, "name" ${text} not null,
      "description" ${text} not null, "position" integer not null, "readers" ${text} not null, "writers" ${text} not null,
      "moderators" ${text} not null, "statuses" ${text} not null, "labels" ${text}, "createdAt" ${text} not null,
      "updatedAt" ${text} not null, "archivedAt" ${text})`,
    ...THINGS.map((table) => `alter table "${table}" add column "boardId" ${text}`),
    ...THINGS.map(
      (table) =>
        `create index "${table}_board" on "${table}" ("boardId", "hidden", "createdAt", "id") where "boardId" is not null`,
    ),
    ...(isPostgres
      ? [
          'create trigger "changed" after insert or update or delete or truncate on "board" for each statement execute function "notify_change"()',
        ]
      : []),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
