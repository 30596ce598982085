// Tokens that are bound to a key (RFC 9449), pushed authorization requests (RFC 9126), the RSA key of ID tokens, and whether a
// client ever got a token. One file for both engines.
import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>
type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

const required: Column = (column) => column.notNull()
const key: Column = (column) => column.primaryKey().notNull()

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`

  await db.schema.alterTable('oauthToken').addColumn('keyThumbprint', text).execute()

  await db.schema.createTable('dpopProof').addColumn('hash', text, key).addColumn('expiresAt', text, required).execute()
  await db.schema.createIndex('dpopProof_expiry').on('dpopProof').columns(['expiresAt']).execute()

  await db.schema
    .createTable('pushedRequest')
    .addColumn('hash', text, key)
    .addColumn('request', text, required)
    .addColumn('expiresAt', text, required)
    .execute()
  await db.schema.createIndex('pushedRequest_expiry').on('pushedRequest').columns(['expiresAt']).execute()

  await db.schema
    .createTable('idTokenKey')
    .addColumn('sealedBy', text, key)
    .addColumn('kid', text, required)
    .addColumn('publicKey', text, required)
    .addColumn('sealed', text, required)
    .addColumn('createdAt', text, required)
    .execute()

  // Which of the clients from before ever got a token is not known: they keep the longer time.
  await db.schema.alterTable('oauthClient').addColumn('firstUsedAt', text).execute()
  await sql`update "oauthClient" set "firstUsedAt" = "lastUsedAt"`.execute(db)
  await db.schema
    .createIndex('oauthClient_neverUsed')
    .on('oauthClient')
    .columns(['createdAt'])
    .where(sql.ref('firstUsedAt'), 'is', null)
    .execute()
}
