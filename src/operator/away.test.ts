// A continuous backup that is away while the server writes: the log is kept for it up to a length, whatever copies it into the database.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { marksBeside } from '@guildhall/durable-sqlite/following'
import { type Begun, begin, filesIn, namesIn, partsOf, publish, shipping, until } from '../../test/continuous.ts'
import { makeWorld } from '../../test/world.ts'
import { openDatabase } from '../database/open.ts'
import type { Repository } from './repository.ts'
import { listSnapshots } from './snapshot.ts'
import { readPart } from './stream.ts'

const MEGABYTE = 1024 ** 2

/** Writes so many MB. */
async function writeMegabytes({ db }: Pick<Begun, 'db'>, count: number, name = 'filling') {
  for (let n = 0; n < count; n++) {
    const key = `${name} ${n} ${'x'.repeat(MEGABYTE)}`
    await db.insertInto('counter').values({ key, count: 1 }).execute()
    await db.deleteFrom('counter').where('key', '=', key).execute()
  }
}

/** As the server does, and any other program on the database. */
function copyLog(path: string) {
  const db = new DatabaseSync(path)
  db.exec('pragma wal_checkpoint(restart)')
  db.close()
}

const fails = (repository: Repository, isAway: () => boolean): Repository => ({
  ...repository,
  beside: () => fails(repository.beside(), isAway),
  put: (key, bytes) => (isAway() ? Promise.reject(new Error('away')) : repository.put(key, bytes)),
})

describe('a continuous backup that was away', () => {
  it('goes on from where it was, after any number of changes below the length', async (t) => {
    const begun = await begin(t)
    const { repository, config } = begun
    const first = await shipping(begun)
    await first.backedUp
    await publish(begun, 'Before')
    assert.equal(await first.stop(), undefined)
    for (let turn = 0; turn < 5; turn++) {
      await publish(begun, `Between ${turn}`)
      await writeMegabytes(begun, 20)
      copyLog(config.databaseUrl)
    }
    const second = await shipping(begun)
    await until(async () => (await filesIn(repository)) === 6)
    await publish(begun, 'After')
    assert.equal(await second.stop(), undefined)
    assert.deepEqual(second.complaints, [])
    assert.equal((await listSnapshots(repository)).length, 1)
    const parts = await Promise.all((await partsOf(repository)).map((key) => readPart(repository, key)))
    assert.ok(parts.some(({ hasMore }) => hasMore))
    assert.equal((await namesIn((await begun.restored()).place)).length, 7)
  })

  it('goes on after the log started over under it, though what it had read then was not shipped', async (t) => {
    const begun = await begin(t)
    let isAway = false
    const repository = fails(begun.repository, () => isAway)
    const first = await shipping({ ...begun, repository })
    await first.backedUp
    await publish(begun, 'Shipped')
    await until(async () => (await filesIn(begun.repository)) === 1)
    isAway = true
    // It reads on once, and then lets a log of this length start over.
    await writeMegabytes(begun, 34)
    await publish(begun, 'Read')
    await until(() => first.complaints.length > 0)
    assert.match((await first.stop())?.message ?? '', /the last changes are not in the backup/)
    for (let turn = 0; turn < 3; turn++) {
      await writeMegabytes(begun, 20, `turn ${turn}`)
      await publish(begun, `Between ${turn}`)
      copyLog(begun.config.databaseUrl)
    }
    const second = await shipping(begun)
    await until(async () => (await filesIn(begun.repository)) === 5)
    assert.equal(await second.stop(), undefined)
    assert.deepEqual(second.complaints, [])
    assert.equal((await listSnapshots(begun.repository)).length, 1)
    assert.equal((await namesIn((await begun.restored()).place)).length, 5)
  })

  it('goes on though the server was started again meanwhile, each time with much written', async (t) => {
    const begun = await begin(t)
    const { repository, config } = begun
    const first = await shipping(begun)
    await first.backedUp
    assert.equal(await first.stop(), undefined)
    await publish(begun, 'Before')
    await begun.db.destroy()
    for (let turn = 0; turn < 2; turn++) {
      const store = await openDatabase(config.databaseUrl)
      const world = await makeWorld({ ...store, url: config.databaseUrl }, { BLOB_URL: config.blobUrl })
      await writeMegabytes(world, 20)
      await publish({ alice: turn === 0 ? world.bob : world.admin }, `Turn ${turn}`)
      await world.db.destroy()
      assert.ok(existsSync(`${config.databaseUrl}-wal`))
    }
    const second = await shipping(begun)
    await until(async () => (await filesIn(repository)) === 3)
    assert.equal(await second.stop(), undefined)
    assert.deepEqual(second.complaints, [])
    assert.equal((await listSnapshots(repository)).length, 1)
    assert.equal((await namesIn((await begun.restored()).place)).length, 3)
  })

  it('begins again beyond that length, and the log is kept for it no longer', async (t) => {
    const reasons: string[] = []
    const keptLog = { mostBytes: 32 * MEGABYTE, onLetGo: (reason: string) => void reasons.push(reason) }
    const begun = await begin(t, { keptLog })
    const { repository, config } = begun
    const first = await shipping(begun)
    await first.backedUp
    assert.equal(await first.stop(), undefined)
    await publish(begun, 'Between')
    await writeMegabytes(begun, 10)
    assert.deepEqual([reasons, marksBeside(config.databaseUrl).length], [[], 1])
    await writeMegabytes(begun, 30)
    assert.deepEqual(reasons, ['it was away for 32 MB of changes'])
    assert.deepEqual(marksBeside(config.databaseUrl), [])
    await writeMegabytes(begun, 30)
    const second = await shipping(begun)
    await second.backedUp
    await publish(begun, 'After')
    assert.equal(await second.stop(), undefined)
    assert.match(second.complaints.join(), /The log started over while nothing read it/)
    assert.equal((await listSnapshots(repository)).length, 2)
    assert.deepEqual(await namesIn((await begun.restored()).place), ['After', 'Between'])
  })

  it('ends when its target is away beyond that length', async (t) => {
    const begun = await begin(t)
    let isAway = false
    const repository = fails(begun.repository, () => isAway)
    const config = { ...begun.config, backupLogBytes: 64 * MEGABYTE }
    const { backedUp, end } = await shipping({ config, repository })
    await backedUp
    isAway = true
    await publish(begun, 'Not shipped')
    for (let turn = 0; turn < 6; turn++) await writeMegabytes(begun, 16, `turn ${turn}`)
    assert.match((await end)?.message ?? '', /has more than BACKUP_LOG_MB \(64\) that is not in the backup/)
  })
})
