// Passkeys of accounts, and the challenges that were handed out to register one or to sign in with one.
import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>
type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

const required: Column = (column) => column.notNull()
const key: Column = (column) => column.primaryKey().notNull()
const ofUser: Column = (column) => column.references('user.id').onDelete('cascade')

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('passkey')
    .addColumn('id', text, key)
    .addColumn('userId', text, (column) => ofUser(column).notNull())
    .addColumn('credentialId', text, (column) => column.notNull().unique())
    .addColumn('publicKey', text, required)
    // 32 bits without a sign: more than an integer of PostgreSQL holds.
    .addColumn('counter', 'bigint', required)
    .addColumn('transports', text, required)
    .addColumn('name', text, required)
    .addColumn('createdAt', text, required)
    .addColumn('lastUsedAt', text)
    .execute()
  await db.schema.createIndex('passkey_user').on('passkey').columns(['userId', 'createdAt', 'id']).execute()
  await db.schema
    .createTable('passkeyChallenge')
    .addColumn('challengeHash', text, key)
    .addColumn('purpose', text, required)
    .addColumn('userId', text, ofUser)
    .addColumn('expiresAt', text, required)
    .execute()
  await db.schema.createIndex('passkeyChallenge_user').on('passkeyChallenge').columns(['userId']).execute()
  await db.schema.createIndex('passkeyChallenge_expiry').on('passkeyChallenge').columns(['expiresAt']).execute()
}
