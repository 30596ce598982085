// Every table and column of the database is in the export of an account, or is declared to be left out.
import assert from 'node:assert/strict'
import { sections } from '../src/accounts/export-data-queries.ts'
import { leftOutColumns, leftOutEverywhere, leftOutTables } from '../src/accounts/export-left-out.ts'
import { onEveryEngine } from './world.ts'

/** SQLite's indexes of texts show as tables; they follow theirs. */
const INDEX = /^(?:itemTextIndex|searchIndex|searchTerms)/
/** Sequences on PostgreSQL. */
const ON_SQLITE = new Set(['eventNumber', 'thingNumber'])
/** Tables of the engines for migrations. */
const OF_ENGINE = /^(?:kysely_|sqlite_)/

onEveryEngine('the export of an account', (it) => {
  it('has every column of every table, but for what is declared', async ({ db }) => {
    const exported = new Set(
      Object.values(sections).flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)),
    )
    const tables = new Set(Object.values(sections).map(({ table }) => table))
    const found = (await db.introspection.getTables()).filter(({ name }) => !INDEX.test(name) && !OF_ENGINE.test(name))
    const all = new Set(
      found.flatMap(({ name, columns }) => [name, ...columns.map((column) => `${name}.${column.name}`)]),
    )
    const forgotten = found.flatMap(({ name, columns }) => {
      if (Object.hasOwn(leftOutTables, name)) return []
      if (!tables.has(name)) return [name]
      return columns
        .filter((column) => !leftOutEverywhere.has(column.name))
        .map((column) => `${name}.${column.name}`)
        .filter((column) => !exported.has(column) && !leftOutColumns.has(column))
    })
    const where = 'put them into src/accounts/export-data-queries.ts, or say in export-left-out.ts why they stay out'
    assert.deepEqual(forgotten, [], where)
    const gone = [...leftOutColumns, ...Object.keys(leftOutTables)].filter(
      (one) => !all.has(one) && !ON_SQLITE.has(one),
    )
    assert.deepEqual(gone, [], 'no such tables or columns')
    assert.deepEqual(
      Object.keys(leftOutTables).filter((table) => tables.has(table)),
      [],
      'exported and left out',
    )
  })
})
