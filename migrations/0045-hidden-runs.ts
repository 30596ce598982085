// Runs of orgs can be hidden, as everything else that an account wrote: what blocks and removals of everything hide is looked at again, so
// that runs are hidden and counted no more. And cases are found by their thing. One file for both engines.
import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run('alter table "orgRun" add column "hidden" integer not null default 0')
  await run('drop index "orgRun_orgId_createdAt_id"')
  await run('create index "orgRun_orgId_createdAt_id" on "orgRun" ("orgId", "createdAt", "id") where "hidden" = 0')
  // The rows of an org go with it, hidden or not.
  await run('create index "orgRun_org" on "orgRun" ("orgId")')
  await run('create index "moderationCase_target" on "moderationCase" ("targetId", "id")')
  await run(`update "accountSweep" set "place" = '', "done" = 0, "total" = null, "doneAt" = null where "isOn" = 1`)
}
