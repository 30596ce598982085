// A disk that fails once, or is full: writes are refused with 503, operators are informed, and stored data can be read.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { openDatabase } from '../src/database/open.ts'
import { StorageHealth } from '../src/runtime/outage.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld, type World } from './world.ts'

/** A world on a database of its own, with everything that is logged. */
async function openWorld(t: TestContext) {
  const folder = await temporaryDirectory(t)
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: undefined }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const health = new StorageHealth(log)
  const url = join(folder, 'guildhall.db')
  const store = await openDatabase(url, { onBroken: (error) => void health.report(error) })
  const settings = { BLOB_URL: `file:${join(folder, 'blobs')}`, DATA_DIR: folder }
  const world = await makeWorld({ ...store, url }, settings, { log, health })
  return { ...world, lines, folder }
}

const get = ({ app }: Pick<World, 'app'>, path: string) => app.fetch(new Request(`http://localhost:3000${path}`))
const isRefused = { status: 503, message: /^Nothing can be written right now: the disk/ }

/** Every fsync fails, or those of one file. */
function failFsync(t: TestContext, path?: string, code = 'EIO') {
  const { fsync } = fs
  const error = () => Object.assign(new Error(`${code}: i/o error, fsync`), { code, syscall: 'fsync' })
  const mock = t.mock.method(fs, 'fsync', (file: number, done: (error: Error | null) => void) =>
    path && fs.fstatSync(file).ino !== fs.statSync(path).ino ? fsync(file, done) : setTimeout(done, 20, error()),
  )
  syncBuiltinESMExports()
  return () => {
    mock.mock.restore()
    syncBuiltinESMExports()
  }
}

describe('a disk that fails', () => {
  it('is the end of writing: 503 with Retry-After, /readyz 503, a log line and a metric; reading goes on', async (t) => {
    const world = await openWorld(t)
    const { alice, db, lines, clock } = world
    const titles = async () => (await alice.posts.list()).items.map(({ title }) => title)
    await alice.posts.create({ title: 'Before', body: 'B' })
    assert.equal((await get(world, '/readyz')).status, 200)
    const mend = failFsync(t)
    await assert.rejects(alice.posts.create({ title: 'Lost', body: 'B' }), isRefused)
    mend()
    await assert.rejects(alice.posts.create({ title: 'After', body: 'B' }), (error: { headers: Headers }) => {
      assert.equal(error.headers.get('retry-after'), '120')
      return true
    })
    const ready = await get(world, '/readyz')
    assert.equal(ready.status, 503)
    assert.match(await ready.text(), /^not ready\nwriting: .*EIO.*; restart the server\n/)
    assert.match(await (await get(world, '/metrics')).text(), /guildhall_writes_refused 1\n/)
    assert.match(
      await (await get(world, '/metrics')).text(),
      /storage_errors_total\{store="database",kind="broken"\} \d/,
    )
    const fatal = lines.filter(({ level }) => level === 60)
    assert.match(String(fatal[0]!['reason']), /EIO: i\/o error, fsync/)
    assert.deepEqual(await titles(), ['Before'])
    // A session that would be renewed reads on without it.
    clock.pass(2 * 86_400)
    assert.deepEqual(await titles(), ['Before'])
    await db.destroy()
  })

  it('ends writing at an fsync for want of room as well: the system has dropped what it could not write', async (t) => {
    const { alice, db } = await openWorld(t)
    await alice.posts.create({ title: 'Before', body: 'B' })
    const mend = failFsync(t, undefined, 'ENOSPC')
    await assert.rejects(alice.posts.create({ title: 'Lost', body: 'B' }), isRefused)
    mend()
    await assert.rejects(alice.posts.create({ title: 'After', body: 'B' }), isRefused)
    await db.destroy()
  })

  it('at a checkpoint ends writing too, with what was acknowledged kept', async (t) => {
    const world = await openWorld(t)
    const { alice, db, folder, lines } = world
    await alice.posts.create({ title: 'Before', body: 'B' })
    const mend = failFsync(t, join(folder, 'guildhall.db'))
    const key = 'x'.repeat(1_000_000)
    let written = 0
    for (; written < 40; written++) {
      const isWritten = await db
        .insertInto('counter')
        .values({ key: `${written} ${key}`, count: 1 })
        .execute()
        .then(
          () => true,
          () => false,
        )
      if (!isWritten) break
    }
    mend()
    assert.ok(written < 40)
    await assert.rejects(alice.posts.create({ title: 'After', body: 'B' }), isRefused)
    assert.equal((await get(world, '/readyz')).status, 503)
    assert.ok(lines.some(({ level, reason }) => level === 60 && /EIO/.test(String(reason))))
    await db.destroy()
    const again = await openDatabase(join(folder, 'guildhall.db'))
    const { rows } = await sql<{ n: number }>`select count(*) as n from counter where key like '% xxx%'`.execute(
      again.db,
    )
    // The one that was refused may be there as well.
    assert.ok(rows[0]!.n === written || rows[0]!.n === written + 1, `${rows[0]!.n} of ${written}`)
    await again.db.destroy()
  })
})

describe('a disk that is full', () => {
  it('refuses writes with 503 until there is room; /readyz reports it', async (t) => {
    const world = await openWorld(t)
    const { alice, db, lines } = world
    await alice.posts.create({ title: 'Before', body: 'B' })
    const allow = (pages: number) =>
      db.transaction().execute((transaction) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(transaction))
    await allow(1)
    const fill = async () => {
      for (let n = 0; n < 200; n++) await alice.posts.create({ title: `More ${n}`, body: 'B'.repeat(2_000) })
    }
    await assert.rejects(fill(), isRefused)
    const ready = await get(world, '/readyz')
    assert.equal(ready.status, 503)
    assert.match(await ready.text(), /^disk: the disk is full: /m)
    assert.match(await (await get(world, '/metrics')).text(), /guildhall_writes_refused 1\n/)
    assert.ok(lines.some(({ msg }) => /^the disk is full \(the database\)/.test(String(msg))))
    await allow(1_000_000)
    assert.equal((await get(world, '/readyz')).status, 200)
    await alice.posts.create({ title: 'After', body: 'B' })
    await db.destroy()
  })

  it('refuses uploads with 503 as well', async (t) => {
    const world = await openWorld(t)
    const { alice, dependencies, db } = world
    await alice.account()
    const { stage } = dependencies.blobs.artifacts
    let room = 0
    t.mock.method(dependencies.blobs.artifacts, 'stage', (...given: Parameters<typeof stage>) => {
      if (room > 0) return stage(...given)
      given[0][Symbol.asyncIterator]().return?.()
      return Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' }))
    })
    const file = new File([JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] })], 'org.json')
    await assert.rejects(alice.library.publish({ kind: 'org', file }), { status: 503, code: 'unavailable' })
    assert.equal((await get(world, '/readyz')).status, 503)
    room = 1
    assert.equal((await get(world, '/readyz')).status, 200)
    await db.destroy()
  })
})

describe('a database that is damaged', () => {
  it('is refused at the start, in words that say what to do', async (t) => {
    const folder = await temporaryDirectory(t)
    for (const [at, size] of [
      [0, 100],
      [8192, 40_000],
    ] as const) {
      const path = join(folder, `${at}.db`)
      const { db } = await openDatabase(path)
      await db.destroy()
      const file = fs.openSync(path, 'r+')
      fs.writeSync(file, Buffer.alloc(size, 'overwritten '), 0, size, at)
      fs.closeSync(file)
      await assert.rejects(openDatabase(path), /is malformed .*restore from a backup/)
    }
  })

  it('that is large is refused too, or ends writing when that is found later', async (t) => {
    const path = join(await temporaryDirectory(t), 'large.db')
    const first = await openDatabase(path)
    for (let n = 0; n < 20; n++) {
      await first.db
        .insertInto('counter')
        .values({ key: `${n} ${'x'.repeat(1_000_000)}`, count: 1 })
        .execute()
    }
    await first.db.destroy()
    const file = fs.openSync(path, 'r+')
    const { size } = fs.fstatSync(file)
    fs.writeSync(file, Buffer.alloc(8192, 'overwritten '), 0, 8192, Math.floor(size / 2 / 4096) * 4096)
    fs.closeSync(file)
    const found = Promise.withResolvers<Error>()
    const opened = openDatabase(path, { onBroken: found.resolve })
    opened.catch(found.resolve)
    assert.match((await found.promise).message, /malformed/)
    await opened.then(
      ({ db }) => db.destroy(),
      () => {},
    )
  })
})
