// Totals of the library's lists are counters, as those of every list; `itemCount` keeps how many items carry a tag. One file for both
// engines.
import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  await sql`insert into counter (key, count)
    select 'item/all/' || visibility || '/' || kind || '/', count(*) from "libraryItem" where listed = 1 group by 1`.execute(
    db,
  )
  await sql`insert into counter (key, count)
    select 'item/by/' || "ownerId" || '/' || visibility || '/' || kind || '/', count(*) from "libraryItem" group by 1`.execute(
    db,
  )
  await sql`delete from "itemCount" where tag = ''`.execute(db)
}
