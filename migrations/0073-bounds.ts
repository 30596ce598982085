// What an account lets one of its agents do at most: with its grant, and with what is asked for before there is one.
import type { Kysely } from 'kysely'
import { PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const table of ['grant', 'deviceCode']) {
    await sql.raw(`alter table "${table}" add column "bounds" ${text}`).execute(db)
  }
}
