// When a write counts: once it is on disk, and not before for anybody.
import assert from 'node:assert/strict'
import fs, { fstatSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryDirectory } from '../../test/temporary.ts'
import { openSqlite } from './sqlite.ts'
import { WriteAheadLog } from './write-ahead-log.ts'
import { Writer } from './writer.ts'

/** The WAL on a disk that takes and refuses what the test says; the file is a real one. */
class TestedLog extends WriteAheadLog {
  readonly syncs: PromiseWithResolvers<void>[] = []
  checkpoints = 0
  /** Whether `sync` waits until the test settles it. */
  isHeld = true
  isLongFault: Error | undefined
  /** Whether a checkpoint is due at any length. */
  isDue = false

  override sync(): Promise<void> {
    if (!this.isHeld) return super.sync()
    const sync = Promise.withResolvers<void>()
    this.syncs.push(sync)
    return sync.promise
  }

  override isLong(): boolean {
    if (this.isLongFault) throw this.isLongFault
    return this.isDue || super.isLong()
  }

  override checkpoint(): Promise<void> {
    this.checkpoints++
    return super.checkpoint()
  }
}

/** A writer on a database of its own. */
async function openWriter(t: TestContext) {
  const path = join(await temporaryDirectory(t), 'test.db')
  const writing = new DatabaseSync(path)
  writing.exec('pragma journal_mode = wal; create table thing (name text)')
  const reading = new DatabaseSync(path, { readOnly: true })
  const copying = new DatabaseSync(path)
  const log = new TestedLog(path, { writing, reading, copying })
  const writer = new Writer(writing, (sql) => writing.prepare(sql), { log })
  const write = async (name: string) => {
    await writer.begin()
    writing.prepare('insert into thing values (?)').run(name)
    await writer.commit()
  }
  const visible = () =>
    reading
      .prepare('select name from thing order by name')
      .all()
      .map(({ name }) => name)
  return { path, writer, writing, write, visible, syncs: log.syncs, log }
}

const settled = async (promise: Promise<unknown>) => {
  const waiting = Symbol('waiting')
  const first = await Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    sleep(20, waiting),
  ])
  return first !== waiting
}

describe('a write', () => {
  it('is acknowledged, and seen by readers, once it is on disk; the next batch waits for that', async (t) => {
    const { write, visible, syncs } = await openWriter(t)
    const first = [write('a'), write('b')]
    assert.equal(await settled(Promise.race(first)), false)
    const second = write('c')
    assert.equal(await settled(second), false)
    assert.deepEqual([syncs.length, visible()], [1, []])
    syncs[0]!.resolve()
    await Promise.all(first)
    assert.deepEqual(visible(), ['a', 'b'])
    while (syncs.length < 2) await sleep(5)
    assert.equal(await settled(second), false)
    assert.deepEqual(visible(), ['a', 'b'])
    syncs[1]!.resolve()
    await second
    assert.deepEqual(visible(), ['a', 'b', 'c'])
  })

  it('resolves a rollback only when the data it has read is on disk', async (t) => {
    const { writer, write, syncs } = await openWriter(t)
    const first = write('a')
    await sleep(5)
    await writer.begin()
    const undone = writer.rollback()
    assert.equal(await settled(undone), false)
    syncs[0]!.resolve()
    await Promise.all([first, undone])
  })

  it('that the disk does not take is refused with its batch, and every one after it', async (t) => {
    const { write, syncs } = await openWriter(t)
    const batch = [write('a'), write('b')]
    await sleep(5)
    syncs[0]!.reject(new Error('EIO'))
    for (const one of batch) await assert.rejects(one, /did not take/)
    await assert.rejects(write('c'), /did not take/)
  })

  it('of a batch that was open when another failed to sync is refused too, and never visible', async (t) => {
    const { writer, writing, write, visible, syncs } = await openWriter(t)
    const failing = write('a')
    await sleep(5)
    const waiting = write('b')
    await sleep(5)
    await writer.begin()
    writing.prepare('insert into thing values (?)').run('c')
    const queued = write('d')
    syncs[0]!.reject(new Error('EIO'))
    await assert.rejects(failing, /did not take/)
    assert.match(writer.fault!.message, /did not take/)
    await assert.rejects(writer.commit(), /did not take/)
    for (const one of [waiting, queued]) await assert.rejects(one, /did not take/)
    assert.deepEqual([visible(), writing.isOpen], [[], false])
    await writer.close()
    assert.deepEqual(visible(), [])
    assert.equal(syncs.length, 1)
  })

  it('reports the loss, not the data it has read, when it is rolled back after that data was lost', async (t) => {
    const { writer, write, syncs } = await openWriter(t)
    const failing = write('a')
    await sleep(5)
    await writer.begin()
    const undone = writer.rollback()
    syncs[0]!.reject(new Error('EIO'))
    await assert.rejects(failing, /did not take/)
    await assert.rejects(undone, /did not take/)
  })

  it('that fails to sync while the WAL starts over is never visible either', async (t) => {
    const { write, visible, log, syncs } = await openWriter(t)
    log.isDue = true
    const [first, second] = [write('a'), sleep(5).then(() => write('b'))]
    while (syncs.length === 0) await sleep(1)
    syncs[0]!.reject(new Error('EIO'))
    await assert.rejects(first, /did not take/)
    await assert.rejects(second, /did not take/)
    assert.deepEqual(visible(), [])
  })

  it('that cannot be prepared for the disk is refused, and the next one is not', async (t) => {
    const { write, visible, syncs, log } = await openWriter(t)
    log.isLongFault = new Error('EIO')
    await assert.rejects(write('a'), /EIO/)
    log.isLongFault = undefined
    const second = write('b')
    await sleep(5)
    syncs[0]!.resolve()
    await second
    assert.deepEqual(visible(), ['b'])
  })

  it('is on disk before the database is closed', async (t) => {
    const { writer, write, visible, syncs } = await openWriter(t)
    const [first, second] = [write('a'), sleep(5).then(() => write('b'))]
    await sleep(10)
    const closed = writer.close()
    assert.equal(await settled(closed), false)
    syncs[0]!.resolve()
    await first
    await sleep(5)
    syncs[1]!.resolve()
    await Promise.all([second, closed])
    assert.deepEqual(visible(), ['a', 'b'])
  })
})

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
    await writeTimes(20)
    assert.ok(megabytes() < 40, `${megabytes()} MB of log`)
    other.close()
    await writer.close()
  })

  it('is copied while readers read; writers wait for that, and so does the end', async (t) => {
    const { path, writer, write, visible, log } = await openWriter(t)
    log.isHeld = false
    const database = statSync(path).ino
    const copied = Promise.withResolvers<void>()
    const held: number[] = []
    const { fsync } = fs
    const mock = t.mock.method(fs, 'fsync', (file: number, done: (error: Error | null) => void) => {
      if (fstatSync(file).ino !== database) return fsync(file, done)
      held.push(file)
      void copied.promise.then(() => fsync(file, done))
    })
    syncBuiltinESMExports()
    log.isDue = true
    await write('a')
    const second = write('b')
    while (held.length === 0) await sleep(1)
    assert.deepEqual([await settled(second), visible()], [false, ['a']])
    log.isDue = false
    const closed = writer.close()
    assert.equal(await settled(closed), false)
    copied.resolve()
    await closed
    await assert.rejects(second, /closed/)
    mock.mock.restore()
    syncBuiltinESMExports()
    assert.deepEqual([visible(), held.length], [['a'], 1])
  })

  it('starts over once it is long, while writers and readers never rest', async (t) => {
    const path = join(await temporaryDirectory(t), 'test.db')
    const { db } = openSqlite(path)
    await db.schema.createTable('counter').addColumn('key', 'text').addColumn('count', 'integer').execute()
    const write = async (from: number) => {
      for (let n = from; n < 1_000; n += 20) {
        await db
          .insertInto('counter')
          .values({ key: `${n} ${'x'.repeat(90_000)}`, count: 1 })
          .execute()
        await db.selectFrom('counter').select('count').limit(1).execute()
      }
    }
    await Promise.all(Array.from({ length: 20 }, (_, from) => write(from)))
    const megabytes = (file: string) => statSync(file).size / 1e6
    assert.ok(megabytes(path) > 60, `${megabytes(path)} MB in the database`)
    assert.ok(megabytes(`${path}-wal`) < 30, `${megabytes(`${path}-wal`)} MB of log`)
    await db.destroy()
  })
})
