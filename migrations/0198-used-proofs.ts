// Proofs of work that were used, so that none is used twice. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  const statements = [
    `create table "usedProof" ("hash" ${text} primary key not null, "expiresAt" ${text} not null)`,
    'create index "usedProof_expiresAt" on "usedProof" ("expiresAt")',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
