// An EIO at every fsync, each in turn, with another process reading and without: what was acknowledged is there after the next
// start, and after a power cut. The disk is a model of Linux's (model-disk.ts).
import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../src/database/open.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { modelDisk } from './model-disk.ts'
import { temporaryDirectory } from './temporary.ts'

/** Each is some 250 pages: four are copied ahead, sixteen are a checkpoint. */
const PADDING = 'x'.repeat(1_000_000)

type Reader = 'no other process' | 'another process'

interface Run {
  t: TestContext
  folder: string
  reader: Reader
  failing: { all: number } | { ofDatabase: number }
}

/** Whether the fsync came at all; asserts everything that must hold after it failed. */
async function run({ t, folder, reader, failing }: Run): Promise<boolean> {
  const path = join(await mkdtemp(join(folder, 'run-')), 'guildhall.db')
  const first = openSqlite(path)
  await first.db.schema.createTable('counter').addColumn('key', 'text').addColumn('count', 'integer').execute()
  await first.db.destroy()
  const broken: Error[] = []
  const store = openSqlite(path, { onBroken: (error) => broken.push(error) })
  const disk = modelDisk(t, path, failing)
  const acknowledged: string[] = []
  const write = async (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      const key = `${n} ${PADDING}`
      const isWritten = await store.db
        .insertInto('counter')
        .values({ key, count: n })
        .execute()
        .then(
          () => true,
          () => false,
        )
      if (isWritten) acknowledged.push(String(n))
    }
  }
  await write(0, 3)
  const other = new DatabaseSync(path, { readOnly: true })
  const reading = reader === 'another process'
  if (reading) other.exec('begin; select count(*) from counter')
  // The WAL is copied in part while the other reads, and then whole; it starts over, and goes on.
  await write(3, 19)
  if (other.isTransaction) other.exec('commit')
  if (reading) other.exec('begin; select count(*) from counter')
  await write(19, 25)
  other.exec(other.isTransaction ? 'commit' : 'select 1')
  await write(25, 43)
  const hasFailed = disk.hasFailed()
  if (hasFailed) {
    assert.match(store.fault()!.message, /did not take/)
    assert.equal(broken.length, 1)
    await assert.rejects(store.db.insertInto('counter').values({ key: 'late', count: 1 }).execute(), /did not take/)
  }
  const afterPowerCut = await mkdtemp(join(folder, 'cut-'))
  disk.powerCut(afterPowerCut)
  await store.db.destroy()
  disk.restore()
  await isWhole(path, acknowledged)
  other.close()
  await isWhole(path, acknowledged)
  await isWhole(join(afterPowerCut, 'guildhall.db'), acknowledged)
  return hasFailed
}

async function isWhole(path: string, acknowledged: readonly string[]): Promise<void> {
  const { db } = openSqlite(path)
  // SQLite compares the texts: 43 MB would be strings of this process, three times for each failure.
  const rows = await db
    .selectFrom('counter')
    .select('count')
    .where(sql`substr(key, instr(key, ' ') + 1)`, '=', PADDING)
    .execute()
  await db.destroy()
  const kept = new Set(rows.map(({ count }) => String(count)))
  assert.deepEqual(
    acknowledged.filter((key) => !kept.has(key)),
    [],
  )
  const check = new DatabaseSync(path, { readOnly: true })
  assert.deepEqual({ ...check.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
  check.close()
}

for (const reader of ['no other process', 'another process'] as const) {
  describe(`a checkpoint while ${reader} reads`, () => {
    it('loses nothing at whichever of its fsyncs the disk fails', async (t) => {
      const folder = await temporaryDirectory(t)
      let ofDatabase = 0
      while (await run({ t, folder, reader, failing: { ofDatabase } })) ofDatabase++
      assert.ok(ofDatabase >= 3, `${ofDatabase} fsyncs of checkpoints`)
    })

    it('loses nothing at an fsync of a commit around it either', async (t) => {
      const folder = await temporaryDirectory(t)
      for (const all of [0, 2, 17, 18, 19, 40, 41, 42, 60]) await run({ t, folder, reader, failing: { all } })
    })
  })
}

it('the WAL of before is written again at a start, and a disk that does not take it stops the start', async (t) => {
  const path = join(await temporaryDirectory(t), 'guildhall.db')
  const store = await openDatabase(path)
  await store.db.insertInto('counter').values({ key: 'kept', count: 1 }).execute()
  // What a process leaves that was killed.
  const left = new DatabaseSync(path)
  left.exec('begin; select 1 from counter')
  await store.db.destroy()
  for (const all of [0, 1]) {
    const disk = modelDisk(t, path, { all })
    assert.throws(() => openSqlite(path), /EIO/)
    disk.restore()
  }
  const again = openSqlite(path)
  assert.equal((await again.db.selectFrom('counter').selectAll().where('key', '=', 'kept').execute()).length, 1)
  await again.db.destroy()
  left.close()
})
