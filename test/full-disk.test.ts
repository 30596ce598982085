// A disk that is full, wherever that strikes: in the log, in the copying of the log into the database, in memory that connections share. Writes
// are refused meanwhile, and go on once there is room, in the same process; what was acknowledged is there.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { openSqlite, type SqliteStore } from '../src/database/sqlite.ts'
import { outageOf } from '../src/runtime/outage.ts'
import { temporaryDirectory } from './temporary.ts'

const MEGABYTE = 1024 * 1024
const DISK_MEGABYTES = 64

/** Runs `work` on a small disk of its own; false where that cannot be made. */
async function onSmallDisk(t: TestContext, work: (folder: string) => Promise<void>): Promise<boolean> {
  const folder = await temporaryDirectory(t)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return false
  }
  await work(folder).finally(() => execFileSync('umount', ['-l', folder]))
  return true
}

/** Fills the disk, but for so many bytes. */
function fill(folder: string, left: number): void {
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(join(folder, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - left)))
}

/** Writes a row of this size; the kind of outage that refused it. */
const write = ({ db }: SqliteStore, key: string, bytes: number) =>
  db
    .insertInto('counter')
    .values({ key: `${key} ${randomBytes(bytes / 2).toString('hex')}`, count: 1 })
    .execute()
    .then(
      () => undefined,
      (error: unknown) => outageOf(error)?.kind,
    )

const keysIn = async ({ db }: SqliteStore) => {
  const rows = await db.selectFrom('counter').select('key').execute()
  return rows.map(({ key }) => key.split(' ')[0]!)
}

async function openStore(folder: string): Promise<SqliteStore> {
  const store = openSqlite(join(folder, 'guildhall.db'))
  await store.db.schema.createTable('counter').addColumn('key', 'text').addColumn('count', 'integer').execute()
  return store
}

/** Fills the disk while a store writes, and makes room again. */
async function fillUp(folder: string, { written, left }: { written: number; left: number }): Promise<void> {
  const store = await openStore(folder)
  const acknowledged: string[] = []
  const writeMany = async (name: string, count: number) => {
    const refusals: string[] = []
    for (let n = 0; n < count; n++) {
      const refused = await write(store, `${name}-${n}`, MEGABYTE / 2)
      if (refused) refusals.push(refused)
      else acknowledged.push(`${name}-${n}`)
    }
    return refusals
  }
  assert.deepEqual(await writeMany('before', written * 2), [])
  fill(folder, left * MEGABYTE)
  const refused = await writeMany('full', 60)
  assert.ok(refused.length > 0 && refused.every((kind) => kind === 'full'), refused.join())
  rmSync(join(folder, 'ballast'))
  assert.deepEqual(await writeMany('after', 8), [])
  assert.equal(store.fault(), undefined)
  const keys = new Set(await keysIn(store))
  assert.deepEqual(
    acknowledged.filter((key) => !keys.has(key)),
    [],
  )
  await store.db.destroy()
  const again = openSqlite(join(folder, 'guildhall.db'))
  assert.deepEqual(new Set(await keysIn(again)), keys)
  await again.db.destroy()
}

/** More by hand: FULL_DISK_ROUNDS=20 npm test -- test/full-disk.test.ts */
const ROUNDS = Number(process.env['FULL_DISK_ROUNDS'] ?? 1)

describe('a disk that is full', () => {
  for (const written of [0, 3, 6, 15, 18]) {
    for (const left of [0, 1.5, 3]) {
      it(`after ${written} MB, with ${left} MB left, takes writes again once it has room`, async (t) => {
        for (let round = 1; round <= ROUNDS; round++) {
          const isMade = await onSmallDisk(t, (folder) => fillUp(folder, { written, left }))
          if (!isMade) return t.skip('a small disk can only be made by root')
        }
      })
    }
  }
})
