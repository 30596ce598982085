// Which keys the domains of names of MCP servers name, as they were asked last. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `create table "nameDomain" ("domain" ${text} primary key, "publicKeys" ${text} not null, "signedAt" ${text} not null,
      "changes" integer not null, "dueAt" ${text} not null, "askedAt" ${text}, "namedAt" ${text})`,
    'create index "nameDomain_due" on "nameDomain" ("dueAt")',
    'create index "nameDomain_asked" on "nameDomain" ("askedAt")',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
