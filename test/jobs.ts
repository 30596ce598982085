// The world of a test of the engine of jobs: processes that share a database, and a clock that stands until the test moves it.
import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import pino from 'pino'
import type { Job } from '../src/core/jobs/job.ts'
import { JobRunner } from '../src/core/jobs/runner.ts'
import { engineOf } from '../src/database/engine.ts'
import { openPostgres } from '../src/database/postgres.ts'
import type { Db, JobTable } from '../src/database/schema.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { after, timestamp } from '../src/runtime/clock.ts'
import type { World } from './world.ts'

const START = Date.parse('2026-11-28T12:00:00.000Z')

/** Between two moments there is as much time as the test says, so that a slow machine loses none. */
class StoppedClock {
  #passed = 0

  now(): number {
    return START + this.#passed
  }

  elapsed(): number {
    return this.#passed
  }

  pass(seconds: number): void {
    this.#passed += Math.round(seconds * 1_000)
  }
}

export interface JobsWorld {
  db: Db
  clock: StoppedClock
  /** What was logged, in JSON. */
  lines: string[]
  /** A process, whose database may be another one than that of the world. */
  processOf(jobs: Job | readonly Job[], db?: Db): JobRunner
  /** The moment in so many seconds. */
  moment(inSeconds?: number): string
  /** The only row of the tests' kinds; undefined if there is none. */
  row(): Promise<JobTable | undefined>
  /** Stores a row as another process left it. */
  leave(row: Partial<JobTable>): Promise<void>
}

export function jobsOf({ db }: World): JobsWorld {
  const clock = new StoppedClock()
  const lines: string[] = []
  const log = pino({ base: undefined }, { write: (line: string) => void lines.push(line) })
  const moment = (inSeconds = 0) => after(timestamp(clock.now()), inSeconds)
  return {
    db,
    clock,
    lines,
    moment,
    processOf: (jobs, own = db) => new JobRunner({ db: own, clock, log }, Array.isArray(jobs) ? jobs : [jobs]),
    async row() {
      const [found, ...others] = await db.selectFrom('job').selectAll().where('kind', 'like', 'test.%').execute()
      assert.deepEqual(others, [])
      return found
    },
    async leave(row) {
      const base = { kind: 'test.work', key: 'a', runAt: moment(), cursor: '', attempts: 0, leasedUntil: '' }
      await db
        .insertInto('job')
        .values({ ...base, error: null, failedAt: null, doneAt: null, ...row })
        .execute()
    },
  }
}

/** What the timer of a process does every second; resolves when what it began has ended. */
export async function look(...processes: readonly JobRunner[]): Promise<void> {
  const kinds = processes.flatMap((runner) => [...runner.kinds.values()])
  for (const kind of kinds) kind.look()
  await Promise.all(kinds.map((kind) => kind.ended()))
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000
  while (!(await holds())) {
    assert.ok(performance.now() < end, 'it did not happen')
    await setImmediate()
  }
}

/** A job whose keys wait in the memory of the test until their batch has ended. */
export function waitingJob(keys: readonly string[], job: Partial<Job> & { run?: Job['batch'] } = {}) {
  const waiting = new Set(keys)
  const { run = async () => undefined, ...more } = job
  const made: Job = {
    kind: 'test.work',
    summary: 'works',
    wake: { find: async ({ limit }) => [...waiting].slice(0, limit).map((key) => ({ key })) },
    async batch(given) {
      const cursor = await run(given)
      if (cursor === undefined) waiting.delete(given.key)
      return cursor
    },
    ...more,
  }
  return { job: made, waiting }
}

/** Another process's connections to the database of the world. */
export async function withOtherDb({ db, databaseUrl }: World, use: (other: Db) => Promise<void>): Promise<void> {
  const store =
    engineOf(db) === 'postgres'
      ? openPostgres(databaseUrl, { connections: 2 })
      : openSqlite(databaseUrl, { synchronous: 'OFF' })
  try {
    await use(store.db)
  } finally {
    await store.db.destroy()
  }
}

/** A database on which the next statement of a kind can fail, as while it is away. */
export function failingDb(whole: Db): { db: Db; failNext(method: 'selectFrom' | 'updateTable' | 'deleteFrom'): void } {
  let next: string | undefined
  const get = (target: Db, name: string | symbol) => {
    if (name === next) {
      next = undefined
      return () => {
        throw Object.assign(new Error('the database is away'), { code: 'ECONNREFUSED' })
      }
    }
    const value: unknown = Reflect.get(target, name)
    return typeof value === 'function' ? value.bind(target) : value
  }
  return {
    db: new Proxy(whole, { get }),
    failNext(method) {
      next = method
    },
  }
}
