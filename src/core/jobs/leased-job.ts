// A job that this process has: its batches, one after the other, with a lease that is renewed between them. A batch that does not end within
// its lease counts as failed, as another process may be at it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, JobTable } from '../../database/schema.ts'
import { after, type Clock, timestamp } from '../../runtime/clock.ts'
import { type Job, type JobRun, LEASE_SECONDS, RENEWED_AFTER_SECONDS } from './job.ts'
import { deleteLeased, updateLeased } from './queries.ts'

const LONGEST_PAUSE_MILLISECONDS = 20

/** Another process works on the job by now. */
export class LostLease extends Error {}

/** What the jobs of a process share. */
export interface RunnerState {
  /** Aborted when the process stops. */
  stopping: AbortSignal
  /** Jobs that run. The more there are, the longer each pauses: together they leave half of the time to requests. */
  running: number
  /** The last turn of each lane. */
  lanes: Map<string, Promise<void>>
}

interface LeasedOptions {
  db: Db
  clock: Clock
  together: RunnerState
  /** By the clock that is never set, and not later than the row has it. */
  leasedAt: number
}

export class LeasedJob {
  readonly #job: Job
  readonly #options: LeasedOptions
  #row: JobTable
  /** When the lease was taken or renewed. */
  #leasedAt: number
  /** Writes follow each other, since each proves by the lease that the one before wrote. */
  #written: Promise<unknown> = Promise.resolve()

  constructor(job: Job, row: JobTable, options: LeasedOptions) {
    this.#job = job
    this.#row = row
    this.#options = options
    this.#leasedAt = options.leasedAt
  }

  /** As it is stored. */
  get row(): JobTable {
    return this.#row
  }

  /** Runs batches to the end; false where the process stops before. */
  async run(): Promise<boolean> {
    while (!this.#options.together.stopping.aborted) {
      const started = performance.now()
      const cursor = await this.#withinLease((run) => this.#job.batch(run))
      if (cursor === undefined) return true
      if (cursor !== this.#row.cursor) await this.save({ cursor })
      else await this.#renew()
      await sleep(Math.min(LONGEST_PAUSE_MILLISECONDS, performance.now() - started) * this.#options.together.running)
    }
    return false
  }

  /** Does what follows where the job is given up; false where the process stops before. */
  async giveUp(): Promise<boolean> {
    if (this.#options.together.stopping.aborted) return false
    await this.#withinLease(async ({ key }) => this.#job.giveUp?.({ key }))
    return true
  }

  /** Stores changes, and renews the lease. Throws where another process has the job by now. */
  save(changes: Partial<JobTable>): Promise<void> {
    return this.#inTurn(async () => {
      const { db, clock } = this.#options
      const leasedAt = clock.elapsed()
      const renewed = { ...changes, leasedUntil: after(timestamp(clock.now()), LEASE_SECONDS) }
      if (!(await updateLeased(db, this.#row, renewed))) throw new LostLease(`another process has ${this.#job.kind}`)
      this.#row = { ...this.#row, ...renewed }
      this.#leasedAt = leasedAt
    })
  }

  /** Gives the lease back, with changes; false where another process has the job by now. */
  end(changes: Partial<JobTable> = {}): Promise<boolean> {
    return this.#inTurn(() => updateLeased(this.#options.db, this.#row, { ...changes, leasedUntil: '' }))
  }

  /** Forgets the job; false where another process has it by now. */
  remove(): Promise<boolean> {
    return this.#inTurn(() => deleteLeased(this.#options.db, this.#row))
  }

  async #withinLease<T>(work: (run: JobRun) => Promise<T>): Promise<T> {
    const { clock, together } = this.#options
    const { longestBatchSeconds = 0 } = this.#job
    const ending = new AbortController()
    const late = Promise.withResolvers<never>()
    const end = (error: Error) => {
      ending.abort()
      late.reject(error)
    }
    const renewedUntil = clock.elapsed() + longestBatchSeconds * 1_000
    let timer: NodeJS.Timeout | undefined
    const look = () => {
      const now = clock.elapsed()
      const left = this.#leasedAt + LEASE_SECONDS * 1_000 - now
      const longest = Math.max(LEASE_SECONDS, longestBatchSeconds)
      if (left <= 0) return end(new Error(`a batch did not end within ${longest} seconds`))
      const isRenewed = now < renewedUntil
      // A database that is away is asked again, as long as the lease lasts.
      if (isRenewed) this.#renew(now).catch((error: unknown) => error instanceof LostLease && end(error))
      timer = setTimeout(look, isRenewed ? Math.min(left, RENEWED_AFTER_SECONDS * 1_000) : left).unref()
    }
    look()
    const { key, cursor } = this.#row
    const signal = AbortSignal.any([together.stopping, ending.signal])
    try {
      return await Promise.race([work({ key, cursor, signal, renew: () => this.#renew() }), late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  /** `now` is when it was asked for: what waits for a write asks for no time that came later. */
  async #renew(now = this.#options.clock.elapsed()): Promise<void> {
    await this.#written
    if (now - this.#leasedAt >= RENEWED_AFTER_SECONDS * 1_000) await this.save({})
  }

  #inTurn<T>(write: () => Promise<T>): Promise<T> {
    const result = this.#written.then(write)
    this.#written = result.catch(() => {})
    return result
  }
}
