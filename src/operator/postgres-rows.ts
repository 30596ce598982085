// The rows of a PostgreSQL database, over one connection. They are written without triggers and references; both come back at the end,
// and the references are checked by that.
import pg from 'pg'
import { UNFINISHED_MOVE } from '../database/applied.ts'
import { sessionOf } from '../database/postgres-session.ts'
import { required } from '../runtime/untyped.ts'
import { termsOf } from '../search/document.ts'
import { BLOCK } from '../search/queries.ts'
import {
  documentTexts,
  LAST_EVENT,
  type NotedChanges,
  type Numbers,
  notedChanges,
  OWN_TABLES,
  type Row,
  type Rows,
  type Table,
  type Value,
  type WritableRows,
} from './rows.ts'

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const list = (names: readonly string[]) => names.map(quoted).join(', ')

const TABLES = `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
  array_agg(a.attname::text order by a.attnum) filter (where a.atttypid in ('int4'::regtype, 'int8'::regtype)) as numbers,
  (select array_agg(k.attname::text order by array_position(i.indkey::int2[], k.attnum)) from pg_index i
    join pg_attribute k on k.attrelid = c.oid and k.attnum = any(i.indkey) where i.indrelid = c.oid and i.indisprimary) as key
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    and a.attgenerated = '' and a.atttypid <> 'tsvector'::regtype
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by c.oid, c.relname order by c.relname`

const REFERENCES = `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`

/** A connection of the operator, whose statements may take long. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: sessionOf(url).connectionString,
    application_name: 'guildhall-admin',
  })
  // An error of an idle connection is reported by the next query.
  client.on('error', () => {})
  await client.connect()
  await client.query('set statement_timeout = 0')
  return client
}

/** What holds while rows are read: one state for all of them, or no writes by others until `close`. */
export type ReadIsolation = 'as committed' | 'one state' | 'locked'

/** Reads the rows of a database. */
export async function openPostgresRows(url: string, reading: ReadIsolation = 'as committed'): Promise<Rows> {
  const client = await connect(url)
  if (reading === 'one state') await client.query('begin isolation level repeatable read read only')
  const rows = readsOf(client)
  if (reading === 'locked') {
    await client.query('begin')
    const tables = await rows.tables()
    await client.query(`lock table ${list(tables.map(({ name }) => name))} in share mode`)
  }
  return rows
}

/** Whether rows were written to it, and it was not finished. */
export async function isUnfinishedPostgres(url: string): Promise<boolean> {
  const client = await connect(url)
  try {
    return await isBegun(client)
  } finally {
    await client.end()
  }
}

async function isBegun(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`select 1 from pg_class where relname = 'unfinishedMove'`)
  return rows.length > 0
}

function readsOf(client: pg.Client): Rows {
  const numeric = new Map<string, ReadonlySet<string>>()
  /** The driver gives numbers of 64 bits as text; they are all below 2^53. */
  const select = async (table: Table, rest: string, values: unknown[] = []): Promise<Row[]> => {
    const text = `select ${list(table.columns)} from ${quoted(table.name)} ${rest}`
    const { rows } = await client.query<Value[]>({ text, values, rowMode: 'array' })
    const isNumber = table.columns.map((column) => numeric.get(table.name)?.has(column) ?? false)
    return rows.map((row) => row.map((value, at) => (isNumber[at] && value !== null ? Number(value) : value)))
  }
  return {
    async tables() {
      const { rows } = await client.query<Table & { numbers: string[] | null }>(TABLES)
      for (const { name, numbers } of rows) numeric.set(name, new Set(numbers ?? []))
      return rows
        .filter(({ name }) => !OWN_TABLES.includes(name))
        .map(({ name, columns, key }) => ({ name, columns, key }))
    },
    async migrations() {
      const { rows } = await client.query<{ name: string }>(
        'select name from kysely_migration order by name collate "C"',
      )
      return rows.map(({ name }) => name)
    },
    async page(table, after, limit) {
      const marks = table.key.map((_, at) => `$${at + 2}`).join(', ')
      const where = after ? `where (${list(table.key)}) > (${marks})` : ''
      return select(table, `${where} order by ${list(table.key)} limit $1`, [limit, ...(after ?? [])])
    },
    async find(table, keys) {
      if (keys.length === 0) return []
      const same = table.key.map((column) => `held.${quoted(column)} = sought.${quoted(column)}`).join(' and ')
      const records = keys.map((key) => Object.fromEntries(table.key.map((column, at) => [column, key[at]])))
      const sought = `json_populate_recordset(null::${quoted(table.name)}, $1)`
      const columns = table.key.map((column) => `sought.${quoted(column)}`).join(', ')
      return select(table, `held where exists (select ${columns} from ${sought} sought where ${same})`, [
        JSON.stringify(records),
      ])
    },
    changes: () => changesIn(client),
    async last(table) {
      const descending = table.key.map((column) => `${quoted(column)} desc`).join(', ')
      return (await select(table, `order by ${descending} limit 1`))[0]
    },
    async count({ name }) {
      const { rows } = await client.query<{ count: string }>(`select count(*) from ${quoted(name)}`)
      return Number(required(rows[0]).count)
    },
    async numbers() {
      const last = (sequence: string) =>
        `(select case when is_called then last_value else 0 end from ${quoted(sequence)})`
      const { rows } = await client.query<Record<keyof Numbers, string>>(
        `select ${last('thingNumber')} as thing, ${last('libraryItem_rowId_seq')} as item`,
      )
      const { thing, item } = required(rows[0])
      return { thing: Number(thing), item: Number(item) }
    },
    close: () => client.end(),
  }
}

async function changesIn(client: pg.Client): Promise<NotedChanges> {
  const { rows } = await client.query<{ number: string; table: string; key: string }>(
    'select number, "table", key::text as key from "movedKey"',
  )
  return notedChanges(rows.map(({ number, table, key }) => ({ number: Number(number), table, key })))
}

/** Opens a database that was migrated before, or one that rows were written to before and not finished. */
export async function writePostgresRows(url: string): Promise<WritableRows> {
  const client = await connect(url)
  await client.query('set synchronous_commit = off')
  await within(client, () => setAside(client))
  return {
    ...readsOf(client),
    async insert(table, rows, conflict) {
      const isSearch = table.name === 'searchDocument'
      const records = rows.map((row) => ({
        ...recordOf(table, row),
        ...(isSearch ? { given: termsIn(table, row) } : {}),
      }))
      const terms = 'array_to_tsvector(array(select jsonb_array_elements_text(given -> $$given$$)))'
      await client.query(
        `insert into ${quoted(table.name)} (${list(table.columns)}${isSearch ? ', terms' : ''})
          select ${table.columns.map((column) => `made.${quoted(column)}`).join(', ')}${isSearch ? `, ${terms}` : ''}
          from json${isSearch ? 'b' : ''}_array_elements($1) given,
            json${isSearch ? 'b' : ''}_populate_record(null::${quoted(table.name)}, given) made ${conflict === 'skip' ? 'on conflict do nothing' : ''}`,
        [JSON.stringify(records)],
      )
    },
    async remove(table, rows) {
      const same = table.key.map((column) => `held.${quoted(column)} = gone.${quoted(column)}`).join(' and ')
      const gone = `json_populate_recordset(null::${quoted(table.name)}, $1) gone`
      await client.query(`delete from ${quoted(table.name)} held using ${gone} where ${same}`, [
        JSON.stringify(rows.map((row) => recordOf(table, row))),
      ])
    },
    setNumbers: (numbers) => setNumbers(client, numbers),
    async note() {
      const { rows: there } = await client.query(`select 1 from pg_class where relname = 'moveNote'`)
      if (there.length === 0) return undefined
      const { rows } = await client.query<{ text: string }>('select text from "moveNote"')
      return rows[0]?.text
    },
    async setNote(text) {
      await client.query('create table if not exists "moveNote" (text text not null)')
      await within(client, async () => {
        await client.query('delete from "moveNote"')
        await client.query('insert into "moveNote" values ($1)', [text])
      })
    },
    async settle() {
      await client.query('analyze')
    },
    async finish(references) {
      // This commit, and with it every one before it, is on the disk when it is acknowledged.
      await client.query('set synchronous_commit = on')
      await within(client, () => bringBack(client, references === 'later' ? ' not valid' : ''))
    },
    checkReferences: () => validate(client),
  }
}

const termsIn = (table: Table, row: Row) => termsOf(documentTexts(table, row)).terms

const recordOf = (table: Table, row: Row) =>
  Object.fromEntries(table.columns.map((column, at) => [column, row[at] ?? null]))

/** Does `work` in one transaction. */
export async function within(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Disables triggers and drops references; the definitions of these are kept in the database until they are back. */
async function setAside(client: pg.Client): Promise<void> {
  if (await isBegun(client)) return
  await client.query('create table "unfinishedMove" ("table" text, name text, definition text)')
  await client.query(`insert into "unfinishedMove" ${REFERENCES}`)
  const { rows } = await client.query<{ table: string; name: string }>('select "table", name from "unfinishedMove"')
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${quoted(name)}`)
  for (const table of await tablesOf(client)) await client.query(`alter table ${table} disable trigger user`)
  await client.query(`insert into kysely_migration values ($1, '')`, [UNFINISHED_MOVE])
}

async function bringBack(client: pg.Client, validity: string): Promise<void> {
  for (const table of await tablesOf(client)) await client.query(`alter table ${table} enable trigger user`)
  const { rows } = await client.query<Record<'table' | 'name' | 'definition', string>>(
    'select "table", name, definition from "unfinishedMove"',
  )
  for (const { table, name, definition } of rows) {
    await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}${validity}`)
  }
  await client.query('drop table "unfinishedMove"; drop table if exists "moveNote"')
  await client.query('delete from kysely_migration where name = $1', [UNFINISHED_MOVE])
}

/** Checks the rows of references that were added without it; others may read and write at the same time. */
async function validate(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string }>(`${REFERENCES} and not convalidated`)
  for (const { table, name } of rows) await client.query(`alter table ${table} validate constraint ${quoted(name)}`)
}

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(TABLES)
  return rows.map(({ name }) => quoted(name))
}

/** The numbers of documents follow from those that are there: they count down from the end of the block of their type. */
async function setNumbers(client: pg.Client, { thing, item }: Numbers): Promise<void> {
  const set = (sequence: string, last: string, values: unknown[] = []) =>
    client.query(`select setval('${quoted(sequence)}', greatest(${last}, 1), ${last} > 0)`, values)
  await set('thingNumber', '$1::bigint', [thing])
  await set('libraryItem_rowId_seq', '$1::bigint', [item])
  await set('eventNumber', LAST_EVENT)
  await set('logEntry_id_seq', '(select coalesce(max(id), 0) from "logEntry")')
  await set('searchNumber', `(select coalesce(max(${BLOCK} - "rowId" % ${BLOCK}), 0) from "searchDocument")`)
}
