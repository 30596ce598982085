// Three processes on one PostgreSQL: what each serves from its caches, against an answer that is read from the database.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { cacheCounts } from '../src/database/commit-cache.ts'
import { openPostgres } from '../src/database/postgres.ts'
import { LISTENER_LOCK, OTHER_LISTENERS } from '../src/database/postgres-changes.ts'
import { engines } from './databases.ts'
import { listening } from './stored.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld, type World } from './world.ts'

const postgres = engines['PostgreSQL']
const STALE_MILLISECONDS = 1_000
/** More rounds for a longer search: `ROUNDS=20000 npm test -- test/many-processes.test.ts`. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 25)

interface Process {
  get(path: string, cookie?: string): Promise<string>
  /** As the member, or with another cookie. */
  send(method: string, path: string, body?: unknown, as?: string): Promise<Record<string, string>>
}

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

/** Runs `work` with three processes and one that caches nothing. */
async function withProcesses(t: TestContext, work: (community: Community) => Promise<void>): Promise<void> {
  const database = await postgres!()
  const blobs = await temporaryDirectory(t)
  const stores = Array.from({ length: 4 }, () => openPostgres(database.url, { connections: 3 }))
  const worlds = await Promise.all(
    // Without `sync` a world is one process (TEST_PROCESSES).
    stores.map(({ sync: _, ...store }) => makeWorld({ ...store, url: database.url }, { BLOB_URL: `file:${blobs}` })),
  )
  const [first] = worlds
  const { cookie } = await memberOf(first!)
  const behindPorts = async (rest: World[], ports: number[]): Promise<void> => {
    const [world, ...others] = rest
    if (world) return listening(world, (port) => behindPorts(others, [...ports, port]))
    const [truth, ...processes] = ports.map((port) => processAt(port, cookie)).reverse()
    await work({ processes, truth: truth!, cookie, world: first!, db: database.db, url: database.url })
  }
  await stores.at(-1)!.stopCaching()
  await Promise.all(stores.map((store) => store.join()))
  try {
    await behindPorts(worlds, [])
  } finally {
    for (const { db } of stores) await db.destroy()
    await database.remove()
  }
}

async function memberOf({ app }: World, name = 'ada'): Promise<{ cookie: string }> {
  const body = JSON.stringify({ name, email: `${name}@example.com`, password: 'a long enough password' })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await app.fetch(
    new Request('http://localhost:3000/api/auth/sign-up/email', { method: 'POST', headers, body }),
  )
  assert.equal(answer.status, 200)
  return { cookie: answer.headers.getSetCookie()[0]!.split(';')[0]! }
}

function processAt(port: number, cookie: string): Process {
  const at = (path: string) => `http://127.0.0.1:${port}${path}`
  return {
    async get(path, as) {
      const answer = await fetch(at(path), { headers: as === undefined ? {} : { Cookie: as } })
      assert.equal(answer.status, 200, path)
      return answer.text()
    },
    async send(method, path, body, as = cookie) {
      const answer = await fetch(at(path), {
        method,
        headers: { Cookie: as, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
      return (await answer.json().catch(() => ({}))) as Record<string, string>
    },
  }
}

/** A generator of the same numbers each time (mulberry32), in [0, 1). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const LISTS = [
  '/api/community/feed',
  '/api/community/feed?sort=popular',
  '/api/community/bugs',
  '/api/community/posts?sort=popular',
  '/api/community/features',
]

/** Writes something of its own choice at `process`, and adds what it made to `bugs`. */
async function write(process: Process, random: () => number, bugs: string[]): Promise<void> {
  const choice = random()
  const bug = bugs[Math.floor(random() * bugs.length)]
  const text = `Text ${Math.floor(random() * 1e9)}`
  if (bug === undefined || choice < 0.2) {
    bugs.push(
      (
        await process.send('POST', '/api/community/bugs', {
          title: text,
          description: `${text} does not work`,
          severity: 'low',
        })
      )['id']!,
    )
  } else if (choice < 0.35) {
    await process.send('POST', '/api/community/posts', { title: text, body: `${text} is a long post` })
  } else if (choice < 0.5) {
    await process.send('POST', '/api/community/features', { title: text, description: `${text} would be useful` })
  } else if (choice < 0.7) {
    await process.send('POST', `/api/community/bugs/${bug}/comments`, { body: text })
  } else {
    await process.send('POST', `/api/community/bugs/${bug}/vote`, { value: Math.floor(random() * 3) - 1 })
  }
}

/** Asks `process` until it gives `expected`; fails if a request sent a second after the change still gives something else. */
async function showsWithinASecond(process: Process, path: string, expected: string): Promise<void> {
  const changedAt = performance.now()
  for (;;) {
    const sentAt = performance.now()
    const shown = await process.get(path)
    if (shown === expected) return
    assert.ok(sentAt - changedAt < STALE_MILLISECONDS, `${path} is older than a second`)
    await sleep(20)
  }
}

describe('three processes on PostgreSQL', { skip: postgres ? false : 'set TEST_POSTGRES_URL to run these' }, () => {
  it('serve what is in the database: one at once what it wrote itself, a member at once everywhere, all within a second', (t) =>
    withProcesses(t, async ({ processes, truth, cookie }) => {
      const random = randomOf(Number(process.env['SEED'] ?? 1))
      const bugs: string[] = []
      const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
      for (let round = 0; round < ROUNDS; round++) {
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
      assert.ok((cacheCounts.get('answers|found') ?? 0) > 0, 'nothing came from a cache')
      assert.ok((cacheCounts.get('rows|found') ?? 0) > 0, 'no rows came from a cache')
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
      const found = () => cacheCounts.get('answers|found') ?? 0
      const before = found()
      const until = performance.now() + 10_000
      while (found() === before && performance.now() < until) {
        await reader.get(path)
        await sleep(50)
      }
      assert.ok(found() > before, 'nothing is cached after the connection came back')
    }))
})
