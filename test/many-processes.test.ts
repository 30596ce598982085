// Three processes on one PostgreSQL: what each serves from its caches, against an answer that is read from the database.
import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { LISTENER_LOCK, OTHER_LISTENERS } from '../src/database/listening-statements.ts'
import { openPostgres } from '../src/database/postgres.ts'
import type { PostgresChanges } from '../src/database/postgres-changes.ts'
import { cacheCounts } from '../src/runtime/counts.ts'
import { onPostgres } from './databases.ts'
import { behindPorts, LISTS, memberOf, type Process, randomOf, showsWithinASecond, write } from './processes.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld, type World } from './world.ts'

/** How long the search takes; without it, some rounds. An hour: `MINUTES=60 TEST_TIMEOUT=4000 npm test -- test/many-processes.test.ts`. */
const MINUTES = Number(process.env['MINUTES'] ?? 0)
const ROUNDS = 25

interface Community {
  processes: Process[]
  /** The same application without caches. */
  truth: Process
  /** A member who signs in at the first process. */
  cookie: string
  /** One of the processes. */
  world: World
  db: World['db']
  url: string
}

onPostgres('three processes on PostgreSQL', (open) => {
  /** Runs `work` with three processes and one that caches nothing. */
  async function withProcesses(t: TestContext, work: (community: Community) => Promise<void>): Promise<void> {
    const database = await open()
    const blobs = await temporaryDirectory(t)
    const stores = Array.from({ length: 4 }, () => openPostgres(database.url, { connections: 3 }))
    const worlds = await Promise.all(
      // Without `sync` a world is one process (TEST_PROCESSES).
      stores.map(({ sync: _, ...store }) => makeWorld({ ...store, url: database.url }, { BLOB_URL: `file:${blobs}` })),
    )
    const [first] = worlds
    const { cookie } = await memberOf(first!)
    await stores.at(-1)!.stopCaching()
    await Promise.all(stores.map((store) => store.join()))
    try {
      await behindPorts(worlds, cookie, (ports) => {
        const [truth, ...processes] = ports.reverse()
        return work({ processes, truth: truth!, cookie, world: first!, db: database.db, url: database.url })
      })
    } finally {
      for (const { db } of stores) await db.destroy()
      await database.remove()
    }
  }

  it('serve what is in the database: one at once what it wrote itself, a member at once everywhere, all within a second', (t) =>
    withProcesses(t, async ({ processes, truth, cookie }) => {
      const random = randomOf(Number(process.env['SEED'] ?? 1))
      const bugs: string[] = []
      const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
      const end = performance.now() + MINUTES * 60_000
      let round = 0
      for (; round < ROUNDS || performance.now() < end; round++) {
        const writer = pick(processes)
        await write(writer, random, bugs)
        const paths = [...LISTS, `/api/community/bugs/${pick(bugs)}`]
        const path = pick(paths)
        const [own, expected] = [await writer.get(path), await truth.get(path)]
        assert.equal(own, expected, `${path} at the process that wrote`)
        assert.equal(await pick(processes).get(path, cookie), await truth.get(path, cookie), `${path} for the member`)
        await showsWithinASecond(pick(processes), path, expected)
        await Promise.all(processes.map((one) => write(one, random, bugs)))
        const after = await Promise.all(paths.map((one) => truth.get(one, cookie)))
        for (const one of processes) {
          assert.deepEqual(await Promise.all(paths.map((wanted) => one.get(wanted, cookie))), after)
        }
      }
      t.diagnostic(`${round} rounds`)
      assert.ok((cacheCounts.all.get('answers|found') ?? 0) > 0, 'nothing came from a cache')
      assert.ok((cacheCounts.all.get('rows|found') ?? 0) > 0, 'no rows came from a cache')
    }))

  it('count every vote of many people on a few things once, at whichever process', (t) =>
    withProcesses(t, async ({ processes, world, db }) => {
      const report = { title: 'Crash', description: 'It stops on start', severity: 'high' }
      const made = await Promise.all([0, 1, 2].map(() => processes[0]!.send('POST', '/api/community/bugs', report)))
      const people = await Promise.all(Array.from({ length: 40 }, (_, n) => memberOf(world, `voter${n}`)))
      await Promise.all(
        people.flatMap(({ cookie }, n) =>
          made.flatMap(({ id }, bug) =>
            [1, n % 4 === 0 ? 0 : -1].map((value, turn) => {
              const process = processes[(n + bug + turn) % processes.length]!
              return process.send('POST', `/api/community/bugs/${id}/vote`, { value }, cookie)
            }),
          ),
        ),
      )
      for (const { id } of made) {
        const votes = await db.selectFrom('vote').select('value').where('targetId', '=', id!).execute()
        const sum = votes.reduce((total, { value }) => total + value, 0)
        for (const table of ['bug', 'feedEntry'] as const) {
          const { score } = await db.selectFrom(table).select('score').where('id', '=', id!).executeTakeFirstOrThrow()
          assert.equal(score, sum, table)
        }
      }
    }))

  it('drop what they cached when a process ends, which may have committed what it did not announce', (t) =>
    withProcesses(t, async ({ processes, truth, url }) => {
      const [reader] = processes as [Process]
      const path = '/api/community/bugs'
      const { id } = await reader.send('POST', path, {
        title: 'Before',
        description: 'The first title',
        severity: 'low',
      })
      const other = new pg.Client({ connectionString: url })
      await other.connect()
      await other.query(LISTENER_LOCK)
      // Longer than a heartbeat: the processes have counted it.
      await sleep(600)
      await reader.get(path)
      await other.query(
        `begin; set local guildhall.own = 'on'; update bug set title = 'After' where id = '${id}'; commit`,
      )
      await other.end()
      await showsWithinASecond(reader, path, await truth.get(path))
    }))

  it('drop it again when a commit comes late: of a connection that was lost, or of a process that has ended', (t) =>
    withProcesses(t, async ({ processes, truth, world, url }) => {
      const [, reader] = processes as [Process, Process]
      const path = '/api/community/bugs'
      const { id } = await reader.send('POST', path, { title: 'Before', description: 'The first', severity: 'low' })
      const late = async (title: string, lose: (connection: pg.Client) => Promise<void>) => {
        const connection = new pg.Client({ connectionString: url })
        await connection.connect()
        await connection.query(
          `begin; set local guildhall.own = 'on'; update bug set title = '${title}' where id = '${id}'`,
        )
        await lose(connection)
        // Longer than what they do at once.
        await sleep(700)
        await reader.get(path)
        await connection.query('commit')
        await connection.end()
        await showsWithinASecond(reader, path, await truth.get(path))
        assert.match(await reader.get(path), new RegExp(title))
      }
      await late('Lost', async (connection) => {
        const changes = world.changes as PostgresChanges
        changes.forgetAll(Reflect.get(connection, 'processID'))
      })
      await late('Ended', async () => {
        const other = new pg.Client({ connectionString: url })
        await other.connect()
        await other.query(LISTENER_LOCK)
        await sleep(600)
        await other.end()
      })
    }))

  it('serve nothing older than a second when the connections that listen are lost, and cache again after that', (t) =>
    withProcesses(t, async ({ processes, truth, db }) => {
      const [writer, reader] = processes as [Process, Process]
      const path = '/api/community/bugs'
      const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity
        where pid in (${sql.raw(OTHER_LISTENERS)})`
      for (let round = 0; round < 3; round++) {
        await reader.get(path)
        await reader.get(path)
        await cut.execute(db)
        await writer.send('POST', path, {
          title: `Round ${round}`,
          description: 'Filed without a connection that listens',
          severity: 'low',
        })
        await showsWithinASecond(reader, path, await truth.get(path))
        await showsWithinASecond(writer, path, await truth.get(path))
      }
      const found = () => cacheCounts.all.get('answers|found') ?? 0
      const before = found()
      const until = performance.now() + 10_000
      while (found() === before && performance.now() < until) {
        await reader.get(path)
        await sleep(50)
      }
      assert.ok(found() > before, 'nothing is cached after the connection came back')
    }))
})
