// Labels and references in the history of things, and what each account saw and bookmarked. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `alter table "threadChange" add column "labelId" ${text}`,
    `alter table "threadChange" add column "fromId" ${text}`,
    'create index "threadChange_from" on "threadChange" ("fromId") where "fromId" is not null',
    `create table "threadVisit" ("userId" ${text} not null references "user" ("id") on delete cascade, "thingId" ${text} not null,
      "seenAt" ${text} not null, "bookmarkedAt" ${text}, primary key ("userId", "thingId"))`,
    'create index "threadVisit_thing" on "threadVisit" ("thingId")',
    'create index "threadVisit_bookmarked" on "threadVisit" ("userId", "bookmarkedAt", "thingId") where "bookmarkedAt" is not null',
    'create index "threadVisit_old" on "threadVisit" ("seenAt") where "bookmarkedAt" is null',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
