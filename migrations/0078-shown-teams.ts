// Members say whether their profile names a team that they belong to, and version 3 of the search finds teams: where there
// are none, its index is the one of version 2. One file for both engines.
import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  await sql`alter table "teamMember" add column shown integer not null default 1`.execute(db)
  await sql`update "searchBuild" set version = 3
    where version = 2 and not exists (select 1 from team)`.execute(db)
}
