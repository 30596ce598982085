// What accounts typed into forms of the site and did not send yet. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  await sql
    .raw(
      `create table "formDraft" (
        id ${text} primary key,
        "userId" ${text} not null references "user" (id) on delete cascade,
        path ${text} not null,
        form ${text} not null,
        fields ${text} not null,
        "updatedAt" ${text} not null,
        unique ("userId", path, form)
      )`,
    )
    .execute(db)
  await sql.raw(`create index "formDraft_updatedAt" on "formDraft" ("updatedAt")`).execute(db)
}
