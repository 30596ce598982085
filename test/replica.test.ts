// A streaming replica takes reads (DATABASE_READ_URL), while it is well, paused, silent, gone, promoted or another one: what is shown is
// what the primary has, and no request fails.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '../src/database/open.ts'
import { Replicas } from '../src/database/replicas.ts'
import { postgresUrl } from './postgres-databases.ts'
import { LISTS, type Process } from './processes.ts'
import {
  compareUnderWrites,
  complaintOf,
  eventually,
  isUsed,
  noPrograms,
  PAUSE,
  primaryReads,
  REPORT,
  RESUME,
  readsOf,
  replicated,
  type Store,
  settle,
  until,
} from './replicated.ts'
import { openProxy } from './tcp-proxy.ts'

/** The longest that a request takes when the replica is silent, on a busy machine. */
const PATIENCE_MILLISECONDS = 10_000

describe('a replica of PostgreSQL', { skip: noPrograms }, () => {
  const { standby, newDatabase, openStore, withProcesses } = replicated(1)

  it('takes the reads of requests whose tables did not change, and no others', (t) =>
    withProcesses(t, 1, async (community) => {
      const { processes, truth, store, cookie } = community
      const [one] = processes as [Process]
      await eventually(async () => {
        const { id } = await one.send('POST', '/api/community/bugs', REPORT)
        await settle(community)
        const before = readsOf(store)
        for (const path of [...LISTS, `/api/community/bugs/${id}`]) {
          assert.equal(await one.get(path), await truth.get(path), path)
          assert.equal(await one.get(path, cookie), await truth.get(path, cookie), path)
        }
        return readsOf(store) > before + LISTS.length
      }, 'the replica takes reads')
      const taken = readsOf(store)
      await one.get('/api/account/sessions', cookie)
      await store.db.selectFrom('bug').select('id').execute()
      assert.equal(readsOf(store), taken, 'private data and work outside of a request')
      const read = (table: string) => sql`select count(*) from ${sql.table(table)}`.execute(store.db)
      await eventually(async () => {
        await settle(community)
        const before = readsOf(store)
        await store.replicas.reading(async () => {
          await read('post')
          await one.send('POST', '/api/community/bugs', REPORT)
          for (const table of ['bug', 'post']) await read(table)
        })
        const now = readsOf(store)
        assert.ok(now <= before + 1)
        return now > before
      }, 'the first read goes to the replica')
      assert.ok(primaryReads(store, 'earlier') > 0, 'a request that has read from the primary goes on with it')
    }))

  it('keeps what a member wrote, though it is paused, and is left alone while it is behind', (t) =>
    withProcesses(t, 2, async (community) => {
      const { processes, truth, store, told, cookie } = community
      const [first, second] = processes as [Process, Process]
      await settle(community)
      await standby().replica.run(PAUSE)
      const { id } = await second.send('POST', '/api/community/bugs', REPORT)
      const path = `/api/community/bugs/${id}`
      assert.equal(await first.get(path, cookie), await truth.get(path, cookie))
      assert.ok(primaryReads(store, 'changed') + primaryReads(store, 'unavailable') > 0)
      await until(() => /more than 1 s behind/.test(complaintOf(store) ?? ''), 'the lag is told')
      await until(() => told.at(-1)?.[1] !== undefined, 'and logged')
      await first.get('/api/library/items')
      assert.ok(primaryReads(store, 'unavailable') > 0)
      assert.ok((store.replicas.each[0]!.lagSeconds() ?? 0) > 1)
      await standby().replica.run(RESUME)
      await until(() => isUsed(store) && told.length > 0 && told.at(-1)?.[1] === undefined, 'it is used again')
    }))

  it('never shows anything but what is on the primary, however it pauses and resumes', (t) =>
    withProcesses(t, 2, (community) => compareUnderWrites(community, standby())))

  it('may be stopped and start again: no request fails, /readyz and /metrics show it, and reads go there again', (t) =>
    withProcesses(t, 1, async (community) => {
      const { processes, world, store, told } = community
      const read = async () => void (await Promise.all(LISTS.map((path) => processes[0]!.get(path))))
      const get = async (path: string) => (await world.app.fetch(new Request(`http://localhost:3000${path}`))).text()
      const reads = /guildhall_replica_reads_total\{server="replica",reason="",replica="127\.0\.0\.1:\d+"\} [1-9]/
      const lag = /guildhall_replica_lag_seconds\{replica="127\.0\.0\.1:\d+"\} 0\.\d+/
      const used = /guildhall_replica_used\{replica="127\.0\.0\.1:\d+"\} 1/
      const ready = /^ready\n(.*\n)*replica 127\.0\.0\.1:\d+: ok, \d+\.\d s behind\n/
      await eventually(async () => {
        await settle(community)
        await read()
        const [details, figures] = [await get('/readyz'), await get('/metrics')]
        return ready.test(details) && [reads, lag, used].every((figure) => figure.test(figures))
      }, 'the replica takes reads and is less than a second behind')
      await standby().replica.stop()
      await processes[0]!.send('POST', '/api/community/bugs', REPORT)
      for (let turn = 0; turn < 20; turn++) await Promise.all([read(), sleep(20)])
      await until(() => !isUsed(store), 'it is not used')
      assert.match(await get('/readyz'), /^ready\n(.*\n)*replica 127\.0\.0\.1:\d+: .*\S\n/)
      assert.match(await get('/metrics'), /guildhall_replica_used\{replica="127\.0\.0\.1:\d+"\} 0/)
      await standby().replica.start()
      await until(() => isUsed(store), 'it is used again')
      await read()
      assert.ok(told.length >= 3 && told.length > 0 && told.at(-1)?.[1] === undefined)
    }))

  it('may fall silent: reads that wait for it go to the primary', async (t) => {
    const proxy = await openProxy(t, { host: '127.0.0.1', port: standby().replica.port })
    const at = (database: string) => [
      standby().replica.url(database).replace(`:${standby().replica.port}/`, `:${proxy.port}/`),
    ]
    await withProcesses(
      t,
      1,
      async (community) => {
        const { processes, store } = community
        await settle(community)
        proxy.set('silent')
        const started = performance.now()
        await Promise.all(LISTS.map((path) => processes[0]!.get(path)))
        assert.ok(performance.now() - started < PATIENCE_MILLISECONDS)
        assert.ok(primaryReads(store, 'failed') + primaryReads(store, 'unavailable') > 0)
        await until(() => !isUsed(store), 'it is not used')
        proxy.set('open')
        await until(() => isUsed(store), 'it is used again')
      },
      at,
    )
  })

  it('is known to have everything when the log of the primary ends at a new file, or with what no commit has flushed', (t) =>
    withProcesses(t, 1, async (community) => {
      await settle(community)
      for (const statement of [
        'select pg_switch_wal()',
        `select pg_logical_emit_message(false, 'nothing', 'flushes this')`,
      ]) {
        await standby().primary.run(statement)
        // Within fifteen seconds PostgreSQL itself writes and flushes something.
        await settle(community, 8_000)
      }
    }))

  it('is refused if it is another cluster or another database, and the server starts all the same', async () => {
    const database = await newDatabase()
    const other = await newDatabase()
    const wrong: [url: string, complaint: RegExp][] = [
      [standby().replica.url(other), /another database/],
      [standby().primary.url(database), /it is the primary/],
      ['postgres://postgres@127.0.0.1:1/none', /ECONNREFUSED/],
    ]
    if (postgresUrl) wrong.push([postgresUrl, /another cluster/])
    for (const [url, expected] of wrong) {
      const store = await openDatabase(standby().primary.url(database), {
        replicas: { urls: [url], onChange() {}, load: async () => ({ Replicas }) },
      })
      await until(() => expected.test(store.replicas?.each[0]?.complaint() ?? ''), `${expected}`)
      await store.db.destroy()
    }
  })

  // The last one: the replica is none after it.
  it('is not used once it is promoted', (t) =>
    withProcesses(t, 1, async ({ processes, truth, store, database }) => {
      await standby().replica.run('select pg_promote()')
      const isRefused = (one: Store) => /timeline|a primary itself/.test(complaintOf(one) ?? '')
      await until(() => isRefused(store), 'it is not used')
      const late = openStore(t, database).store
      await late.join()
      await until(() => isRefused(late), 'a process that starts does not use it')
      await processes[0]!.send('POST', '/api/community/bugs', REPORT)
      for (const path of LISTS) assert.equal(await processes[0]!.get(path), await truth.get(path), path)
    }))
})
