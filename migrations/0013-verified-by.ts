// Remembers what verified an address: a claim gives no role, neither at once nor at the next start. Hashes of codes made
// without a key go: they give a code away to a reader of the database. A code that waits for its use has to be mailed again.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  await db.schema
    .alterTable('user')
    .addColumn('emailVerifiedBy', postgres ? sql`text collate "C"` : sql`text`)
    .execute()
  await db.deleteFrom('emailCode').execute()
  // Claims stay, because they count.
  await db.updateTable('claim').set({ codeHash: '' }).execute()
}
