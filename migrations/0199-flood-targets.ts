// What the author of a target had done to it when the server merged a report into it: what is done after that counts. Merges that are there already
// begin at 0: one whose target was edited before is undone, and made again. One file for both engines.
import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  for (const column of ['targetEdits', 'targetStatusChanges']) {
    await sql.raw(`alter table "mergedThing" add column "${column}" integer not null default 0`).execute(db)
  }
}
