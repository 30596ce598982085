// The authorization server: clients, what is signed in, its tokens, and codes mailed to agents. One file for both engines.
import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>
type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

const required: Column = (column) => column.notNull()
const key: Column = (column) => column.primaryKey().notNull()

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('oauthClient')
    .addColumn('id', text, key)
    .addColumn('metadata', text, required)
    .addColumn('createdAt', text, required)
    .addColumn('lastUsedAt', text, required)
    .execute()
  await db.schema.createIndex('oauthClient_lastUsed').on('oauthClient').columns(['lastUsedAt']).execute()

  await db.schema
    .createTable('signIn')
    .addColumn('id', text, key)
    .addColumn('userId', text, (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('clientId', text, required)
    .addColumn('clientName', text)
    .addColumn('sessionId', text)
    .addColumn('scope', text, required)
    .addColumn('createdAt', text, required)
    .addColumn('lastUsedAt', text)
    .addColumn('expiresAt', text, required)
    .execute()
  await db.schema.createIndex('signIn_user').on('signIn').columns(['userId', 'createdAt']).execute()
  await db.schema.createIndex('signIn_client').on('signIn').columns(['clientId']).execute()
  await db.schema.createIndex('signIn_expiry').on('signIn').columns(['expiresAt']).execute()

  const tokens = db.schema
    .createTable('oauthToken')
    .addColumn('hash', text, key)
    .addColumn('kind', text, required)
    .addColumn('signInId', text, (column) => column.notNull().references('signIn.id').onDelete('cascade'))
    .addColumn('userId', text, required)
    .addColumn('clientId', text, required)
    .addColumn('scope', text, required)
    .addColumn('payload', text)
    .addColumn('createdAt', text, required)
    .addColumn('consumedAt', text)
    .addColumn('answer', text)
    .addColumn('answerFor', text)
    .addColumn('expiresAt', text, required)
  // Found by its hash on every request: the table itself is the index on SQLite.
  await (postgres ? tokens : tokens.modifyEnd(sql`without rowid`)).execute()
  await db.schema.createIndex('oauthToken_signIn').on('oauthToken').columns(['signInId']).execute()
  await db.schema.createIndex('oauthToken_expiry').on('oauthToken').columns(['expiresAt']).execute()
  await db.schema
    .createIndex('oauthToken_answered')
    .on('oauthToken')
    .columns(['consumedAt'])
    .where(sql.ref('answer'), 'is not', null)
    .execute()

  await db.schema
    .createTable('claim')
    .addColumn('id', text, key)
    .addColumn('email', text, required)
    .addColumn('clientId', text, required)
    .addColumn('scope', text, required)
    .addColumn('codeHash', text, required)
    .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('createdAt', text, required)
    .addColumn('expiresAt', text, required)
    .addColumn('usedAt', text)
    .execute()
  await db.schema.createIndex('claim_email').on('claim').columns(['email', 'createdAt']).execute()
  await db.schema.createIndex('claim_created').on('claim').columns(['createdAt']).execute()
}
