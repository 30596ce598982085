// Each row of the audit log carries the hash of the one before, and a record apart says where the chain ends: whatever is
// changed, removed or moved shows. One file for both engines; what it hashes is written out in src/audit/chain.ts too.
import { createHash } from 'node:crypto'
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const COLUMNS = ['id', 'at', 'actorId', 'action', 'targetType', 'targetId', 'detail', 'reason', 'address']
const ROWS_AT_ONCE = 500

const part = (value: unknown) => (value === null ? '-' : `${Buffer.byteLength(String(value))}:${value}`)
const digest = (position: number, previous: string, row: Record<string, unknown>) =>
  createHash('sha256')
    .update([position, previous, ...COLUMNS.map((name) => row[name])].map(part).join(','))
    .digest('hex')

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`
  await db.schema.alterTable('audit').addColumn('position', 'bigint').execute()
  await db.schema.alterTable('audit').addColumn('previous', text).execute()
  await db.schema.alterTable('audit').addColumn('hash', text).execute()
  await db.schema
    .createTable('auditHead')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull())
    .execute()
  const head = await chainExisting(db)
  await db
    .insertInto('auditHead')
    .values({ id: 1, ...head })
    .execute()
  await db.schema.createIndex('audit_position').unique().on('audit').columns(['position']).execute()
  if (postgres) await chainOnPostgres(db)
}

/** Rows from before in the order of their ids, which is that of the acts. */
async function chainExisting(db: AnyDb): Promise<{ position: number; hash: string }> {
  let head = { position: 0, hash: '' }
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('audit')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute()
    for (const row of rows) {
      const position = head.position + 1
      const hash = digest(position, head.hash, row)
      await db.updateTable('audit').set({ position, previous: head.hash, hash }).where('id', '=', row.id).execute()
      head = { position, hash }
    }
    if (rows.length < ROWS_AT_ONCE) return head
    after = rows.at(-1)!.id
  }
}

/**
 * At the end of the transaction that adds a row: the lock on the head comes after all others and is held for the commit alone,
 * so that two transactions never wait for each other.
 */
async function chainOnPostgres(db: AnyDb): Promise<void> {
  const given = (name: string) =>
    `case when new."${name}" is null then '-' else octet_length(convert_to(new."${name}", 'UTF8'))::text || ':' || new."${name}" end`
  const joined = COLUMNS.map(given).join(` || ',' || `)
  const length = (value: string) => `octet_length(${value})::text || ':' || ${value}`
  const statements = [
    `create function "audit_chain"() returns trigger language plpgsql as $$
      declare head record; digest text;
      begin
        select position, hash into strict head from "auditHead" where id = 1 for update;
        digest := encode(sha256(convert_to(
          ${length('(head.position + 1)::text')} || ',' || ${length('head.hash')} || ',' || ${joined}, 'UTF8')), 'hex');
        update audit set position = head.position + 1, previous = head.hash, hash = digest where id = new.id;
        update "auditHead" set position = head.position + 1, hash = digest where id = 1;
        return null;
      end $$`,
    `create constraint trigger "audit_chained" after insert on audit deferrable initially deferred
      for each row execute function "audit_chain"()`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
