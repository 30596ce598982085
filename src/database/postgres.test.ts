// What a PostgreSQL of its own moods may do to Guildhall: break connections, and keep rows locked.
import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Open, onPostgres } from '../../test/databases.ts'
import { openProxy } from '../../test/tcp-proxy.ts'
import { openPostgres } from './postgres.ts'
import { pipeline } from './prepared.ts'
import type { Database, Db, Transaction } from './schema.ts'

async function opened(t: TestContext, open: Open) {
  const { db, url, remove } = await open()
  t.after(remove)
  return { db, url }
}

onPostgres('PostgreSQL', (open) => {
  it('may keep a row locked: waiting transactions are refused after a while, and others have a connection again', async (t) => {
    const { url } = await opened(t, open)
    const hasty = new URL(url)
    hasty.searchParams.set('lock_timeout', '1000')
    const { db } = openPostgres(hasty.href)
    await db.insertInto('counter').values({ key: 'row', count: 1 }).execute()
    const { db: other } = openPostgres(url, { connections: 1, patient: true })
    await other.transaction().execute(async (on) => {
      const change = (by: Kysely<Database>) =>
        by.updateTable('counter').set({ count: 2 }).where('key', '=', 'row').execute()
      await change(on)
      const started = performance.now()
      const waiting = Array.from({ length: 8 }, () => assert.rejects(change(db), /lock timeout/))
      await db.selectFrom('counter').selectAll().execute()
      await Promise.all(waiting)
      assert.ok(performance.now() - started < 10_000)
    })
    for (const pool of [db, other]) await pool.destroy()
  })

  it('tells of a pipelined statement that fails: the next one that is waited for, or the commit', async (t) => {
    const { db } = await opened(t, open)
    const add = (on: Transaction, key: string) => pipeline(on, on.insertInto('counter').values({ key, count: 1 }))
    const keys = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
    const added = (on: Db) => on.selectFrom('counter').select('key').where('key', 'in', keys).execute()
    const atCommit = db.transaction().execute(async (on) => {
      for (const key of ['one', 'two', 'two', 'three']) await add(on, key)
    })
    await assert.rejects(atCommit, { code: '23505' })
    const inBetween = db.transaction().execute(async (on) => {
      for (const key of ['four', 'four', 'five']) await add(on, key)
      await on.selectFrom('counter').selectAll().execute()
      assert.fail('the statement was let through')
    })
    await assert.rejects(inBetween, { code: '23505' })
    assert.deepEqual(await added(db), [])
    await db.transaction().execute(async (on) => {
      for (const key of ['six', 'seven']) await add(on, key)
      assert.equal((await added(on)).length, 2)
      await add(on, 'eight')
    })
    assert.equal((await added(db)).length, 3)
  })

  it('may break connections that are in use: their queries fail, and the next ones do not', async (t) => {
    const { db } = await opened(t, open)
    // It waits for the end of each: on a slow machine one would live for a while, and take a statement before it goes.
    const others = sql`select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    for (let round = 0; round < 3; round++) {
      const inQuery = sql`select pg_sleep(30)`.execute(db)
      const inTransaction = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const transaction = db.transaction().execute(async (on) => {
        await on
          .insertInto('counter')
          .values({ key: `lost ${round}`, count: 1 })
          .execute()
        begun.resolve()
        await inTransaction.promise
        await on
          .insertInto('counter')
          .values({ key: `never ${round}`, count: 1 })
          .execute()
      })
      const refused = [assert.rejects(inQuery), assert.rejects(transaction)]
      await begun.promise
      await others.execute(db)
      inTransaction.resolve()
      await Promise.all(refused)
      // Their last words have arrived: the pool hears of those that were idle in its next turns.
      await sleep(50)
      assert.deepEqual((await sql`select 1 as one`.execute(db)).rows, [{ one: 1 }])
    }
    assert.deepEqual(await db.selectFrom('counter').selectAll().where('key', 'like', 'lost%').execute(), [])
  })

  it('keeps no connection of one that is closed while it begins to listen', async (t) => {
    const { db, url } = await opened(t, open)
    const others = sql<{ count: number }>`select count(*) from pg_stat_activity
      where datname = current_database() and application_name = 'closed'`
    const named = new URL(url)
    named.searchParams.set('application_name', 'closed')
    for (let delay = 0; delay < 20; delay++) {
      const store = openPostgres(named.href)
      const listening = store.listening()
      await sleep(delay)
      await store.db.destroy()
      await listening
    }
    // PostgreSQL notices the end of a connection a moment later.
    while ((await others.execute(db)).rows[0]!.count > 0) await sleep(20)
  })

  it('is waited for, where a process was told to be patient with its silence', async (t) => {
    const { url } = await opened(t, open)
    const address = new URL(url)
    const proxy = await openProxy(t, { host: address.hostname, port: Number(address.port || 5432) })
    address.hostname = '127.0.0.1'
    address.port = String(proxy.port)
    const { db, changes, listening } = openPostgres(address.href, { silence: 20_000 })
    t.after(() => db.destroy())
    proxy.set('silent')
    const listens = listening()
    // A server gives up after 800 ms.
    await sleep(1_000)
    proxy.set('open')
    await listens
    changes.requireReachable()
    assert.ok(changes.announces)
  })
})
