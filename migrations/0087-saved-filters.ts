// Lists as an account filtered them, under names of its own. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  await sql
    .raw(
      `create table "savedFilter" (
        id ${text} primary key,
        "userId" ${text} not null references "user" (id) on delete cascade,
        name ${text} not null,
        path ${text} not null,
        "createdAt" ${text} not null,
        unique ("userId", path)
      )`,
    )
    .execute(db)
}
