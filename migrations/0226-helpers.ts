// Agents below agents: when a token that was handed on was last used, grants that their accounts ended, the helper whose write waits, and
// the things of an agent with those of its helpers. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  const client = isPostgres
    ? `split_part("viaClientId", chr(10), 1)`
    : `substr("viaClientId", 1, instr("viaClientId" || char(10), char(10)) - 1)`
  for (const statement of [
    `alter table "oauthToken" add column "lastUsedAt" ${text}`,
    `alter table "pendingAct" add column "helpers" ${text}`,
    `create table "endedGrant" ("grantId" ${text} primary key, "expiresAt" ${text} not null)`,
    'create index "endedGrant_expiry" on "endedGrant" ("expiresAt")',
    `create index "searchDocument_agent" on "searchDocument" ((${client}), "id") where "viaClientId" is not null`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}
