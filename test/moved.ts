// `TEST_MOVED=1`: tests on databases that were moved. That on PostgreSQL was filled on SQLite, moved and emptied; that on SQLite came back
// from there. What a move leaves of columns, indexes, triggers, sequences and rights is then what every test of the front door runs on.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../src/database/migrate.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { copyWhileServing, finishMove, type MovedRows } from '../src/operator/moving-rows.ts'
import { lendDatabase } from './postgres-databases.ts'

const output = { say() {}, complain() {}, result() {}, progress() {} }

/** Moves all rows, as an operator does: while a server may run, and then what changed since. */
export async function moveRows(fromUrl: string, toUrl: string): Promise<MovedRows> {
  const place = { fromUrl, toUrl, isAll: false, output }
  await copyWhileServing(place)
  return finishMove(place)
}

/** Moves a database with something of everything to an empty one on PostgreSQL. */
export async function moveFilled(toUrl: string): Promise<void> {
  const [{ makeWorld }, { live }] = await Promise.all([import('./world.ts'), import('./living.ts')])
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-moved-'))
  const url = join(folder, 'guildhall.db')
  const store = openSqlite(url, { synchronous: 'OFF' })
  try {
    await migrate(store.db)
    await live(await makeWorld({ ...store, url }, { BLOB_URL: `file:${join(folder, 'blobs')}` }))
    await moveRows(url, toUrl)
  } finally {
    await store.db.destroy()
    await rm(folder, { recursive: true })
  }
}

/** Moves a database without rows from PostgreSQL, which came there from SQLite, to a new file. */
export async function moveBack(path: string): Promise<void> {
  const { url, giveBack } = await lendDatabase()
  try {
    await moveRows(url, path)
  } finally {
    await giveBack()
  }
}
