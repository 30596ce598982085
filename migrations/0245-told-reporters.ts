// How members are notified of the outcome of their reports, and the acts of a case by its id. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `alter table "inbox" add column "report" ${text}`,
    'create index "moderationAct_case" on "moderationAct" ("caseId", "id") where "caseId" is not null',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
