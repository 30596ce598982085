// A SQLite database that is migrated and empty: made by the first process that needs it, and found by all others until a migration changes.
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOfMigrations, IS_MOVED } from './migrations-hash.ts'

/** Its path. */
export async function migratedFile(): Promise<string> {
  const folder = join(import.meta.dirname, '../node_modules/.cache/tests')
  const path = join(folder, `${IS_MOVED ? 'moved' : 'migrated'}-${hashOfMigrations()}.db`)
  const isThere = await stat(path).catch(() => undefined)
  if (isThere) return path
  await mkdir(folder, { recursive: true })
  // Complete when it gets its name.
  const unfinished = await mkdtemp(join(folder, 'migrating-'))
  await make(join(unfinished, 'template.db'))
  await rename(join(unfinished, 'template.db'), path)
  await rm(unfinished, { recursive: true })
  return path
}

/** Loads what it needs only then: most processes find the file. */
async function make(path: string): Promise<void> {
  if (IS_MOVED) {
    const { moveBack } = await import('./moved.ts')
    return moveBack(path)
  }
  const { openSqlite } = await import('../src/database/sqlite.ts')
  const { migrate } = await import('../src/database/migrate.ts')
  const { db } = openSqlite(path, { synchronous: 'OFF' })
  await migrate(db)
  await db.destroy()
}
