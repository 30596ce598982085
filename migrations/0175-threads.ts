// What is decided about a thing beside its record: pins, locks, solutions, days when it is due and assignees, and how they changed. One file
// for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const statement of [...tablesOf(isPostgres), ...(isPostgres ? TABLES.map(changed) : [])]) {
    await sql.raw(statement).execute(db)
  }
}

const TABLES = ['threadState', 'assignment', 'threadChange']

function tablesOf(isPostgres: boolean): string[] {
  const optional = isPostgres ? 'text collate "C"' : 'text'
  const text = `${optional} not null`
  const withoutRowid = isPostgres ? '' : ' without rowid'
  return [
    `create table "threadState" ("id" ${text} primary key, "type" ${text}, "pinnedAt" ${optional}, "lockedAt" ${optional},
      "solutionId" ${optional} references "comment" ("id") on delete set null, "dueOn" ${optional})${withoutRowid}`,
    `create index "threadState_pinned" on "threadState" ("type", "id") where "pinnedAt" is not null`,
    `create index "threadState_due" on "threadState" ("dueOn", "id") where "dueOn" is not null`,
    `create index "threadState_solution" on "threadState" ("solutionId") where "solutionId" is not null`,
    `create table "assignment" ("thingId" ${text}, "userId" ${text}, "createdAt" ${text},
      primary key ("thingId", "userId"))${withoutRowid}`,
    `create index "assignment_user" on "assignment" ("userId", "thingId")`,
    `create table "threadChange" ("id" ${text} primary key, "targetType" ${text}, "targetId" ${text}, "actorId" ${text},
      "viaClientId" ${optional}, "action" ${text}, "accountId" ${optional}, "commentId" ${optional}, "dueOn" ${optional},
      "reason" ${optional}, "createdAt" ${text})${withoutRowid}`,
    `create index "threadChange_target" on "threadChange" ("targetId", "createdAt", "id")`,
    `create index "threadChange_actor" on "threadChange" ("actorId", "id")`,
    `create index "threadChange_account" on "threadChange" ("accountId", "id") where "accountId" is not null`,
  ]
}

const changed = (table: string) =>
  `create trigger "changed" after insert or update or delete or truncate on "${table}" for each statement execute function "notify_change"()`
