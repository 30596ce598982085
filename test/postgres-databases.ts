// Migrated PostgreSQL databases for tests. To drop a database, PostgreSQL writes a whole checkpoint, which takes longer than most tests:
// so a database is emptied and lent again, to one test at a time on this server, and made again if a test changed its schema.
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { distributableTables } from '../src/database/distributed.ts'
import { migrate } from '../src/database/migrate.ts'
import { openPostgres } from '../src/database/postgres.ts'
import { required } from '../src/runtime/untyped.ts'
import { IS_DISTRIBUTED, makeDistributed } from './distributed-databases.ts'
import { hashOfMigrations, IS_MOVED } from './migrations-hash.ts'
import { moveFilled } from './moved.ts'

/** What a migrated database is like. */
interface Template {
  name: string
  /** The newest transaction that wrote to a catalog. */
  newest: string
  /** The same as long as no table, column, trigger or function was added, changed or removed. */
  schema: string
  /** The rows that the migrations write, by table. */
  rows: Readonly<Record<string, unknown[]>>
}

export interface LentDatabase {
  /** What DATABASE_URL would be. */
  url: string
  /** Removes what a test left; false if the database has to be made again, or something still runs in it. */
  empty(): Promise<boolean>
  giveBack(): Promise<void>
}

/** A database whose tables have more dead rows than this is made again. */
const MAX_BYTES = 32 * 1024 * 1024
/** How long the last statements of a test may take. */
const QUIET_MILLISECONDS = 2_000
const TABLES = `select oid, relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
const CATALOGS = ['pg_class', 'pg_attribute', 'pg_trigger', 'pg_proc']
const NEWEST = `select max(xmin::text::bigint)::text as newest from (
  ${CATALOGS.map((catalog) => `select xmin from ${catalog}`).join(' union all ')}) written`
/** How many rows the catalogs have, and how many of them are newer: the age of a transaction is compared four times as fast as its text. */
const schemaSince = (newest: string) => ({
  name: `schema since ${newest}`,
  text: `select concat_ws(' ', ${CATALOGS.map(
    (catalog) =>
      `(select concat(count(*), ':', count(*) filter (where age(xmin) < age('${newest}'::xid))) from ${catalog})`,
  ).join(', ')}) as schema`,
})
const OTHERS = `datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`
const RESTART = 'select setval(seqrelid::regclass, seqstart, false) from pg_sequence'

// These are asked after every test, so they are prepared.
/** A table without a page has no rows; most tests write to few of the tables. */
const WRITTEN = {
  name: 'written',
  text: `select name, pg_relation_size(oid)::int4 as size from (${TABLES}) made where pg_relation_size(oid) > 0`,
}
const BUSY = { name: 'busy', text: `select from pg_stat_activity where ${OTHERS} and state <> 'idle' limit 1` }

/** A server on which the tests are a superuser: the one that the run started, or another (test/run.ts). */
export const postgresUrl: string | undefined = process.env['TEST_POSTGRES_URL'] || undefined

/** A test that needs PostgreSQL where there is none. */
export class NoPostgres extends Error {
  static readonly REASON = 'needs PostgreSQL: install it, or set TEST_POSTGRES_URL'
  constructor() {
    super(NoPostgres.REASON)
  }
}

function url(): string {
  if (!postgresUrl) throw new NoPostgres()
  return postgresUrl
}

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
  const { name: prefix } = await template
  for (let number = 1; ; number++) {
    const name = `${prefix}_${number}`
    if (lent.has(name)) continue
    lent.add(name)
    const [lock] = await ask<{ isOurs: boolean }>(`select pg_try_advisory_lock(hashtext($1)) as "isOurs"`, [name])
    if (!lock?.isOurs) {
      lent.delete(name)
      continue
    }
    const { keeper, pristine } = await openKeeper(name, await template)
    return {
      url: urlOf(name),
      // A test may have ended this connection too.
      empty: () =>
        isQuiet(keeper)
          .then((quiet) => quiet && empty(keeper, pristine))
          .catch(() => false),
      async giveBack() {
        await keeper.end()
        await ask('select pg_advisory_unlock(hashtext($1))', [name])
        lent.delete(name)
      },
    }
  }
}

interface Kept {
  keeper: pg.Client
  pristine: Template
}

/** Connects to a database that is empty and that no other process is connected to. */
async function openKeeper(name: string, template: Template): Promise<Kept> {
  const [found] = await ask('select from pg_database where datname = $1', [name])
  if (found) {
    const keeper = await connect(name)
    const pristine = IS_DISTRIBUTED ? await ownTemplate(name) : template
    // Connections of a process that a test killed.
    await keeper.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity where ${OTHERS}`)
    if (pristine && (await empty(keeper, pristine))) return { keeper, pristine }
    await keeper.end()
  }
  if (IS_DISTRIBUTED) {
    await makeDistributed(url(), name)
    const pristine = { name, ...(await connected(name, describe)) }
    await ask(`comment on database ${name} is ${pg.escapeLiteral(JSON.stringify(pristine))}`)
    return { keeper: await connect(name), pristine }
  }
  await ask(`drop database if exists ${name} with (force)`)
  await ask(`create database ${name} template ${template.name}`)
  // Tests of what survives a failure of PostgreSQL have one of their own.
  await ask(`alter database ${name} set synchronous_commit = off`)
  return { keeper: await connect(name), pristine: template }
}

const COMMENT = `select shobj_description(oid, 'pg_database') as said from pg_database where datname = $1`

/** What a distributed database was like when it was made. */
async function ownTemplate(name: string): Promise<Template | undefined> {
  const [found] = await ask<{ said: string | null }>(COMMENT, [name])
  return found?.said ? (JSON.parse(found.said) as Template) : undefined
}

/** Whether all other connections are idle, or are so shortly. */
async function isQuiet(keeper: pg.Client): Promise<boolean> {
  for (const end = performance.now() + QUIET_MILLISECONDS; performance.now() < end; await setTimeout(10)) {
    const { rows } = await keeper.query(BUSY)
    if (rows.length === 0) return true
  }
  return false
}

/** Removes what tests left in a database; false if it must be made again. */
async function empty(keeper: pg.Client, { newest, schema, rows }: Template): Promise<boolean> {
  const { rows: states } = await keeper.query<{ schema: string }>(schemaSince(newest))
  if (states[0]?.schema !== schema) return false
  const tables = await keeper.query<{ name: string; size: number }>(WRITTEN)
  if (tables.rows.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES) return false
  // Of a distributed table the pages are elsewhere.
  const written = [...tables.rows.map(({ name }) => name), ...(IS_DISTRIBUTED ? distributableTables : [])]
  const deletions = written.map((name) => `delete from "${name}"`)
  const insertions = Object.entries(rows).map(([table, kept]) => {
    const json = keeper.escapeLiteral(JSON.stringify(kept))
    return `insert into "${table}" select * from json_populate_recordset(null::"${table}", ${json})`
  })
  // One transaction, in which no trigger counts what goes.
  await keeper.query(['set local session_replication_role = replica', ...deletions, ...insertions, RESTART].join(';'))
  return true
}

/** Made once for each state of the migrations, however many test files run at once. What it is like is its comment. */
async function findTemplate(): Promise<Template> {
  if (IS_DISTRIBUTED) return { name: `guildhall_distributed_${hashOfMigrations()}`, newest: '', schema: '', rows: {} }
  const name = `guildhall_emptied_${hashOfMigrations()}${IS_MOVED ? '_moved' : ''}`
  await ask(`select pg_advisory_lock(hashtext('guildhall test template'))`)
  try {
    const [found] = await ask<{ said: string }>(COMMENT, [name])
    if (found) return JSON.parse(found.said) as Template
    await ask(`drop database if exists ${name}_new`)
    await ask(`create database ${name}_new`)
    const { db } = openPostgres(urlOf(`${name}_new`), { connections: 2 })
    await migrate(db)
    await db.destroy()
    const made = { name, ...(await connected(`${name}_new`, describe)) }
    if (IS_MOVED) {
      await moveFilled(urlOf(`${name}_new`))
      await connected(`${name}_new`, async (client) => {
        Object.assign(made, await describeSchema(client))
        await empty(client, made)
      })
    }
    await ask(`comment on database ${name}_new is ${pg.escapeLiteral(JSON.stringify(made))}`)
    await ask(`alter database ${name}_new rename to ${name}`)
    return made
  } finally {
    await ask(`select pg_advisory_unlock(hashtext('guildhall test template'))`)
  }
}

async function describe(client: pg.Client): Promise<Omit<Template, 'name'>> {
  const described = await describeSchema(client)
  const { rows: tables } = await client.query<{ name: string }>(TABLES)
  const rows: Record<string, unknown[]> = {}
  for (const { name } of tables) {
    const { rows: kept } = await client.query<{ row: unknown }>(`select to_json(t) as row from "${name}" t`)
    if (kept.length > 0) rows[name] = kept.map(({ row }) => row)
  }
  return { ...described, rows }
}

async function describeSchema(client: pg.Client): Promise<Pick<Template, 'newest' | 'schema'>> {
  const { newest } = required((await client.query<{ newest: string }>(NEWEST)).rows[0])
  const { schema } = required((await client.query<{ schema: string }>(schemaSince(newest))).rows[0])
  return { newest, schema }
}

async function connected<Result>(database: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await connect(database)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function connect(database: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: urlOf(database) })
  client.on('error', () => {})
  await client.connect()
  return client
}

function urlOf(database: string): string {
  const address = new URL(url())
  address.pathname = `/${database}`
  return address.href
}
