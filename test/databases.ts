// A fresh, migrated database for every test, on either engine: a copy of one that is migrated once.

import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../src/database/migrate.ts'
import { openPostgres } from '../src/database/postgres.ts'
import type { Db } from '../src/database/schema.ts'
import { openSqlite } from '../src/database/sqlite.ts'

export interface TestDatabase {
  db: Db
  dataVersion: (() => number) | undefined
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

let postgresTemplate: Promise<string> | undefined

async function postgresDatabase(): Promise<TestDatabase> {
  postgresTemplate ??= migratedTemplate()
  const name = `guildhall_test_${randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name} template ${await postgresTemplate}`)
  const url = urlOf(name)
  const db = openPostgres(url, { connections: 8 })
  return {
    db,
    url,
    dataVersion: undefined,
    async remove() {
      await db.destroy()
      await onServer(`drop database ${name} with (force)`)
    },
  }
}

/** Made once for each state of the migrations, however many test files run at once. */
async function migratedTemplate(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of readdirSync('migrations').sort()) hash.update(readFileSync(join('migrations', file)))
  const name = `guildhall_template_${hash.digest('hex').slice(0, 12)}`
  const client = new pg.Client({ connectionString: process.env['TEST_POSTGRES_URL'] })
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(hashtext('guildhall test template'))`)
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rows.length === 0) {
      await client.query(`drop database if exists ${name}_new`)
      await client.query(`create database ${name}_new`)
      const db = openPostgres(urlOf(`${name}_new`), { connections: 2 })
      await migrate(db)
      await db.destroy()
      await client.query(`alter database ${name}_new rename to ${name}`)
    }
  } finally {
    await client.end()
  }
  return name
}

function urlOf(database: string): string {
  const url = new URL(process.env['TEST_POSTGRES_URL']!)
  url.pathname = `/${database}`
  return url.href
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env['TEST_POSTGRES_URL'] })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
