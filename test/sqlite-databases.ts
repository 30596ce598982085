// Migrated SQLite databases for tests: copies of one that is migrated once for each state of the migrations. What a test writes is in its
// WAL until SQLite copies 1,000 pages of it. So a database is emptied by the loss of its WAL, from which SQLite recovers as after a crash:
// to open it again, and to prepare every statement, takes longer than most tests. Where the file itself was written, it is removed.
import { closeSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { openSqlite, type SqliteStore } from '../src/database/sqlite.ts'
import { migratedFile } from './migrated-file.ts'

export interface LentFile {
  store: SqliteStore
  /** What DATABASE_URL would be. */
  url: string
  /** Takes back what a test wrote; false if the database has to be made again. */
  empty(): Promise<boolean>
  remove(): Promise<void>
}

/** Both copies of the header of the index of a WAL (walformat.html, 2.1): without them SQLite reads the WAL again. */
const HEADERS = new Uint8Array(96)

let template: Promise<string> | undefined

/** A copy, open. */
export async function lendFile(): Promise<LentFile> {
  template ??= migratedFile()
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-test-'))
  const url = join(folder, 'guildhall.db')
  await copyFile(await template, url)
  const store = openSqlite(url, { synchronous: 'OFF' })
  store.protect()
  const pristine = { files: filesOf(url), connections: await connectionsOf(store) }
  return {
    store,
    url,
    async empty() {
      // What a test began and did not wait for.
      await setImmediate()
      try {
        if (store.fault() || filesOf(url) !== pristine.files) return false
        // A transaction waits for all others.
        if ((await connectionsOf(store)) !== pristine.connections) return false
        loseLog(url)
        // Both read the WAL again here: where something else holds it, this fails.
        return (await connectionsOf(store)) === pristine.connections
      } catch {
        return false
      }
    },
    async remove() {
      await store.db.destroy()
      rmSync(folder, { recursive: true })
    },
  }
}

/** The same as long as the file was not written and nothing took its place. */
function filesOf(url: string): string {
  const { mtimeMs, size } = statSync(url)
  return [mtimeMs, size, ...['', '-wal', '-shm'].map((end) => statSync(url + end).ino)].join(' ')
}

const STATE = sql<
  Record<string, number>
>`select * from pragma_schema_version, pragma_max_page_count, pragma_query_only, pragma_foreign_keys`

/** What tests can set at the connections that read and write. */
async function connectionsOf({ db }: SqliteStore): Promise<string> {
  const read = await STATE.execute(db)
  const written = await db.transaction().execute((transaction) => STATE.execute(transaction))
  return JSON.stringify([read.rows, written.rows])
}

function loseLog(url: string): void {
  truncateSync(`${url}-wal`)
  const index = openSync(`${url}-shm`, 'r+')
  try {
    writeSync(index, HEADERS, 0, HEADERS.length, 0)
  } finally {
    closeSync(index)
  }
}
