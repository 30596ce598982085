// Version 2 of the search finds things by what was merged into them. Where nothing was merged, its index is the one of version 1. One file
// for both engines.
import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  await sql`update "searchBuild" set version = 2
    where version = 1 and not exists (select 1 from "mergedThing")`.execute(db)
}
