// The list of drafts of releases: they are hidden for that reason alone. One file for both engines.
import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  await sql`create index "release_drafts" on "release" ("createdAt", "id") where "hidden" = 32`.execute(db)
}
