// How many accounts there are, by role and block. The database counts them itself: accounts change in several places, and
// none of them needs to know.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const keyOf = (row: string) =>
  `'account/all/' || ${row}role || '/' || case when ${row}"blockedAt" is null then 'open' else 'blocked' end || '/'`

const count = (row: 'new' | 'old', by: 1 | -1) =>
  `insert into tally (key, count) values (${keyOf(`${row}.`)}, ${by})
    on conflict (key) do update set count = tally.count + excluded.count;`

const MOVED = `${keyOf('new.')} <> ${keyOf('old.')}`

const onSqlite = [
  `create trigger "user_added" after insert on "user" begin ${count('new', 1)} end`,
  `create trigger "user_removed" after delete on "user" begin ${count('old', -1)} end`,
  `create trigger "user_moved" after update of role, "blockedAt" on "user" when ${MOVED}
    begin ${count('old', -1)} ${count('new', 1)} end`,
]

const onPostgres = [
  ['added', 'insert', '', count('new', 1)],
  ['removed', 'delete', '', count('old', -1)],
  // In the order of their keys, as everybody changes counts.
  [
    'moved',
    'update of role, "blockedAt"',
    `when (${MOVED})`,
    `if (${MOVED.replace('<>', '<')}) then ${count('new', 1)} ${count('old', -1)} else ${count('old', -1)} ${count('new', 1)} end if;`,
  ],
].flatMap(([name, event, when, body]) => [
  `create function "user_${name}"() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
  `create trigger "user_${name}" after ${event} on "user" for each row ${when} execute function "user_${name}"()`,
])

export async function up(db: AnyDb): Promise<void> {
  await sql`insert into tally (key, count) select ${sql.raw(keyOf(''))}, count(*) from "user" group by 1`.execute(db)
  const statements = db.getExecutor().adapter instanceof PostgresAdapter ? onPostgres : onSqlite
  for (const statement of statements) await sql.raw(statement).execute(db)
}
