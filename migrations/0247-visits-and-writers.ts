// When the visit before this one ended: a list shows members what is new since then. And the agent through which it came what a case is about,
// with an index of the cases that have one. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

/** The tables of what carries who wrote it, by the types of cases. */
const tables = {
  bug: 'bug',
  feature: 'feature',
  post: 'post',
  release: 'release',
  org: 'orgUpload',
  run: 'orgRun',
  item: 'libraryItem',
  comment: 'comment',
}

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `alter table "threadVisit" add column "beforeAt" ${text}`,
    `alter table "moderationCase" add column "viaClientId" ${text}`,
    ...Object.entries(tables).map(
      ([type, table]) => `update "moderationCase" set "viaClientId" =
        (select "viaClientId" from "${table}" where "${table}"."id" = "moderationCase"."targetId") where "targetType" = '${type}'`,
    ),
    'create index "moderationCase_agents" on "moderationCase" ("state", "createdAt", "id") where "viaClientId" is not null',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
