// Databases as they were before a migration, on both engines.
import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { it } from 'node:test'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { migrate } from '../src/database/migrate.ts'
import { migrationNames, migrations } from '../src/database/migrations.ts'
import type { Db } from '../src/database/schema.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { onPostgres } from './databases.ts'
import { temporaryDirectory } from './temporary.ts'

const files = globSync('migrations/*.ts').sort()

/** Brings a new database to where it was before `migration`, as a start does. */
export async function migrateUntil(db: Db, migration: string): Promise<void> {
  const names = migrationNames()
  const later = names.slice(names.indexOf(migration)).map((name) => [name, migrations[name]] as const)
  for (const [name] of later) delete migrations[name]
  await migrate(db).finally(() => Object.assign(migrations, Object.fromEntries(later)))
}

/** A test on both engines that begins with all migrations before `migration`, by its name: an empty database for the first one. */
export function onOldDatabase(sentence: string, migration: string, test: (db: Db) => Promise<void>): void {
  const begin = async (db: Db) => {
    const before = files.slice(
      0,
      files.findIndex((file) => file.includes(migration)),
    )
    for (const file of before) {
      const { up }: Migration = await import(resolve(file))
      await db.transaction().execute((transaction) => up(transaction))
    }
    await test(db)
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
