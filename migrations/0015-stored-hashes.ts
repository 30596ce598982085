// Run files and pictures have the SHA-256 (hex) of their bytes, so that damage shows. Those from before have none until they
// are looked at for the first time (src/verify). One file for both engines.
import type { Kysely } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  await db.schema.alterTable('orgRunFile').addColumn('sha256', 'text').execute()
  await db.schema.alterTable('orgImage').addColumn('sha256', 'text').execute()
  await db.schema.alterTable('user').addColumn('avatarSha256', 'text').execute()
}
