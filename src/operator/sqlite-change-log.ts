// Notes changes in a SQLite database by three triggers for each table.
import { DatabaseSync } from 'node:sqlite'
import type { ChangeLog, Table } from './rows.ts'
import { within } from './sqlite-rows.ts'

const BUSY_TIMEOUT = 10_000
const PREFIX = 'noteMove'
const TRIGGERS = `select name from sqlite_schema where type = 'trigger' and name like '${PREFIX}%'`

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

function triggersOf({ name, key }: Table): string[] {
  const keyIn = (row: 'old' | 'new') => `json_array(${key.map((column) => `${row}.${quoted(column)}`).join(', ')})`
  const note = (row: 'old' | 'new') =>
    `insert into "movedKey" ("table", key) values ('${name.replaceAll("'", "''")}', ${keyIn(row)});`
  const make = (event: string, notes: string) =>
    `create trigger ${quoted(`${PREFIX} ${event} ${name}`)} after ${event} on ${quoted(name)} begin ${notes} end`
  return [make('insert', note('new')), make('update', note('old') + note('new')), make('delete', note('old'))]
}

export function openSqliteChangeLog(path: string): ChangeLog {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT })
  const namesOf = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map((row) => String(row['name']))
  const end = () => {
    for (const name of namesOf(TRIGGERS)) db.exec(`drop trigger ${quoted(name)}`)
    db.exec('drop table if exists "movedKey"; drop table if exists "moveBegun"')
  }
  return {
    async begin(tables, move) {
      within(db, () => {
        end()
        db.exec(
          'create table "movedKey" (number integer primary key autoincrement, "table" text not null, key text not null)',
        )
        for (const trigger of tables.flatMap(triggersOf)) db.exec(trigger)
        db.exec('create table "moveBegun" (move text not null)')
        db.prepare('insert into "moveBegun" values (?)').run(move)
      })
    },
    async isComplete(tables, move) {
      // A migration that makes a table again removes its triggers.
      if (namesOf(TRIGGERS).length !== tables.length * 3) return false
      return db.prepare('select move from "moveBegun"').get()?.['move'] === move
    },
    async add(table, keys) {
      const insert = db.prepare('insert into "movedKey" ("table", key) values (?, ?)')
      within(db, () => {
        for (const key of keys) insert.run(table.name, JSON.stringify(key))
      })
    },
    async forget(numbers) {
      const remove = db.prepare('delete from "movedKey" where number = ?')
      within(db, () => {
        for (const number of numbers) remove.run(number)
      })
    },
    async end() {
      within(db, end)
    },
    async close() {
      db.close()
    },
  }
}
