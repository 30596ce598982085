// People of other trackers who act for an account, because its member proved to be them there. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `create table "trackerAccount" ("userId" ${text} not null references "user" ("id") on delete cascade, "service" ${text} not null,
      "host" ${text} not null, "personId" ${text} not null, "login" ${text} not null, "codeHash" ${text}, "expiresAt" ${text},
      "createdAt" ${text} not null, "linkedAt" ${text}, primary key ("userId", "service"))`,
    'create unique index "trackerAccount_person" on "trackerAccount" ("host", "personId") where "linkedAt" is not null',
    'create unique index "trackerAccount_code" on "trackerAccount" ("codeHash") where "codeHash" is not null',
    'create index "trackerAccount_expiresAt" on "trackerAccount" ("expiresAt") where "expiresAt" is not null',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
