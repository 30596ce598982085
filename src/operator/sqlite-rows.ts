// The rows of a SQLite database. They are written without syncing, triggers and references, and synced at the end.
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { UNFINISHED_MOVE } from '../database/applied.ts'
import { nextNumberOf } from '../database/search.ts'
import { required } from '../runtime/untyped.ts'
import { termsOf } from '../search/document.ts'
import type { ReadIsolation } from './postgres-rows.ts'
import {
  documentTexts,
  LAST_EVENT,
  type Numbers,
  notedChanges,
  OWN_TABLES,
  type Row,
  type Rows,
  type Table,
  type WritableRows,
} from './rows.ts'

const BUSY_TIMEOUT = 10_000

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const list = (names: readonly string[]) => names.map(quoted).join(', ')

/** Statements of one connection by their text. */
class Statements {
  readonly db: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()

  constructor(db: DatabaseSync) {
    this.db = db
  }

  of(sql: string): StatementSync {
    let statement = this.#prepared.get(sql)
    if (!statement) {
      statement = this.db.prepare(sql)
      statement.setReturnArrays(true)
      this.#prepared.set(sql, statement)
    }
    return statement
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    const rows: object[] = this.of(sql).all(...values)
    return rows as Row[]
  }
}

/** Reads the rows of a database. */
export function openSqliteRows(path: string, reading: ReadIsolation): Rows {
  const db = new DatabaseSync(path, { readOnly: reading !== 'locked', timeout: BUSY_TIMEOUT })
  if (reading === 'locked') db.exec('begin immediate')
  if (reading === 'one state') db.exec('begin')
  return readsOf(new Statements(db))
}

function readsOf(statements: Statements): Rows {
  return {
    async tables() {
      const names = statements.all(
        `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'
          and name not in (select name from pragma_table_list where type in ('virtual', 'shadow')) order by name`,
      )
      return names
        .map(([name]) => String(name))
        .filter((name) => !OWN_TABLES.includes(name))
        .map((name) => tableOf(statements, name))
    },
    async migrations() {
      return statements.all('select name from kysely_migration order by name').map(([name]) => String(name))
    },
    async page(table, after, limit) {
      const where = after ? `where (${list(table.key)}) > (${table.key.map(() => '?').join(', ')})` : ''
      const sql = `select ${list(table.columns)} from ${quoted(table.name)} ${where} order by ${list(table.key)} limit ?`
      return statements.all(sql, ...(after ?? []), limit)
    },
    async find(table, keys) {
      const same = table.key.map((column) => `${quoted(column)} is ?`).join(' and ')
      const sql = `select ${list(table.columns)} from ${quoted(table.name)} where ${same}`
      return keys.flatMap((key) => statements.all(sql, ...key))
    },
    async changes() {
      const notes = statements.all('select number, "table", key from "movedKey" order by number')
      return notedChanges(
        notes.map(([number, table, key]) => ({ number: Number(number), table: String(table), key: String(key) })),
      )
    },
    async last(table) {
      const descending = table.key.map((column) => `${quoted(column)} desc`).join(', ')
      return statements.all(
        `select ${list(table.columns)} from ${quoted(table.name)} order by ${descending} limit 1`,
      )[0]
    },
    async count({ name }) {
      return Number(required(statements.all(`select count(*) from ${quoted(name)}`)[0])[0])
    },
    async numbers() {
      const [thing] = statements.all('select last from "thingNumber"')
      const [item] = statements.all(`select seq from sqlite_sequence where name = 'libraryItem'`)
      return { thing: Number(thing?.[0] ?? 0), item: Number(item?.[0] ?? 0) }
    },
    async close() {
      if (statements.db.isTransaction) statements.db.exec('rollback')
      statements.db.close()
    },
  }
}

function tableOf(statements: Statements, name: string): Table {
  const columns = statements.all('select name, pk from pragma_table_info(?)', name)
  const key = columns.filter(([, at]) => Number(at) > 0).sort(([, one], [, other]) => Number(one) - Number(other))
  const names = key.length > 0 ? key.map(([column]) => String(column)) : uniqueOf(statements, name)
  return { name, columns: columns.map(([column]) => String(column)), key: names }
}

/** The columns of the first unique index, for a table without a primary key. */
function uniqueOf(statements: Statements, name: string): string[] {
  const [index] = statements.all('select name from pragma_index_list(?) where "unique" = 1 order by seq desc', name)
  if (!index) throw new Error(`The table ${name} has no key`)
  return statements.all('select name from pragma_index_info(?)', index[0] ?? '').map(([column]) => String(column))
}

/** Opens a database that was migrated before, or one that rows were written to before and not finished. */
export function writeSqliteRows(path: string): WritableRows {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT, enableForeignKeyConstraints: false, defensive: false })
  db.exec('pragma synchronous = off; pragma cache_size = -64000')
  const statements = new Statements(db)
  within(db, () => setAside(statements))
  return {
    ...readsOf(statements),
    async insert(table, rows, conflict) {
      const insert = statements.of(insertOf(table, conflict === 'skip' ? 'insert or ignore' : 'insert'))
      const index = statements.of('insert into "searchTerms" (rowid, terms) values (?, ?)')
      within(db, () => {
        for (const row of rows) {
          const { changes } = insert.run(...row)
          if (table.name !== 'searchDocument' || changes === 0) continue
          const { terms } = termsOf(documentTexts(table, row))
          index.run(row[table.columns.indexOf('rowId')] ?? null, terms.join(' '))
        }
      })
    },
    async remove(table, rows) {
      const remove = statements.of(
        `delete from ${quoted(table.name)} where ${table.key.map((column) => `${quoted(column)} is ?`).join(' and ')}`,
      )
      within(db, () => {
        for (const row of rows) remove.run(...table.key.map((column) => row[table.columns.indexOf(column)] ?? null))
      })
    },
    setNumbers: async (numbers) => within(db, () => setNumbers(statements, numbers)),
    async note() {
      return noteIn(statements)
    },
    async setNote(text) {
      within(db, () => {
        db.exec('create table if not exists "moveNote" (text text not null); delete from "moveNote"')
        statements.of('insert into "moveNote" values (?)').run(text)
      })
    },
    settle: async () => settle(db, path),
    async finish(references) {
      if (references !== 'later') checkReferences(statements)
      within(db, () => bringBack(statements))
      settle(db, path)
    },
    checkReferences: async () => checkReferences(statements),
  }
}

function settle(db: DatabaseSync, path: string): void {
  db.exec('pragma wal_checkpoint(truncate)')
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

function noteIn(statements: Statements): string | undefined {
  if (statements.all(`select 1 from sqlite_schema where name = 'moveNote'`).length === 0) return undefined
  const [note] = statements.all('select text from "moveNote"')
  return note && String(note[0])
}

/** PostgreSQL has no numbers of texts: they get those that new texts would get. */
function insertOf({ name, columns }: Table, verb: string): string {
  const values = columns.map((_, at) => `?${at + 1}`).join(', ')
  const needsNumber = name === 'searchText' && !columns.includes('rowId')
  const number = needsNumber ? `, ${nextNumberOf(`?${columns.indexOf('type') + 1}`)}` : ''
  return `${verb} into ${quoted(name)} (${list(columns)}${needsNumber ? ', "rowId"' : ''}) values (${values}${number})`
}

/** Does `work` in one transaction that no other process writes in. */
export function within(db: DatabaseSync, work: () => void): void {
  db.exec('begin immediate')
  try {
    work()
    db.exec('commit')
  } catch (error) {
    db.exec('rollback')
    throw error
  }
}

/** Drops the triggers that count or chain what a writer adds; those that fill an index of full text stay. */
function setAside(statements: Statements): void {
  const { db } = statements
  const isBegun = statements.all(`select 1 from sqlite_schema where name = 'unfinishedMove'`).length > 0
  if (isBegun) return
  db.exec('create table "unfinishedMove" (definition text not null)')
  const indexes = statements
    .all(`select name from pragma_table_list where type = 'virtual'`)
    .map(([name]) => `"${name}"`)
  for (const [name, definition] of statements.all(`select name, sql from sqlite_schema where type = 'trigger'`)) {
    if (indexes.some((index) => String(definition).includes(index))) continue
    statements.of('insert into "unfinishedMove" values (?)').run(String(definition))
    db.exec(`drop trigger ${quoted(String(name))}`)
  }
  statements.of(`insert into kysely_migration values (?, '')`).run(UNFINISHED_MOVE)
}

function checkReferences(statements: Statements): void {
  const [broken] = statements.all('select "table", parent from pragma_foreign_key_check limit 1')
  if (broken) throw new Error(`A row of ${broken[0]} refers to a row of ${broken[1]} that is missing`)
}

function bringBack(statements: Statements): void {
  const { db } = statements
  for (const [definition] of statements.all('select definition from "unfinishedMove"')) db.exec(String(definition))
  db.exec(
    `drop table "unfinishedMove"; drop table if exists "moveNote"; delete from kysely_migration where name = '${UNFINISHED_MOVE}'`,
  )
}

function setNumbers(statements: Statements, { thing, item }: Numbers): void {
  statements.of('update "thingNumber" set last = ?').run(thing)
  statements.of(`update "eventNumber" set last = ${LAST_EVENT}`).run()
  statements.of(`update sqlite_sequence set seq = ? where name = 'libraryItem'`).run(item)
  if (statements.all(`select 1 from sqlite_sequence where name = 'libraryItem'`).length > 0) return
  statements.of(`insert into sqlite_sequence (name, seq) values ('libraryItem', ?)`).run(item)
}
