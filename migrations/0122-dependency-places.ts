// In which order a file names items. The files of current versions are read again for it, and for what texts of workflows name. One file for
// both engines.
import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  await sql.raw('alter table dependency add column place integer').execute(db)
  await sql.raw(`update "useFilling" set "after" = '', "doneAt" = null`).execute(db)
}
