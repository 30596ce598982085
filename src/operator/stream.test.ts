// The stream of a continuous backup: it never waits for a backup, goes on over restarts, and each of its parts can tell that it is whole.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { begin, filesIn, namesIn, newest, partsOf, publish, shipping, until } from '../../test/continuous.ts'
import { makeWorld } from '../../test/world.ts'
import { openDatabase } from '../database/open.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import type { Repository } from './repository.ts'
import { listSnapshots } from './snapshot.ts'
import { readPart } from './stream.ts'

describe('a continuous backup', () => {
  it('ships on while another backup is taken, into the stream that this one goes on from as well', async (t) => {
    const begun = await begin(t)
    const { repository } = begun
    const held = Promise.withResolvers<void>()
    const backups: number[] = []
    // The second backup does not come to its end.
    const holding = (): Repository => ({
      ...repository,
      put: async (key, bytes) => {
        if (key.startsWith('snapshots/') && backups.push(Date.now()) > 1) await held.promise
        await repository.put(key, bytes)
      },
    })
    const { backedUp, stop } = await shipping({ ...begun, repository: holding() }, { longest: 2 })
    await backedUp
    const [first] = await listSnapshots(repository)
    for (let n = 0; backups.length < 2; n++) {
      await publish(begun, `Before ${n}`)
      await until(async () => (await filesIn(repository)) > n || backups.length > 1)
    }
    await publish(begun, 'Meanwhile')
    const whole = await begun.db.selectFrom('itemVersion').selectAll().execute()
    await until(async () => (await filesIn(repository)) === whole.length)
    assert.deepEqual(await listSnapshots(repository), [first])
    const then = await begun.restored()
    assert.ok((await namesIn(then.place)).includes('Meanwhile'))
    held.resolve()
    assert.equal(await stop(), undefined)
    const streams = new Set((await repository.list('streams')).map((key) => key.split('/')[1]))
    assert.equal(streams.size, 1)
    const last = await newest(repository)
    assert.ok(last.stream && last.stream.from > 0 && last.stream.needed >= last.stream.from)
    await repository.remove(first!)
    assert.ok((await namesIn((await begun.restored()).place)).includes('Meanwhile'))
  })

  it('goes on after a restart with what came between, without another backup', async (t) => {
    const begun = await begin(t)
    const { repository } = begun
    const first = await shipping(begun)
    await first.backedUp
    await publish(begun, 'One')
    assert.equal(await first.stop(), undefined)
    await publish(begun, 'Between')
    const second = await shipping(begun)
    await until(async () => (await filesIn(repository)) === 2)
    await publish(begun, 'Two')
    assert.equal(await second.stop(), undefined)
    assert.equal((await listSnapshots(repository)).length, 1)
    assert.deepEqual(await namesIn((await begun.restored()).place), ['Between', 'One', 'Two'])
  })

  it('goes on after the server was stopped and started meanwhile, though the log started over', async (t) => {
    const begun = await begin(t)
    const { repository, config } = begun
    const first = await shipping(begun)
    await first.backedUp
    for (let n = 0; n < 5; n++) await publish(begun, `Before ${n}`)
    assert.equal(await first.stop(), undefined)
    await publish(begun, 'Last of the old log')
    await begun.db.destroy()
    assert.ok(existsSync(`${config.databaseUrl}-wal`))
    const store = await openDatabase(config.databaseUrl)
    const world = await makeWorld({ ...store, url: config.databaseUrl }, { BLOB_URL: config.blobUrl })
    await world.db.insertInto('counter').values({ key: 'the log starts over', count: 1 }).execute()
    await publish({ alice: world.bob }, 'First of the new log')
    const second = await shipping(begun)
    await until(async () => (await filesIn(repository)) === 7)
    assert.equal(await second.stop(), undefined)
    assert.deepEqual(second.complaints, [])
    assert.equal((await listSnapshots(repository)).length, 1)
    assert.equal((await namesIn((await begun.restored()).place)).length, 7)
    await world.db.destroy()
  })

  it('tells of a part with other bytes, and restores what was before it', async (t) => {
    const begun = await begin(t)
    const { repository } = begun
    const { backedUp, stop } = await shipping(begun)
    await backedUp
    await publish(begun, 'One')
    await until(async () => (await filesIn(repository)) === 1)
    const before = timestamp(systemClock.now())
    await sleep(20)
    await publish(begun, 'Two')
    assert.equal(await stop(), undefined)
    const parts = await partsOf(repository)
    const last = parts.at(-1)!
    const bytes = (await repository.get(last))!
    // Compressed again, so that nothing but its own hash can tell.
    for (let bit = 0; bit < 64; bit++) {
      const at = Math.floor((bit * bytes.length) / 64)
      const flipped = Buffer.from(bytes)
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (bit % 8)), at)
      await repository.put(last, flipped)
      await assert.rejects(readPart(repository, last), /damaged/, `byte ${at}`)
    }
    await assert.rejects(begun.restored(), /the backup is damaged: the part streams\/.* has other bytes/)
    const { code, complaints, results, place } = await begun.restored(before)
    assert.equal(code, 0, complaints.join())
    assert.ok((results[0] as { time: string }).time <= before)
    assert.deepEqual(await namesIn(place), ['One'])
    // Another part in its place.
    await repository.put(last, (await repository.get(parts[0]!))!)
    await assert.rejects(readPart(repository, last), /damaged/)
  })

  it('gives no state from after the time that was asked for', async (t) => {
    const begun = await begin(t)
    const { repository } = begun
    const slow: Repository = {
      ...repository,
      put: async (key, bytes) => {
        if (key.startsWith('snapshots/')) await publish(begun, 'In the backup')
        await repository.put(key, bytes)
      },
    }
    const tooEarly = timestamp(systemClock.now())
    await sleep(5)
    const { backedUp, stop } = await shipping({ ...begun, repository: slow })
    await backedUp
    assert.equal(await stop(), undefined)
    const { time, readAt } = await newest(repository)
    assert.ok(readAt && readAt >= time)
    for (const at of [tooEarly, new Date(Date.parse(readAt) - 1).toISOString()]) {
      const { code, complaints } = await begun.restored(at)
      assert.equal(code, 1)
      const said = /^There is no state from before (.*): the oldest is that of (.*)\.$/
      const [, asked, oldest] = complaints[0]?.match(said) ?? []
      assert.ok(asked === at && oldest !== undefined && oldest >= readAt, complaints.join())
    }
    const later = new Date(systemClock.now() + 60_000).toISOString()
    const { complaints, results } = await begun.restored(later)
    assert.ok(
      (results as { time: string }[]).every(({ time }) => time < later) && results.length > 0,
      complaints.join(),
    )
  })

  it('reads parts from before they had a hash', async (t) => {
    const begun = await begin(t)
    const { repository } = begun
    const { backedUp, stop } = await shipping(begun)
    await backedUp
    await publish(begun, 'One')
    assert.equal(await stop(), undefined)
    for (const key of await partsOf(repository)) {
      const bytes = (await repository.get(key))!
      await repository.put(key, bytes.subarray('GHP2'.length + 32))
    }
    const { readAt: _, ...snapshot } = await newest(repository)
    const { name, needed } = snapshot.stream!
    const [key] = await listSnapshots(repository)
    await repository.put(key!, Buffer.from(JSON.stringify({ ...snapshot, stream: { name, needed } })))
    assert.deepEqual(await namesIn((await begun.restored()).place), ['One'])
  })

  it('is one for each place', async (t) => {
    const begun = await begin(t)
    const first = await shipping(begun)
    await first.backedUp
    const second = await shipping(begun)
    assert.match((await second.end)?.message ?? '', /another continuous backup of this database goes to the same place/)
    assert.equal(await first.stop(), undefined)
    assert.ok((await readdir(begun.data)).includes('guildhall.db'))
  })
})
