// Whether an inbox was ever told of something in a closed board: then what is unread in it is counted row by row, for what its account reads. One
// file for both engines.
import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  await sql.raw('alter table inbox add column "ofClosed" integer not null default 0').execute(db)
}
