// Reports, the cases of moderators that they open, and what was done, with its notice and an appeal. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  for (const statement of tables(postgres ? 'text collate "C"' : 'text')) await run(statement)
  if (!postgres) return
  await run(`create trigger "changed" after insert or update or delete or truncate on "moderationAct"
    for each statement execute function "notify_change"()`)
}

const tables = (text: string) => [
  `create table "moderationCase" ("id" ${text} not null primary key, "targetType" ${text} not null, "targetId" ${text} not null,
    "authorId" ${text} not null, "state" ${text} not null, "reportCount" integer not null, "held" integer not null,
    "appealCount" integer not null, "createdAt" ${text} not null, "closedAt" ${text})`,
  `create unique index "moderationCase_open" on "moderationCase" ("targetId") where "state" = 'open'`,
  `create index "moderationCase_state" on "moderationCase" ("state", "createdAt", "id")`,
  `create index "moderationCase_author" on "moderationCase" ("authorId")`,
  `create table "report" ("id" ${text} not null primary key, "caseId" ${text} not null references "moderationCase" ("id"),
    "targetId" ${text} not null, "reporterId" ${text} not null, "reason" ${text} not null, "text" ${text},
    "createdAt" ${text} not null, "closed" integer not null)`,
  `create unique index "report_open" on "report" ("targetId", "reporterId") where "closed" = 0`,
  `create index "report_case" on "report" ("caseId", "id")`,
  `create index "report_reporter" on "report" ("reporterId")`,
  `create table "moderationAct" ("id" ${text} not null primary key, "caseId" ${text}, "targetType" ${text} not null,
    "targetId" ${text} not null, "title" ${text} not null, "url" ${text} not null, "accountId" ${text} not null,
    "actorId" ${text}, "action" ${text} not null, "rule" ${text} not null, "reason" ${text} not null,
    "createdAt" ${text} not null, "undoneAt" ${text}, "purgedAt" ${text}, "appeal" ${text}, "appealedAt" ${text},
    "appealGranted" integer, "appealReason" ${text}, "appealDecidedAt" ${text})`,
  `create index "moderationAct_latest" on "moderationAct" ("createdAt", "id")`,
  `create index "moderationAct_account" on "moderationAct" ("accountId", "id")`,
  `create index "moderationAct_target" on "moderationAct" ("targetId", "id")`,
  `create index "moderationAct_actor" on "moderationAct" ("actorId")`,
  `create index "moderationAct_purge" on "moderationAct" ("createdAt")
    where "action" = 'delete' and "undoneAt" is null and "purgedAt" is null`,
]
