// The place of items in the order of the best (library/outcome-figures/rules.ts), with an index for each list. Items that were downloaded are ranked
// again in the background; others have the rank of an item without reports and downloads. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const UNKNOWN = 2_067_065

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  const order = '"rank", "updatedAt", "id"'
  for (const statement of [
    `alter table "libraryItem" add column "rank" integer not null default ${UNKNOWN}`,
    `create index "libraryItem_listed_best" on "libraryItem" ("listed", ${order})`,
    `create index "libraryItem_listed_kind_best" on "libraryItem" ("listed", "kind", ${order})`,
    `create index "libraryItem_visibility_best" on "libraryItem" ("visibility", ${order}) where "listed" = 1`,
    `create index "libraryItem_visibility_kind_best" on "libraryItem" ("visibility", "kind", ${order}) where "listed" = 1`,
    `create index "libraryItem_ownerId_best" on "libraryItem" ("ownerId", ${order})`,
    `create table "staleRank" ("itemId" ${text} primary key references "libraryItem" ("id") on delete cascade, "since" ${text} not null)`,
    'create index "staleRank_waiting" on "staleRank" ("since", "itemId")',
    `insert into "staleRank" ("itemId", "since") select "itemId", '2026-01-01T00:00:00.000Z' from "itemDownloads"`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}
