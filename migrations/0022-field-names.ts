// Renames tables and columns to the words of the field: grants, counters, details of items, the moment an email was verified,
// and the response to a refresh token. No row changes. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const tables = [
  ['signIn', 'grant'],
  ['tally', 'counter'],
  ['itemReading', 'itemDetails'],
] as const

const columns = [
  ['oauthToken', 'signInId', 'grantId'],
  ['oauthToken', 'answer', 'response'],
  ['oauthToken', 'answerFor', 'responseFor'],
  ['user', 'provenAt', 'emailVerifiedAt'],
] as const

const indexes = [
  { from: 'signIn_user', to: 'grant_user', on: 'grant', columns: ['userId', 'createdAt'] },
  { from: 'signIn_client', to: 'grant_client', on: 'grant', columns: ['clientId'] },
  { from: 'signIn_expiry', to: 'grant_expiry', on: 'grant', columns: ['expiresAt'] },
  { from: 'oauthToken_signIn', to: 'oauthToken_grant', on: 'oauthToken', columns: ['grantId'] },
]

const keyOf = (row: string) =>
  `'account/all/' || ${row}role || '/' || case when ${row}"blockedAt" is null then 'open' else 'blocked' end || '/'`

const count = (row: 'new' | 'old', by: 1 | -1) =>
  `insert into counter (key, count) values (${keyOf(`${row}.`)}, ${by})
    on conflict (key) do update set count = counter.count + excluded.count;`

const MOVED = `${keyOf('new.')} <> ${keyOf('old.')}`

/** The triggers that count accounts name the table in their text (0011). */
const dropped = ['added', 'removed', 'moved'].map((name) => `drop trigger "user_${name}"`)

const onSqlite = [
  `create trigger "user_added" after insert on "user" begin ${count('new', 1)} end`,
  `create trigger "user_removed" after delete on "user" begin ${count('old', -1)} end`,
  `create trigger "user_moved" after update of role, "blockedAt" on "user" when ${MOVED}
    begin ${count('old', -1)} ${count('new', 1)} end`,
]

const onPostgres = [
  ['added', count('new', 1)],
  ['removed', count('old', -1)],
  // In the order of their keys, as everybody changes counts.
  [
    'moved',
    `if (${MOVED.replace('<>', '<')}) then ${count('new', 1)} ${count('old', -1)} else ${count('old', -1)} ${count('new', 1)} end if;`,
  ],
].map(
  ([name, body]) =>
    `create or replace function "user_${name}"() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
)

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = async (statements: string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(db)
  }
  if (!postgres) await run(dropped)
  for (const { from } of indexes) await db.schema.dropIndex(from).execute()
  for (const [from, to] of tables) await db.schema.alterTable(from).renameTo(to).execute()
  for (const [table, from, to] of columns) await db.schema.alterTable(table).renameColumn(from, to).execute()
  for (const { to, on, columns } of indexes) await db.schema.createIndex(to).on(on).columns(columns).execute()
  await run(postgres ? onPostgres : onSqlite)
}
