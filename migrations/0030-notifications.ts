// Following, and what members are notified of. An event is written once, by the transaction that caused it; notifications are made from
// it in batches. Each account has an inbox with its counters and settings. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  for (const statement of tables(text)) await run(statement)
  for (const statement of postgres ? countingOnPostgres : countingOnSqlite) await run(statement)
  if (!postgres) return
  for (const table of ['follow', 'inbox', 'notification']) {
    await run(`create trigger "changed" after insert or update or delete or truncate on "${table}"
      for each statement execute function "notify_change"()`)
  }
}

const tables = (text: string) => [
  `create table "follow" ("targetId" ${text} not null, "userId" ${text} not null, "state" ${text} not null,
    "createdAt" ${text} not null, primary key ("targetId", "userId"))`,
  `create table "event" ("id" ${text} not null primary key, "kind" ${text} not null, "targetType" ${text} not null,
    "targetId" ${text} not null, "number" integer, "title" ${text} not null, "url" ${text} not null, "actorId" ${text},
    "commentId" ${text}, "excerpt" ${text} not null, "detail" ${text}, "mentioned" ${text} not null, "repliedTo" ${text},
    "createdAt" ${text} not null, "place" ${text} not null, "recipients" integer not null, "doneAt" ${text})`,
  `create index "event_pending" on "event" ("id") where "doneAt" is null`,
  `create index "event_target" on "event" ("targetId")`,
  `create index "event_actor" on "event" ("actorId")`,
  `create index "event_comment" on "event" ("commentId") where "commentId" is not null`,
  `create index "event_done" on "event" ("doneAt") where "recipients" = 0 and "doneAt" is not null`,
  `create table "inbox" ("userId" ${text} not null primary key, "last" integer not null default 0,
    "unread" integer not null default 0, "followWritten" integer, "followAnswered" integer, "followVoted" integer,
    "mention" ${text}, "reply" ${text}, "comment" ${text}, "status" ${text}, "version" ${text},
    "mailAfter" ${text} not null default '', "dailyUntil" ${text} not null default '', "weeklyUntil" ${text} not null default '')`,
  `create table "notification" ("userId" ${text} not null, "n" integer not null,
    "eventId" ${text} not null references "event" ("id"), "kind" ${text} not null, "read" integer not null,
    "createdAt" ${text} not null, "mail" ${text}, "mailAt" ${text}, primary key ("userId", "n"))`,
  `create unique index "notification_event" on "notification" ("eventId", "userId")`,
  `create index "notification_unread" on "notification" ("userId", "n") where "read" = 0`,
  `create index "notification_read" on "notification" ("createdAt") where "read" = 1`,
  `create index "notification_mail" on "notification" ("mailAt", "userId") where "mailAt" is not null`,
]

/** An event knows how many notifications there are of it: it is removed after the last. */
const fewer = `update "event" set "recipients" = "recipients" - 1 where "id" = old."eventId";`

const countingOnSqlite = [`create trigger "event_recipients" after delete on "notification" begin ${fewer} end`]

const countingOnPostgres = [
  `create function "event_recipients"() returns trigger language plpgsql as $$ begin ${fewer} return null; end $$`,
  `create trigger "event_recipients" after delete on "notification" for each row execute function "event_recipients"()`,
]
