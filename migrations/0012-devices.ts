// A session says what it was opened with, in a few words; those from before say nothing. One file for both engines.
import type { Kysely } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  await db.schema.alterTable('session').addColumn('device', 'text').execute()
}
