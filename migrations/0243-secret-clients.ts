// Apps with a secret that an admin registered, and keyed hashes of their secrets. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  await sql
    .raw(
      `create table "secretClient" ("id" ${text} primary key, "name" ${text} not null, "method" ${text} not null,
      "hash" ${text} not null, "formerHash" ${text}, "formerUntil" ${text}, "createdAt" ${text} not null,
      "secretAt" ${text} not null, "lastUsedAt" ${text})`,
    )
    .execute(db)
}
