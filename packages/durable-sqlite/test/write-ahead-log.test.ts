// When the WAL is copied into the database, when it starts over, and who waits for that.
import assert from 'node:assert/strict'
import fs, { fstatSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWriter, settled } from './open-writer.ts'

/** From now on an fsync of the database waits until it may go on, or fails with an error; `waiting` counts them. */
function slowDisk(t: TestContext, path: string): { waiting(): number; goOn(error?: Error): void } {
  const database = statSync(path).ino
  const { promise, resolve } = Promise.withResolvers<Error | undefined>()
  let waiting = 0
  const { fsync } = fs
  const mock = t.mock.method(fs, 'fsync', (file: number, done: (error: Error | null) => void) => {
    if (fstatSync(file).ino !== database) return fsync(file, done)
    waiting++
    void promise.then((error) => (error ? done(error) : fsync(file, done)))
  })
  syncBuiltinESMExports()
  t.after(() => {
    mock.mock.restore()
    syncBuiltinESMExports()
  })
  return { waiting: () => waiting, goOn: resolve }
}

describe('the log', () => {
  it('is not copied at each commit while another process reads, and is short again after that', async (t) => {
    const { path, writer, write, log } = await openWriter(t)
    log.isHeld = false
    const writeTimes = async (times: number) => {
      for (let n = 0; n < times; n++) await write('x'.repeat(1_000_000))
    }
    const megabytes = () => statSync(`${path}-wal`).size / 1e6
    const other = new DatabaseSync(path)
    other.exec('begin; select count(*) from thing')
    await writeTimes(60)
    assert.ok(megabytes() > 55, `${megabytes()} MB of log`)
    assert.ok(log.checkpoints <= 4, `${log.checkpoints} times`)
    other.exec('commit')
    // On a slow disk copying ahead is never done in time, so the log starts over after 24 MB.
    await writeTimes(30)
    assert.ok(megabytes() < 40, `${megabytes()} MB of log`)
    other.close()
    await writer.close()
  })

  it('is copied while readers read; writers wait for that, and so does the end', async (t) => {
    const { path, writer, write, visible, log } = await openWriter(t)
    log.isHeld = false
    const disk = slowDisk(t, path)
    log.isDue = true
    await write('a')
    const second = write('b')
    while (disk.waiting() === 0) await sleep(1)
    assert.deepEqual([await settled(second), visible()], [false, ['a']])
    log.isDue = false
    const closed = writer.close()
    assert.equal(await settled(closed), false)
    disk.goOn()
    await closed
    await assert.rejects(second, /closed/)
    assert.deepEqual([visible(), disk.waiting()], [['a'], 1])
  })

  it('is copied ahead while writers go on; until the copy is on disk no process lets it start over', async (t) => {
    const { path, writer, write, visible, log } = await openWriter(t)
    log.isHeld = false
    const disk = slowDisk(t, path)
    for (let n = 0; n < 5; n++) await write(`${n} ${'x'.repeat(1_000_000)}`)
    while (disk.waiting() === 0) await sleep(1)
    for (const name of ['a', 'b']) await write(name)
    assert.deepEqual(visible().slice(-2), ['a', 'b'])
    const other = new DatabaseSync(path)
    const startOver = () => other.prepare('pragma wal_checkpoint(restart)').get()?.['busy']
    assert.equal(startOver(), 1)
    const closed = writer.close()
    assert.equal(await settled(closed), false)
    assert.equal(log.checkpoints, 0)
    disk.goOn()
    await closed
    assert.equal(startOver(), 0)
    other.close()
  })

  it('that could not be copied ahead starts over in no process, also while a transaction is open', async (t) => {
    const { path, writer, write, log } = await openWriter(t)
    log.isHeld = false
    const disk = slowDisk(t, path)
    for (let n = 0; n < 5; n++) await write(`${n} ${'x'.repeat(1_000_000)}`)
    while (disk.waiting() === 0) await sleep(1)
    await writer.begin()
    disk.goOn(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' }))
    await assert.rejects(log.ahead!, /EIO/)
    await sleep(1)
    assert.match(writer.fault!.message, /did not take/)
    const other = new DatabaseSync(path)
    assert.equal(other.prepare('pragma wal_checkpoint(restart)').get()?.['busy'], 1)
    await assert.rejects(writer.rollback(), /did not take/)
    await assert.rejects(write('a'), /did not take/)
    // Every page is copied again.
    const { log: length, checkpointed } = { ...other.prepare('pragma wal_checkpoint(noop)').get() }
    assert.ok(Number(length) > 1_000)
    assert.equal(checkpointed, 0)
    other.close()
    await writer.close()
  })

  it('starts over without a checkpoint when all of it was copied ahead', async (t) => {
    const { path, writer, write, log } = await openWriter(t)
    log.isHeld = false
    for (let n = 0; n < 150; n++) {
      await write('x'.repeat(100_000))
      await log.ahead
    }
    const megabytes = statSync(`${path}-wal`).size / 1e6
    assert.ok(megabytes < 6, `${megabytes} MB of log`)
    assert.equal(log.checkpoints, 0)
    await writer.close()
  })
})
