// A migrated database without rows for every test, on either engine, and the one door to them: PostgreSQL is asked for by `onEngines`,
// `onPostgres` or `onEveryEngine` (test/world.ts), which leave tests out where there is none. On SQLite it is a copy of one that is migrated once for each state
// of the migrations. On PostgreSQL it is emptied after a test, and the next one gets it with its open connections.
import { rmSync } from 'node:fs'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import type { Changes } from '../src/database/commit-cache.ts'
import { openPostgres, type PostgresStore } from '../src/database/postgres.ts'
import type { Db } from '../src/database/schema.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { migratedFile } from './migrated-file.ts'
import { type LentDatabase, lendDatabase, NoPostgres, postgresUrl } from './postgres-databases.ts'

export interface TestDatabase {
  db: Db
  changes: Changes
  caughtUp?(): Promise<void> | undefined
  sync?(): Promise<void>
  /** Another process on this database, as far as PostgreSQL can tell; `remove` closes it too. */
  second?(): PostgresStore
  /** What DATABASE_URL would be. */
  url: string
  remove(): Promise<void>
}

export type Open = () => Promise<TestDatabase>

/** Tests on SQLite and on PostgreSQL: `open` gives a database on the one. */
export function onEngines(subject: string, define: (open: Open, engine: string) => void): void {
  const skip = process.env['TEST_SQLITE'] === 'off' && 'TEST_SQLITE is off'
  describe(`${subject} on SQLite`, { skip }, () => define(sqliteDatabase, 'SQLite'))
  onPostgres(`${subject} on PostgreSQL`, (open) => define(open, 'PostgreSQL'))
}

/** Tests on PostgreSQL alone; where there is none, they say that they are skipped. */
export function onPostgres(subject: string, define: (open: Open) => void): void {
  describe(subject, { skip: postgresUrl ? false : NoPostgres.REASON }, () => define(postgresDatabase))
}

/** A busy machine may keep PostgreSQL from answering for longer than a server waits. Tests of its silence open connections of their own. */
const SILENCE_MILLISECONDS = 20_000

let sqliteTemplate: Promise<string> | undefined

export async function sqliteDatabase(): Promise<TestDatabase> {
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
      rmSync(folder, { recursive: true })
    },
  }
}

interface OpenDatabase extends LentDatabase {
  store: PostgresStore
  other: PostgresStore | undefined
}

/** Emptied, with open connections: to open them and to plan every statement again takes longer than most tests. */
const emptied: OpenDatabase[] = []
after(() => Promise.all(emptied.splice(0).map(close)))

async function postgresDatabase(): Promise<TestDatabase> {
  const open = emptied.pop() ?? (await openDatabase())
  const { store, url } = open
  let isDestroyed = false
  const destroy = store.db.destroy.bind(store.db)
  store.db.destroy = () => {
    isDestroyed = true
    return destroy()
  }
  return {
    ...store,
    url,
    second() {
      open.other ??= openPostgres(url, { connections: 4, silence: SILENCE_MILLISECONDS })
      return open.other
    },
    async remove() {
      store.db.destroy = destroy
      if (isDestroyed || !(await open.empty())) return close(open)
      // No trigger told of what was deleted.
      for (const { changes } of [store, open.other ?? store]) changes.forgetAll()
      emptied.push(open)
    },
  }
}

async function openDatabase(): Promise<OpenDatabase> {
  const lent = await lendDatabase()
  const store = openPostgres(lent.url, { connections: 8, silence: SILENCE_MILLISECONDS })
  return { ...lent, store, other: undefined }
}

async function close({ store, other, giveBack }: OpenDatabase): Promise<void> {
  await Promise.all([store.db.destroy(), other?.db.destroy()])
  await giveBack()
}
