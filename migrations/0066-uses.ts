// What an item names counts as a use while it is named by the current version of an item that lists have: such rows are marked, and in
// an index of their own, so that a page of uses is a scan of it. One file for both engines.
import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run(`alter table dependency add column "shown" integer not null default 0`)
  await run(`update dependency set "shown" = 1 where exists (select 1 from "libraryItem" i
    where i.id = dependency."itemId" and i.version = dependency.version and i.listed = 1)`)
  await run('drop index "dependency_named"')
  await run('create index "dependency_shown" on dependency ("kind", "slug", "itemId") where "shown" = 1')
}
