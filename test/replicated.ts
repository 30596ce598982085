// Processes on a database that has replicas, beside one that has neither replicas nor caches: what the first show, the last shows too.
import assert from 'node:assert/strict'
import { after, afterEach, before, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../src/database/migrate.ts'
import { openPostgres, type PostgresStore } from '../src/database/postgres.ts'
import type { ReplicaReport } from '../src/database/replica.ts'
import { Replicas } from '../src/database/replicas.ts'
import { programs } from './postgres-programs.ts'
import { behindPorts, LISTS, memberOf, type Process, randomOf, showsWithinASecond, write } from './processes.ts'
import { openStandby, type Standby } from './standby.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld, type World } from './world.ts'

/** More rounds for a longer search: `ROUNDS=2000 npm test -- test/replica.test.ts`. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 6)
export const PAUSE = 'select pg_wal_replay_pause()'
export const RESUME = 'select pg_wal_replay_resume()'
export const REPORT = { title: 'Crash', description: 'It stops on start', severity: 'low' }

export type Store = PostgresStore & { replicas: Replicas }

export interface Community {
  /** Each with the replicas. */
  processes: Process[]
  /** The same application without caches and without replicas. */
  truth: Process
  cookie: string
  /** Of the first process. */
  world: World
  store: Store
  /** What the first process was told: the name of a replica, and `undefined` for that it is used. */
  told: [name: string, complaint: string | undefined][]
  database: string
}

export const noPrograms = programs
  ? false
  : 'the programs of PostgreSQL (initdb, pg_basebackup) are not installed in /usr/lib/postgresql'

/** Waits until a condition holds, for longer than a slow machine takes. */
export async function until(condition: () => boolean, what: string, milliseconds = 20_000): Promise<void> {
  const end = performance.now() + milliseconds
  while (!condition()) {
    assert.ok(performance.now() < end, what)
    await sleep(10)
  }
}

/** Repeats `attempt` until it is true: a busy machine may leave a replica behind at any moment. */
export async function eventually(attempt: () => Promise<boolean>, what: string, milliseconds = 30_000): Promise<void> {
  const end = performance.now() + milliseconds
  while (!(await attempt())) assert.ok(performance.now() < end, what)
}

/** Reads by all replicas or one of them, or by the primary for a reason. */
export const readsOf = ({ replicas }: Store, number?: number): number =>
  replicas.each
    .filter((_, at) => number === undefined || at === number)
    .reduce((sum, { name }) => sum + (replicas.counts.get(`replica||${name}`) ?? 0), 0)
export const primaryReads = ({ replicas }: Store, reason: string): number =>
  replicas.counts.get(`primary|${reason}|`) ?? 0

export const complaintOf = ({ replicas }: Store, number = 0): string | undefined => replicas.each[number]!.complaint()
export const isUsed = (store: Store, number = 0): boolean => complaintOf(store, number) === undefined
const areUsed = (store: Store) => store.replicas.each.every((replica) => replica.complaint() === undefined)

/** Waits until the replicas have what was committed so far, and the process knows it. */
export async function settle({ store }: Pick<Community, 'store'>, milliseconds?: number): Promise<void> {
  const asked = performance.now()
  const isKnown = () =>
    store.replicas.each.every(
      (replica) => (replica.lagSeconds() ?? Number.POSITIVE_INFINITY) < (performance.now() - asked) / 1_000,
    )
  await until(() => areUsed(store) && isKnown(), 'the replicas have it', milliseconds)
}

/** Writes at random while replicas pause and resume: everything shown is what the truth shows. */
export async function compareUnderWrites(community: Community, { replicas }: Standby): Promise<void> {
  const { processes, truth, store, cookie } = community
  const random = randomOf(Number(process.env['SEED'] ?? 1))
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
  const bugs: string[] = []
  let isOver = false
  const pausing = (async () => {
    while (!isOver) {
      await sleep(random() * 400)
      await pick(replicas).run(random() < 0.4 ? PAUSE : RESUME)
    }
    await Promise.all(replicas.map((replica) => replica.run(RESUME)))
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
    // Sometimes long enough for a replica to be of use for the tables that were written.
    await sleep(random() < 0.3 ? 700 : random() * 100)
    const all = await Promise.all(paths.map((one) => truth.get(one, cookie)))
    for (const one of processes) {
      assert.deepEqual(await Promise.all(paths.map((wanted) => one.get(wanted, cookie))), all)
    }
  }
  isOver = true
  await pausing
  assert.ok(readsOf(store) > 0)
  for (const reason of ['changed', 'earlier']) assert.ok(primaryReads(store, reason) > 0, reason)
}

/** Where the replicas of a database are, for the processes. */
type AddressesOf = (database: string) => readonly string[]

/** A primary with so many replicas for the tests of a `describe`, whose replicas are not paused when a test begins. */
export function replicated(count: number) {
  let standby: Standby
  let made = 0
  before(async () => {
    standby = await openStandby(count)
    await standby.primary.run('create database migrated')
    const { db } = openPostgres(standby.primary.url('migrated'), { connections: 2 })
    await migrate(db)
    await db.destroy()
  })
  afterEach(() => Promise.all(standby.replicas.map((replica) => replica.run(RESUME).catch(() => {}))))
  after(() => standby?.close())

  async function newDatabase(): Promise<string> {
    const name = `community${made++}`
    await standby.primary.run(`create database ${name} template migrated`)
    await standby.caughtUp()
    return name
  }

  const addresses: AddressesOf = (database) => standby.replicas.map((replica) => replica.url(database))

  function openStore(t: TestContext, database: string, urls = addresses(database)) {
    const told: Community['told'] = []
    const onChange = (replica: ReplicaReport) => void told.push([replica.name, replica.complaint()])
    const store = openPostgres(standby.primary.url(database), {
      connections: 3,
      replicas: { urls, Replicas, onChange },
    })
    t.after(() => store.db.destroy())
    return { store: store as Store, told }
  }

  /** Runs `work` with so many processes that have the replicas, and one without and without caches. */
  async function withProcesses(
    t: TestContext,
    processes: number,
    work: (community: Community) => Promise<void>,
    replicasAt = addresses,
  ) {
    const database = await newDatabase()
    const url = standby.primary.url(database)
    const BLOB_URL = `file:${await temporaryDirectory(t)}`
    const opened = Array.from({ length: processes }, () => openStore(t, database, replicasAt(database)))
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
    await until(() => opened.every((one) => areUsed(one.store)), 'the replicas are used')
    await behindPorts(worlds, cookie, (ports) =>
      work({ processes: ports.slice(0, -1), truth: ports.at(-1)!, cookie, world, store, told, database }),
    )
  }

  return { standby: () => standby, newDatabase, openStore, withProcesses }
}
