// A streaming replica takes reads (DATABASE_READ_URL), while it is well, paused, silent, gone, promoted or another one: what is shown is
// what the primary has, and no request fails.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { migrate } from '../src/database/migrate.ts'
import { openDatabase } from '../src/database/open.ts'
import { openPostgres, type PostgresStore } from '../src/database/postgres.ts'
import { Replica } from '../src/database/replica.ts'
import { postgresUrl } from './postgres-databases.ts'
import { programs } from './postgres-programs.ts'
import { behindPorts, LISTS, memberOf, type Process, randomOf, showsWithinASecond, write } from './processes.ts'
import { openStandby, type Standby } from './standby.ts'
import { openProxy } from './tcp-proxy.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld, type World } from './world.ts'

/** More rounds for a longer search: `ROUNDS=2000 npm test -- test/replica.test.ts`. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 6)
/** The longest that a request takes when the replica is silent, on a busy machine. */
const PATIENCE_MILLISECONDS = 10_000
const PAUSE = 'select pg_wal_replay_pause()'
const RESUME = 'select pg_wal_replay_resume()'
const REPORT = { title: 'Crash', description: 'It stops on start', severity: 'low' }

interface Community {
  /** Each with the replica. */
  processes: Process[]
  /** The same application without caches and without a replica. */
  truth: Process
  cookie: string
  /** Of the first process. */
  world: World
  store: PostgresStore & { replica: Replica }
  /** What the first process was told of the replica: `undefined` for that it is used. */
  told: (string | undefined)[]
  database: string
}

/** Waits until a condition holds, for longer than a slow machine takes. */
async function until(condition: () => boolean, what: string, milliseconds = 20_000): Promise<void> {
  const end = performance.now() + milliseconds
  while (!condition()) {
    assert.ok(performance.now() < end, what)
    await sleep(10)
  }
}

const countOf = ({ replica }: Community['store'], key: string) => replica.counts.get(key) ?? 0
/** Repeats `attempt` until it is true: a busy machine may leave the replica behind at any moment. */
async function eventually(attempt: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + 30_000
  while (!(await attempt())) assert.ok(performance.now() < end, what)
}

const isUsed = ({ replica }: Community['store']) => replica.complaint() === undefined

const skip = programs
  ? false
  : 'the programs of PostgreSQL (initdb, pg_basebackup) are not installed in /usr/lib/postgresql'

describe('a replica of PostgreSQL', { skip }, () => {
  let standby: Standby
  let made = 0
  before(async () => {
    standby = await openStandby()
    await standby.primary.run('create database migrated')
    const { db } = openPostgres(standby.primary.url('migrated'), { connections: 2 })
    await migrate(db)
    await db.destroy()
  })
  afterEach(() => standby.replica.run(RESUME).catch(() => {}))
  after(() => standby?.close())

  async function newDatabase(): Promise<string> {
    const name = `community${made++}`
    await standby.primary.run(`create database ${name} template migrated`)
    await standby.caughtUp()
    return name
  }

  function openStore(t: TestContext, database: string, url = standby.replica.url(database)) {
    const told: (string | undefined)[] = []
    const replica = { url, onChange: (complaint: string | undefined) => void told.push(complaint), Replica }
    const store = openPostgres(standby.primary.url(database), { connections: 3, replica })
    t.after(() => store.db.destroy())
    return { store: store as Community['store'], told }
  }

  /** Runs `work` with so many processes that have the replica, and one without and without caches. */
  async function withProcesses(
    t: TestContext,
    count: number,
    work: (community: Community) => Promise<void>,
    replicaAt = standby.replica.url,
  ) {
    const database = await newDatabase()
    const url = standby.primary.url(database)
    const BLOB_URL = `file:${await temporaryDirectory(t)}`
    const opened = Array.from({ length: count }, () => openStore(t, database, replicaAt(database)))
    const { store, told } = opened[0]!
    const plain = openPostgres(url, { connections: 3 })
    t.after(() => plain.db.destroy())
    await plain.stopCaching()
    const worlds = await Promise.all(
      [...opened.map((one) => one.store), plain].map(({ sync: _, ...rest }) =>
        makeWorld({ ...rest, url }, { BLOB_URL }),
      ),
    )
    const world = worlds[0]!
    const { cookie } = await memberOf(world)
    await Promise.all(opened.map((one) => one.store.join()))
    await until(() => opened.every((one) => isUsed(one.store)), 'the replica is used')
    await behindPorts(worlds, cookie, (ports) =>
      work({ processes: ports.slice(0, -1), truth: ports.at(-1)!, cookie, world, store, told, database }),
    )
  }

  /** Waits until the replica has what was committed so far, and the process knows it. */
  async function settle({ store }: Community, milliseconds?: number): Promise<void> {
    const asked = performance.now()
    const isKnown = () => (store.replica.lagSeconds() ?? Number.POSITIVE_INFINITY) < (performance.now() - asked) / 1_000
    await until(() => isUsed(store) && isKnown(), 'the replica has it', milliseconds)
  }

  it('takes the reads of requests whose tables did not change, and no others', (t) =>
    withProcesses(t, 1, async (community) => {
      const { processes, truth, store, cookie } = community
      const [one] = processes as [Process]
      await eventually(async () => {
        const { id } = await one.send('POST', '/api/community/bugs', REPORT)
        await settle(community)
        const before = countOf(store, 'replica|')
        for (const path of [...LISTS, `/api/community/bugs/${id}`]) {
          assert.equal(await one.get(path), await truth.get(path), path)
          assert.equal(await one.get(path, cookie), await truth.get(path, cookie), path)
        }
        return countOf(store, 'replica|') > before + LISTS.length
      }, 'the replica takes reads')
      const taken = countOf(store, 'replica|')
      await one.get('/api/account/sessions', cookie)
      await store.db.selectFrom('bug').select('id').execute()
      assert.equal(countOf(store, 'replica|'), taken, 'private data and work outside of a request')
      const read = (table: string) => sql`select count(*) from ${sql.table(table)}`.execute(store.db)
      await eventually(async () => {
        await settle(community)
        const before = countOf(store, 'replica|')
        await store.replica.reading(async () => {
          await read('post')
          await one.send('POST', '/api/community/bugs', REPORT)
          for (const table of ['bug', 'post']) await read(table)
        })
        const now = countOf(store, 'replica|')
        assert.ok(now <= before + 1)
        return now > before
      }, 'the first read goes to the replica')
      assert.ok(countOf(store, 'primary|earlier') > 0, 'a request that has read from the primary goes on with it')
    }))

  it('keeps what a member wrote, though it is paused, and is left alone while it is behind', (t) =>
    withProcesses(t, 2, async (community) => {
      const { processes, truth, store, told, cookie } = community
      const [first, second] = processes as [Process, Process]
      await settle(community)
      await standby.replica.run(PAUSE)
      const { id } = await second.send('POST', '/api/community/bugs', REPORT)
      const path = `/api/community/bugs/${id}`
      assert.equal(await first.get(path, cookie), await truth.get(path, cookie))
      assert.ok(countOf(store, 'primary|changed') > 0)
      await until(() => /more than 1 s behind/.test(store.replica.complaint() ?? ''), 'the lag is told')
      await until(() => told.at(-1) !== undefined, 'and logged')
      await first.get('/api/library/items')
      assert.ok(countOf(store, 'primary|unavailable') > 0)
      assert.ok((store.replica.lagSeconds() ?? 0) > 1)
      await standby.replica.run(RESUME)
      await until(() => isUsed(store) && told.at(-1) === undefined, 'it is used again')
    }))

  it('never shows anything but what is on the primary, however it pauses and resumes', (t) =>
    withProcesses(t, 2, async (community) => {
      const { processes, truth, store, cookie } = community
      const random = randomOf(Number(process.env['SEED'] ?? 1))
      const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
      const bugs: string[] = []
      let isOver = false
      const pausing = (async () => {
        while (!isOver) {
          await sleep(random() * 400)
          await standby.replica.run(random() < 0.4 ? PAUSE : RESUME)
        }
        await standby.replica.run(RESUME)
      })()
      for (let round = 0; round < ROUNDS; round++) {
        const writer = pick(processes)
        await write(writer, random, bugs)
        const paths = [...LISTS, `/api/community/bugs/${pick(bugs)}`, '/api/library/items', '/api/community/blog']
        const path = pick(paths)
        const [own, expected] = [await writer.get(path), await truth.get(path)]
        assert.equal(own, expected, `${path} at the process that wrote`)
        assert.equal(await pick(processes).get(path, cookie), await truth.get(path, cookie), `${path} for the member`)
        await showsWithinASecond(pick(processes), path, expected)
        // Sometimes long enough for the replica to be of use for the tables that were written.
        await sleep(random() < 0.3 ? 700 : random() * 100)
        const all = await Promise.all(paths.map((one) => truth.get(one, cookie)))
        for (const one of processes) {
          assert.deepEqual(await Promise.all(paths.map((wanted) => one.get(wanted, cookie))), all)
        }
      }
      isOver = true
      await pausing
      for (const key of ['replica|', 'primary|changed', 'primary|earlier']) assert.ok(countOf(store, key) > 0, key)
    }))

  it('may be stopped and start again: no request fails, /readyz and /metrics show it, and reads go there again', (t) =>
    withProcesses(t, 1, async (community) => {
      const { processes, world, store, told } = community
      const read = async () => void (await Promise.all(LISTS.map((path) => processes[0]!.get(path))))
      const get = async (path: string) => (await world.app.fetch(new Request(`http://localhost:3000${path}`))).text()
      const reads = /guildhall_replica_reads_total\{server="replica",reason=""\} [1-9]/
      const lag = /guildhall_replica_lag_seconds 0\.\d+/
      const used = /guildhall_replica_used 1/
      const ready = /^ready\n(.*\n)*replica: ok, \d+\.\d s behind\n/
      await eventually(async () => {
        await settle(community)
        await read()
        const [details, figures] = [await get('/readyz'), await get('/metrics')]
        return ready.test(details) && [reads, lag, used].every((figure) => figure.test(figures))
      }, 'the replica takes reads and is less than a second behind')
      await standby.replica.stop()
      await processes[0]!.send('POST', '/api/community/bugs', REPORT)
      for (let turn = 0; turn < 20; turn++) await Promise.all([read(), sleep(20)])
      await until(() => !isUsed(store), 'it is not used')
      assert.match(await get('/readyz'), /^ready\n(.*\n)*replica: .*\S\n/)
      assert.match(await get('/metrics'), /guildhall_replica_used 0/)
      await standby.replica.start()
      await until(() => isUsed(store), 'it is used again')
      await read()
      assert.ok(told.length >= 3 && told.at(-1) === undefined)
    }))

  it('may fall silent: reads that wait for it go to the primary', async (t) => {
    const proxy = await openProxy(t, { host: '127.0.0.1', port: standby.replica.port })
    const at = (database: string) =>
      standby.replica.url(database).replace(`:${standby.replica.port}/`, `:${proxy.port}/`)
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
        assert.ok(countOf(store, 'primary|failed') + countOf(store, 'primary|unavailable') > 0)
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
        await standby.primary.run(statement)
        // Within fifteen seconds PostgreSQL itself writes and flushes something.
        await settle(community, 8_000)
      }
    }))

  it('is refused if it is another cluster or another database, and the server starts all the same', async () => {
    const database = await newDatabase()
    const other = await newDatabase()
    const wrong: [url: string, complaint: RegExp][] = [
      [standby.replica.url(other), /another database/],
      [standby.primary.url(database), /a primary itself/],
      ['postgres://postgres@127.0.0.1:1/none', /ECONNREFUSED/],
    ]
    if (postgresUrl) wrong.push([postgresUrl, /another cluster/])
    for (const [url, expected] of wrong) {
      const store = await openDatabase(standby.primary.url(database), {
        replica: { url, onChange() {}, load: async () => ({ Replica }) },
      })
      await until(() => expected.test(store.replica?.complaint() ?? ''), `${expected}`)
      await store.db.destroy()
    }
  })

  // The last one: the replica is none after it.
  it('is not used once it is promoted', (t) =>
    withProcesses(t, 1, async ({ processes, truth, store, database }) => {
      await standby.replica.run('select pg_promote()')
      const isRefused = (one: typeof store) => /timeline|a primary itself/.test(one.replica.complaint() ?? '')
      await until(() => isRefused(store), 'it is not used')
      const late = openStore(t, database).store
      await late.join()
      await until(() => isRefused(late), 'a process that starts does not use it')
      await processes[0]!.send('POST', '/api/community/bugs', REPORT)
      for (const path of LISTS) assert.equal(await processes[0]!.get(path), await truth.get(path), path)
    }))
})
