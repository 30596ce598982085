// Tells whether a database has every migration without loading them: most starts have nothing to migrate, and the library
// reads the description of every table before it finds that out.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from './schema.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/**
 * Brings the database to the newest shape, if it does not have it. `copy` is called before that for a database of an earlier version, with
 * the number of migrations that it has run.
 */
export async function migrateOnce(db: Db, copy?: (applied: number) => Promise<void>): Promise<void> {
  const files = await readdir(MIGRATIONS)
  const applied = await listApplied(db)
  const isKnown = applied.every((name) => files.includes(`${name}.ts`))
  if (isKnown && applied.length === files.length) return
  if (isKnown && applied.length > 0) await copy?.(applied.length)
  const { migrate } = await import('./migrate.ts')
  await migrate(db)
}

/** None too if the database cannot say: what is wrong is found by the migration. */
async function listApplied(db: Db): Promise<string[]> {
  const found = await sql<{ name: string }>`select name from kysely_migration`.execute(db).catch(() => ({ rows: [] }))
  return found.rows.map(({ name }) => name)
}
