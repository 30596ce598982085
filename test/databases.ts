// A migrated database without rows for every test, on either engine. On SQLite it is a copy of one that is migrated once.

import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Changes } from '../src/database/changes.ts'
import { migrate } from '../src/database/migrate.ts'
import { openPostgres } from '../src/database/postgres.ts'
import type { Db } from '../src/database/schema.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { lendDatabase } from './postgres-databases.ts'

export interface TestDatabase {
  db: Db
  changes: Changes
  caughtUp?(): Promise<void> | undefined
  sync?(): Promise<void>
  /** What DATABASE_URL would be. */
  url: string
  remove(): Promise<void>
}

export const engines: Record<string, (() => Promise<TestDatabase>) | undefined> = {
  SQLite: sqliteDatabase,
  PostgreSQL: process.env['TEST_POSTGRES_URL'] ? postgresDatabase : undefined,
}

let sqliteTemplate: Promise<string> | undefined

async function sqliteDatabase(): Promise<TestDatabase> {
  sqliteTemplate ??= migratedFile()
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-test-'))
  const url = join(folder, 'guildhall.db')
  await copyFile(await sqliteTemplate, url)
  const store = openSqlite(url, { synchronous: 'OFF' })
  store.protect()
  return {
    ...store,
    url,
    async remove() {
      await store.db.destroy()
      await rm(folder, { recursive: true })
    },
  }
}

async function migratedFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-template-'))
  process.once('exit', () => void rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'template.db')
  const { db } = openSqlite(path, { synchronous: 'OFF' })
  await migrate(db)
  await db.destroy()
  return path
}

async function postgresDatabase(): Promise<TestDatabase> {
  const { url, giveBack } = await lendDatabase()
  const store = openPostgres(url, { connections: 8 })
  return {
    ...store,
    url,
    async remove() {
      await store.db.destroy()
      await giveBack()
    },
  }
}
