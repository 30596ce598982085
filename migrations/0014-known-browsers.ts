// Sessions know when they were used last and when a credential was last shown in them, and end after 90 days. Accounts know
// the browsers that signed in to them.
import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>
type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

const required: Column = (column) => column.notNull()

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`
  await db.schema.alterTable('session').addColumn('seenAt', text).execute()
  await db.schema.alterTable('session').addColumn('authenticatedAt', text).execute()
  await sql.raw(postgres ? onPostgres : onSqlite).execute(db)

  await db.schema
    .createTable('knownBrowser')
    .addColumn('tokenHash', text, required)
    .addColumn('userId', text, (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('createdAt', text, required)
    .addColumn('seenAt', text, required)
    .addPrimaryKeyConstraint('knownBrowser_key', ['tokenHash', 'userId'])
    .execute()
  await db.schema.createIndex('knownBrowser_user').on('knownBrowser').columns(['userId', 'seenAt']).execute()
  await db.schema.createIndex('knownBrowser_seen').on('knownBrowser').columns(['seenAt']).execute()
}

/** Until now a session ended a week after its last use, and said nothing else about it. */
const onSqlite = `update "session" set
  "seenAt" = strftime('%Y-%m-%dT%H:%M:%fZ', "expiresAt", '-7 days'),
  "authenticatedAt" = "createdAt",
  "expiresAt" = min("expiresAt", strftime('%Y-%m-%dT%H:%M:%fZ', "createdAt", '+90 days'))`

const moved = (column: string, by: string) =>
  `to_char(("${column}"::timestamptz at time zone 'UTC') ${by}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') collate "C"`
const onPostgres = `update "session" set
  "seenAt" = ${moved('expiresAt', "- interval '7 days'")},
  "authenticatedAt" = "createdAt",
  "expiresAt" = least("expiresAt", ${moved('createdAt', "+ interval '90 days'")})`
