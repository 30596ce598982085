// Writes rows by the hundred thousand into a database of either engine. Indexes and triggers are taken away for that time: made
// once at the end they cost a fraction. What a trigger keeps in step is up to the caller.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import pg from 'pg'
import type { Engine } from '../../src/database/engine.ts'
import { openDatabase } from '../../src/database/open.ts'

type Value = string | number | null
/** By the names of their columns, which are the same in every row of a table. */
export type Row = Record<string, Value>

export interface Filling {
  engine: Engine
  add(table: string, rows: Iterable<Row>): Promise<void>
  /** Runs a statement that both engines understand. */
  run(statement: string): Promise<void>
}

/** Makes the database at `url` in its newest shape, and fills it. */
export async function fillDatabase(url: string, work: (into: Filling) => Promise<void>): Promise<void> {
  const { db } = await openDatabase(url)
  await db.destroy()
  await (isPostgres(url)
    ? onPostgres(url, (client) => fillPostgres(client, work))
    : onSqlite(url, (file) => fillSqlite(file, work)))
}

const isPostgres = (url: string) => /^postgres(ql)?:/.test(url)

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

/** Adds rows to a database as it is, which a server may have open. */
export const addRows = (url: string, work: (into: Filling) => Promise<void>): Promise<void> =>
  isPostgres(url)
    ? onPostgres(url, (client) => work(intoPostgres(client)))
    : onSqlite(url, (db) => work(intoSqlite(db)))

async function onSqlite(path: string, work: (db: DatabaseSync) => Promise<void>): Promise<void> {
  const db = new DatabaseSync(path)
  db.exec('pragma synchronous = off; pragma cache_size = -400000; begin')
  await work(db)
  db.exec('commit')
  db.close()
}

const intoSqlite = (db: DatabaseSync): Filling => ({
  engine: 'sqlite',
  async add(table, rows) {
    const insert = inserter(db, table)
    for (const row of rows) insert(row)
  },
  run: async (statement) => db.exec(statement),
})

async function fillSqlite(db: DatabaseSync, work: (into: Filling) => Promise<void>): Promise<void> {
  const made = db
    .prepare(`select type, name, sql from sqlite_master where type in ('index', 'trigger') and sql is not null`)
    .all() as { type: string; name: string; sql: string }[]
  for (const { type, name } of made) db.exec(`drop ${type} "${name}"`)
  await work(intoSqlite(db))
  for (const { sql } of made) db.exec(sql)
  // The index of the search has no content that it could be made from: what is not searched for there stays out of it.
  const virtual = db
    .prepare(`select name from sqlite_master where sql like 'create virtual table%' and sql not like '%contentless%'`)
    .all()
  for (const { name } of virtual) db.exec(`insert into "${name}"("${name}") values ('rebuild')`)
}

function inserter(db: DatabaseSync, table: string): (row: Row) => void {
  let insert: ((...values: SQLInputValue[]) => unknown) | undefined
  return (row) => {
    if (!insert) {
      const names = Object.keys(row)
      const statement = db.prepare(
        `insert into "${table}" (${quoted(names)}) values (${names.map(() => '?').join(', ')})`,
      )
      insert = statement.run.bind(statement)
    }
    insert(...Object.values(row))
  }
}

const ROWS_AT_ONCE = 5_000
const INDEXES = `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as sql from pg_index i
  join pg_class t on t.oid = i.indrelid where t.relnamespace = 'public'::regnamespace
  and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)`

async function onPostgres(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set synchronous_commit = off')
  await work(client).finally(() => client.end())
}

const intoPostgres = (client: pg.Client): Filling => ({
  engine: 'postgres',
  add: (table, rows) => addToPostgres(client, table, rows),
  run: async (statement) => void (await client.query(statement)),
})

async function fillPostgres(client: pg.Client, work: (into: Filling) => Promise<void>): Promise<void> {
  await client.query(`set maintenance_work_mem = '1GB'; set work_mem = '256MB'`)
  // Triggers do not fire, and references are not checked.
  await client.query('set session_replication_role = replica')
  const indexes = (await client.query<{ name: string; sql: string }>(INDEXES)).rows
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await work(intoPostgres(client))
  for (const { sql } of indexes) await client.query(sql)
  // As autovacuum leaves it after a while; and no checkpoint of the filling is left for the measurement.
  await client.query('vacuum analyze')
  await client.query('checkpoint')
}

/** The next rows are made while PostgreSQL takes the last ones. */
async function addToPostgres(client: pg.Client, table: string, rows: Iterable<Row>): Promise<void> {
  let statement: string | undefined
  let adding: Promise<unknown> = Promise.resolve()
  for (const batch of batches(rows)) {
    const names = Object.keys(batch[0]!)
    statement ??= `insert into "${table}" (${quoted(names)}) select * from unnest(${await arrays(client, table, names)})`
    const columns = names.map((name) => batch.map((row) => row[name]))
    await adding
    adding = client.query({ name: `fill ${table} ${names.length}`, text: statement, values: columns })
    adding.catch(() => {})
  }
  await adding
}

function* batches(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < ROWS_AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** `$1::text[], $2::integer[]`: a parameter of its type for every column. */
async function arrays(client: pg.Client, table: string, names: string[]): Promise<string> {
  const { rows } = await client.query<{ name: string; type: string }>(
    'select attname as name, format_type(atttypid, null) as type from pg_attribute where attrelid = $1::regclass',
    [`"${table}"`],
  )
  const types = new Map(rows.map(({ name, type }) => [name, type]))
  return names.map((name, index) => `$${index + 1}::${types.get(name)}[]`).join(', ')
}
