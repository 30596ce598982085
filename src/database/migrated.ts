// Tells whether a database has every migration without loading them: most starts have nothing to migrate, and the library
// reads the description of every table before it finds that out.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from './schema.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/** Brings the database to the newest shape, if it does not have it. */
export async function migrateOnce(db: Db): Promise<void> {
  if (await hasEveryMigration(db)) return
  const { migrate } = await import('./migrate.ts')
  await migrate(db)
}

/** False too if the database cannot say: what is wrong is found by the migration. */
async function hasEveryMigration(db: Db): Promise<boolean> {
  const files = await readdir(MIGRATIONS)
  const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(db).catch(() => ({ rows: [] }))
  const names = new Set(applied.rows.map(({ name }) => `${name}.ts`))
  return files.length === names.size && files.every((file) => names.has(file))
}
