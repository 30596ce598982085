// The list of members: accounts with a username that are not blocked, newest first, and how many there are.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const isMember = (row: string) => `(${row}"usernameKey" is not null and ${row}"blockedAt" is null)`

const count = (by: 1 | -1) =>
  `insert into counter (key, count) values ('member/all/', ${by})
    on conflict (key) do update set count = counter.count + excluded.count;`

const triggers = [
  ['Added', 'insert', isMember('new.'), count(1)],
  ['Removed', 'delete', isMember('old.'), count(-1)],
  ['Joined', 'update of "usernameKey", "blockedAt"', `${isMember('new.')} and not ${isMember('old.')}`, count(1)],
  ['Left', 'update of "usernameKey", "blockedAt"', `${isMember('old.')} and not ${isMember('new.')}`, count(-1)],
] as const

const onSqlite = triggers.map(
  ([name, event, when, body]) =>
    `create trigger "member${name}" after ${event} on "user" when ${when} begin ${body} end`,
)
const onPostgres = triggers.flatMap(([name, event, when, body]) => [
  `create function "member${name}"() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
  `create trigger "member${name}" after ${event} on "user" for each row when (${when}) execute function "member${name}"()`,
])

export async function up(db: AnyDb): Promise<void> {
  const statements = db.getExecutor().adapter instanceof PostgresAdapter ? onPostgres : onSqlite
  await sql
    .raw(
      `create index "user_members" on "user" ("createdAt", id) where "usernameKey" is not null and "blockedAt" is null`,
    )
    .execute(db)
  await sql
    .raw(
      `insert into counter (key, count) select 'member/all/', count(*) from "user" where ${isMember('')} having count(*) > 0`,
    )
    .execute(db)
  for (const statement of statements) await sql.raw(statement).execute(db)
}
