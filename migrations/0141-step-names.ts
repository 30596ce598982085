// What the steps of workflows are called, for the search: the files of those from before it was stored are read again. One file for both
// engines.
import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  await sql.raw(`update "useFilling" set "after" = '', "doneAt" = null`).execute(db)
}
