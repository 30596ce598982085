// Databases as they were before a migration, on both engines.
import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { it } from 'node:test'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Db } from '../src/database/schema.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { onPostgres } from './databases.ts'
import { temporaryDirectory } from './temporary.ts'

const files = globSync('migrations/*.ts').sort()

export interface OldDatabase {
  db: Db
  /** Runs the migration, and every later one; with a name only those up to it. */
  upgrade(through?: string): Promise<void>
  /** Runs statements, of any schema. */
  run(...statements: string[]): Promise<void>
}

/** A test on both engines that begins with all migrations before `migration`, such as `0022-field-names`. */
export function onOldDatabase(
  sentence: string,
  migration: string,
  test: (database: OldDatabase) => Promise<void>,
): void {
  const placeOf = (name: string) => files.findIndex((file) => file.includes(name))
  const begin = async (db: Db) => {
    let at = placeOf(migration)
    await migrateBy(db, files.slice(0, at))
    const upgrade = async (through?: string) => {
      const end = through === undefined ? files.length : placeOf(through) + 1
      await migrateBy(db, files.slice(at, end))
      at = end
    }
    const run = async (...statements: string[]) => {
      for (const statement of statements) await sql.raw(statement).execute(db)
    }
    await test({ db, run, upgrade })
  }
  it(`${sentence} on SQLite`, async (t) => {
    const { db } = openSqlite(join(await temporaryDirectory(t), 'old.db'), { synchronous: 'OFF' })
    t.after(() => db.destroy())
    await begin(db)
  })
  onPostgres(sentence, (open) => {
    it('on PostgreSQL', async (t) => {
      const { db, remove } = await open()
      t.after(remove)
      await sql`drop schema public cascade`.execute(db)
      await sql`create schema public`.execute(db)
      await begin(db)
    })
  })
}

async function migrateBy(db: Db, chosen: readonly string[]): Promise<void> {
  for (const file of chosen) {
    const { up }: Migration = await import(resolve(file))
    await db.transaction().execute((transaction) => up(transaction))
  }
}
