// A migrated database without rows for every test, on either engine, and the one door to them: PostgreSQL is asked for by `onEngines`,
// `onPostgres` or `onEveryEngine` (test/world.ts), which leave tests out where there is none. It is emptied after a test, and the next
// one gets it with its open connections.
import { after, describe } from 'node:test'
import type { Changes } from '../src/database/commit-cache.ts'
import { openPostgres, type PostgresStore } from '../src/database/postgres.ts'
import type { Db } from '../src/database/schema.ts'
import { type LentDatabase, lendDatabase, NoPostgres, postgresUrl } from './postgres-databases.ts'
import { type LentFile, lendFile } from './sqlite-databases.ts'

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

/** Emptied, with open connections and prepared statements. */
const emptiedFiles: LentFile[] = []
after(() => Promise.all(emptiedFiles.splice(0).map(({ remove }) => remove())))

export async function sqliteDatabase(): Promise<TestDatabase> {
  const file = emptiedFiles.pop() ?? (await lendFile())
  const { store, url } = file
  const kept = keptOpen(store.db)
  return {
    ...store,
    url,
    async remove() {
      if (kept.end() || !(await file.empty())) return file.remove()
      store.changes.drop()
      emptiedFiles.push(file)
    },
  }
}

/** Notices whether a test closes a database, and then forgets it. */
function keptOpen(db: Db): { end(): boolean } {
  let isDestroyed = false
  const { destroy } = db
  db.destroy = () => {
    isDestroyed = true
    return destroy.call(db)
  }
  return {
    end() {
      db.destroy = destroy
      return isDestroyed
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
  const kept = keptOpen(store.db)
  return {
    ...store,
    url,
    second() {
      open.other ??= openPostgres(url, { connections: 4, silence: SILENCE_MILLISECONDS })
      return open.other
    },
    async remove() {
      if (kept.end() || !(await open.empty())) return close(open)
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
