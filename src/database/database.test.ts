// What both engines promise, and what only the file does.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEveryEngine } from '../../test/world.ts'
import { openDatabase } from './open.ts'
import { type Bind, prepared } from './prepared.ts'
import type { Db, Transaction } from './schema.ts'
import { openSqlite } from './sqlite.ts'

const count = async (db: Db, key: string) =>
  (await db.selectFrom('counter').select('count').where('key', '=', key).executeTakeFirst())?.count
const put = (db: Db | Transaction, key: string) => db.insertInto('counter').values({ key, count: 1 }).execute()

onEveryEngine('a transaction', (it) => {
  it('that fails is undone whole, and takes none of its neighbours with it', async ({ db }) => {
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        db.transaction().execute(async (transaction) => {
          await put(transaction, `first${index}`)
          await put(transaction, `second${index}`)
          if (index % 3 === 0) throw new Error('no')
        }),
      ),
    )
    for (const [index, { status }] of results.entries()) {
      assert.equal(status, index % 3 === 0 ? 'rejected' : 'fulfilled')
      const expected = index % 3 === 0 ? undefined : 1
      assert.deepEqual([await count(db, `first${index}`), await count(db, `second${index}`)], [expected, expected])
    }
  })

  it('is seen by others once it is done, and not before', async ({ db }) => {
    await db.transaction().execute(async (transaction) => {
      await put(transaction, 'mine')
      assert.equal(await count(transaction, 'mine'), 1)
      assert.equal(await count(db, 'mine'), undefined)
    })
    assert.equal(await count(db, 'mine'), 1)
  })

  it('does not keep a single statement that fails from failing alone', async ({ db }) => {
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => put(db, index % 2 ? 'same' : `own${index}`)),
    )
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 11)
  })

  it('loses no addition to a counter', async ({ db }) => {
    await put(db, 'counter')
    const addOne = () =>
      db
        .updateTable('counter')
        .set((row) => ({ count: row('count', '+', 1) }))
        .where('key', '=', 'counter')
        .execute()
    await Promise.all(Array.from({ length: 100 }, addOne))
    assert.equal(await count(db, 'counter'), 101)
  })
})

const OTHER_PROCESS = `
  import { openSqlite } from '${new URL('./sqlite.ts', import.meta.url)}'
  const { db } = openSqlite(process.argv[1])
  const put = (_, index) => db.insertInto('counter').values({ key: 'other' + index, count: 1 }).execute()
  await Promise.all(Array.from({ length: 100 }, put))
  await db.destroy()`

async function withFolder(body: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-database-'))
  try {
    await body(join(folder, 'guildhall.db'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('a database file', () => {
  it('is made and brought to shape by two that open it at once', () =>
    withFolder(async (path) => {
      const stores = await Promise.all([openDatabase(path), openDatabase(path)])
      for (const { db } of stores) await put(db, Math.random().toString())
      assert.equal((await stores[0].db.selectFrom('counter').selectAll().execute()).length, 2)
      for (const { db } of stores) await db.destroy()
    }))

  it('ends the validity of every read with every commit, its own and that of another process', () =>
    withFolder(async (path) => {
      const ours = await openDatabase(path)
      const theirs = openSqlite(path)
      let moment = ours.changes.moment()
      for (const db of [ours.db, theirs.db, ours.db]) {
        assert.equal(ours.changes.isCurrent(moment, new Set()), true)
        await put(db, Math.random().toString())
        assert.equal(ours.changes.isCurrent(moment, new Set()), false)
        moment = ours.changes.moment()
      }
      await ours.db.destroy()
      await theirs.db.destroy()
    }))

  it('keeps rows that many ask for until the next commit, its own or that of another process', () =>
    withFolder(async (path) => {
      const ours = await openDatabase(path)
      const theirs = openSqlite(path)
      const all = prepared((db, _given: Bind<object>) => db.selectFrom('counter').selectAll(), { cached: true })
      const rows = async (db: Db) => (await all(db, {})).rows
      for (const [index, db] of [ours.db, theirs.db, ours.db].entries()) {
        const kept = await rows(ours.db)
        assert.equal(kept.length, index)
        assert.equal(await rows(ours.db), kept)
        assert.throws(() => (kept as unknown[]).pop(), TypeError)
        await put(db, `key${index}`)
      }
      await ours.db.transaction().execute(async (transaction) => {
        await put(transaction, 'mine')
        assert.equal((await rows(transaction)).length, 4)
        assert.equal((await rows(ours.db)).length, 3)
      })
      assert.equal((await rows(ours.db)).length, 4)
      await ours.db.destroy()
      await theirs.db.destroy()
    }))

  it('keeps rows by a value that is stored in another form, and never takes the one for the other', () =>
    withFolder(async (path) => {
      const { db } = await openDatabase(path)
      const stored = (key: string) => (key.length > 64 ? key.slice(0, 64) : `stored ${key}`)
      const found = prepared(
        (on, given: Bind<{ key: string }>) =>
          on.selectFrom('counter').select('key').where('key', '=', given('key', stored)),
        { cached: true },
      )
      const keys = async (key: string) => (await found(db, { key })).rows.map((row) => row.key)
      const [short, long] = ['a', 'b'.repeat(65)]
      for (const key of [short, long]) await put(db, stored(key))
      for (let round = 0; round < 2; round++) {
        for (const key of [short, long]) assert.deepEqual(await keys(key), [stored(key)])
        for (const key of [short, long]) assert.deepEqual(await keys(stored(key)), [])
      }
      await db.destroy()
    }))

  it('takes writes from two processes at once and loses none', () =>
    withFolder(async (path) => {
      const { db } = await openDatabase(path)
      const other = spawn(process.execPath, ['--input-type=module-typescript', '-e', OTHER_PROCESS, path], {
        stdio: 'inherit',
      })
      const ended = new Promise<number | null>((resolve) => other.once('exit', resolve))
      while (other.exitCode === null) await put(db, Math.random().toString())
      assert.equal(await ended, 0)
      for (let index = 0; index < 100; index++) assert.equal(await count(db, `other${index}`), 1)
      await db.destroy()
    }))

  it('is read while another process writes for long; writers wait for it, and for no longer than 5 s in all', () =>
    withFolder(async (path) => {
      const { db } = await openDatabase(path)
      const other = new DatabaseSync(path)
      other.exec('begin immediate')
      let written = 0
      const writers = ['a', 'b', 'c'].map((key) => put(db, key).then(() => written++))
      assert.equal(await count(db, 'a'), undefined)
      await sleep(50)
      assert.equal(written, 0, 'readers and timers wait for nobody')
      other.exec('rollback')
      await Promise.all(writers)
      assert.equal(await count(db, 'c'), 1)
      other.exec('begin immediate')
      const started = performance.now()
      const late = ['d', 'e', 'f'].map((key) => assert.rejects(put(db, key), /locked/))
      await Promise.all(late)
      assert.ok(performance.now() - started < 14_000, 'they wait at the same time, not for 5 s each')
      other.exec('rollback')
      await put(db, 'g')
      other.close()
      await db.destroy()
    }))

  it('keeps nothing of a transaction that is in hand when it is closed', () =>
    withFolder(async (path) => {
      const { db } = await openDatabase(path)
      const begun = Promise.withResolvers<void>()
      const closed = Promise.withResolvers<void>()
      const transaction = db.transaction().execute(async (on) => {
        await put(on, 'first half')
        begun.resolve()
        await closed.promise
        await put(on, 'second half')
      })
      await begun.promise
      const waiting = put(db, 'waiting')
      const refused = [transaction, waiting].map((one) => assert.rejects(one, /gave up|closed/))
      await db.destroy()
      closed.resolve()
      await Promise.all(refused)
      const again = await openDatabase(path)
      assert.deepEqual(await again.db.selectFrom('counter').selectAll().execute(), [])
      await again.db.destroy()
    }))

  it('keeps nothing of a transaction that it rolled back, regardless of what its code does then', () =>
    withFolder(async (path) => {
      const { db } = await openDatabase(path)
      const pragma = (on: Transaction, sql: string) =>
        on.executeQuery({ ...on.selectFrom('counter').selectAll().compile(), sql })
      const transaction = db.transaction().execute(async (on) => {
        await put(on, 'before')
        await pragma(on, 'pragma max_page_count = 1')
        await assert.rejects(async () => {
          for (let index = 0; ; index++) await put(on, `${index}`.padStart(3000, 'x'))
        }, /full/)
        await put(on, 'after')
      })
      await assert.rejects(transaction, /gave up/)
      assert.deepEqual(await db.selectFrom('counter').selectAll().execute(), [])
      await db.destroy()
    }))

  it('tells every writer of a batch when the disk takes none of it', () =>
    withFolder(async (path) => {
      const { db } = await openDatabase(path)
      await db.executeQuery({ ...db.selectFrom('counter').selectAll().compile(), sql: 'pragma query_only' })
      const before = await db.selectFrom('counter').selectAll().execute()
      const full = db.transaction().execute(async (transaction) => {
        await put(transaction, 'x')
        await transaction.executeQuery({
          ...transaction.selectFrom('counter').selectAll().compile(),
          sql: 'pragma max_page_count = 1',
        })
        for (let index = 0; ; index++) await put(transaction, `${index}`.padStart(2000, 'x'))
      })
      const neighbour = put(db, 'neighbour')
      await assert.rejects(full, /full/)
      await neighbour.catch((error: Error) => assert.match(error.message, /full|gave up/))
      const after = await db.selectFrom('counter').select('key').execute()
      assert.ok(after.length <= before.length + 1)
      await db.destroy()
    }))

  it('has a log that starts over once it is long, while writers and readers never rest', () =>
    withFolder(async (path) => {
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
    }))
})
