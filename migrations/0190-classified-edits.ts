// How often a text changed while it waits for the classifier: what was asked before such a change does not count for it. One file for both engines.
import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  await sql`alter table "classifierCheck" add column "changes" integer not null default 0`.execute(db)
}
