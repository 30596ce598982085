// Who agreed to a version that waited, as its statement names them: an erasure finds the statements by it. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  const statements = [
    `alter table "versionStatement" add column "approverId" ${text}`,
    'create index "versionStatement_approver" on "versionStatement" ("approverId") where "approverId" is not null',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
