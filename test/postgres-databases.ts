// Migrated PostgreSQL databases for tests. To drop a database, PostgreSQL writes a whole checkpoint, which takes longer than most tests:
// so a database is emptied and lent again, to one test at a time on this server, and made again if a test changed its schema.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../src/database/migrate.ts'
import { openPostgres } from '../src/database/postgres.ts'
import { required } from '../src/runtime/untyped.ts'

/** What a migrated database is like. */
interface Template {
  name: string
  /** The same as long as no table, column, trigger or function was added, changed or removed. */
  schema: string
  /** The rows that the migrations write, by table. */
  rows: Readonly<Record<string, unknown[]>>
}

export interface LentDatabase {
  /** What DATABASE_URL would be. */
  url: string
  giveBack(): Promise<void>
}

/** A database with more dead rows than this is made again. */
const MAX_BYTES = 64 * 1024 * 1024
const TABLES = `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
const SCHEMA = `select concat_ws(' ',
  (select concat(count(*), ':', max(xmin::text::bigint)) from pg_class),
  (select concat(count(*), ':', max(xmin::text::bigint)) from pg_attribute),
  (select concat(count(*), ':', max(xmin::text::bigint)) from pg_trigger),
  (select concat(count(*), ':', max(xmin::text::bigint)) from pg_proc)) as schema`
const RESTART = 'select setval(seqrelid::regclass, seqstart, false) from pg_sequence'

const url = () => required(process.env['TEST_POSTGRES_URL'])
let server: pg.Pool | undefined
let template: Promise<Template> | undefined
const lent = new Set<string>()

/** Asks the server, over one connection: it holds the locks on the databases that are lent to this process. */
async function ask<Row extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<Row[]> {
  server ??= new pg.Pool({ connectionString: url(), max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  return (await server.query<Row>(statement, values)).rows
}

/** Lends a migrated database without any rows but those of the migrations. */
export async function lendDatabase(): Promise<LentDatabase> {
  template ??= findTemplate()
  const pristine = await template
  for (let number = 1; ; number++) {
    const name = `${pristine.name}_${number}`
    if (lent.has(name)) continue
    lent.add(name)
    const [lock] = await ask<{ isOurs: boolean }>(`select pg_try_advisory_lock(hashtext($1)) as "isOurs"`, [name])
    if (!lock?.isOurs) {
      lent.delete(name)
      continue
    }
    if (!(await empty(name, pristine))) {
      await ask(`drop database if exists ${name} with (force)`)
      await ask(`create database ${name} template ${pristine.name}`)
    }
    return {
      url: urlOf(name),
      async giveBack() {
        await ask('select pg_advisory_unlock(hashtext($1))', [name])
        lent.delete(name)
      },
    }
  }
}

/** Removes what tests left in a database; false if there is none of this name, or it must be made again. */
async function empty(name: string, { schema, rows }: Template): Promise<boolean> {
  const found = await ask<{ size: number }>(
    'select pg_database_size(datname)::int4 as size from pg_database where datname = $1',
    [name],
  )
  if (!found[0] || found[0].size > MAX_BYTES) return false
  // Connections of a process that a test killed.
  await ask(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
    [name],
  )
  return connected(name, async (client) => {
    const same = await client.query<{ schema: string }>(SCHEMA)
    if (same.rows[0]?.schema !== schema) return false
    const tables = await client.query<{ name: string }>(TABLES)
    const deletions = tables.rows.map((table) => `delete from "${table.name}"`)
    const insertions = Object.entries(rows).map(([table, kept]) => {
      const json = client.escapeLiteral(JSON.stringify(kept))
      return `insert into "${table}" select * from json_populate_recordset(null::"${table}", ${json})`
    })
    // One transaction, in which no trigger counts what goes.
    await client.query(['set local session_replication_role = replica', ...deletions, ...insertions, RESTART].join(';'))
    return true
  })
}

/** Made once for each state of the migrations, however many test files run at once. What it is like is its comment. */
async function findTemplate(): Promise<Template> {
  const hash = createHash('sha256')
  const files = readdirSync('migrations').sort()
  for (const file of ['../src/database/migrate.ts', ...files]) hash.update(readFileSync(join('migrations', file)))
  const name = `guildhall_tests_${hash.digest('hex').slice(0, 12)}`
  await ask(`select pg_advisory_lock(hashtext('guildhall test template'))`)
  try {
    const comment = `select shobj_description(oid, 'pg_database') as said from pg_database where datname = $1`
    const [found] = await ask<{ said: string }>(comment, [name])
    if (found) return JSON.parse(found.said) as Template
    await ask(`drop database if exists ${name}_new`)
    await ask(`create database ${name}_new`)
    const { db } = openPostgres(urlOf(`${name}_new`), { connections: 2 })
    await migrate(db)
    await db.destroy()
    const made = { name, ...(await connected(`${name}_new`, describe)) }
    await ask(`comment on database ${name}_new is ${pg.escapeLiteral(JSON.stringify(made))}`)
    await ask(`alter database ${name}_new rename to ${name}`)
    return made
  } finally {
    await ask(`select pg_advisory_unlock(hashtext('guildhall test template'))`)
  }
}

async function describe(client: pg.Client): Promise<Omit<Template, 'name'>> {
  const { rows: states } = await client.query<{ schema: string }>(SCHEMA)
  const { rows: tables } = await client.query<{ name: string }>(TABLES)
  const rows: Record<string, unknown[]> = {}
  for (const { name } of tables) {
    const { rows: kept } = await client.query<{ row: unknown }>(`select to_json(t) as row from "${name}" t`)
    if (kept.length > 0) rows[name] = kept.map(({ row }) => row)
  }
  return { schema: required(states[0]).schema, rows }
}

async function connected<Result>(database: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: urlOf(database) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function urlOf(database: string): string {
  const address = new URL(url())
  address.pathname = `/${database}`
  return address.href
}
