// How fresh and how strong the sign-in of a person is to be that a device asks for. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    'alter table "deviceCode" add column "maxAge" integer',
    `alter table "deviceCode" add column "acrValues" ${text}`,
  ])
    await sql.raw(statement).execute(db)
}
