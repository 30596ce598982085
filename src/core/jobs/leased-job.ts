// A job that this process has: its batches, one after the other, with a lease that is renewed between them. A batch that does not end within
// its lease counts as failed, as another process may be at it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, JobTable } from '../../database/schema.ts'
import { after, type Clock, timestamp } from '../../runtime/clock.ts'
import { type Job, LEASE_SECONDS, RENEWED_AFTER_SECONDS } from './job.ts'
import { updateLeased } from './queries.ts'

const LONGEST_PAUSE_MILLISECONDS = 20

/** Another process works on the job by now. */
export class LostLease extends Error {}

/** What the jobs of a process share. */
export interface Together {
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
  together: Together
}

export class LeasedJob {
  readonly #job: Job
  readonly #options: LeasedOptions
  #row: JobTable
  /** When the lease was taken or renewed, by the clock that is never set. */
  #leasedAt: number

  constructor(job: Job, row: JobTable, options: LeasedOptions) {
    this.#job = job
    this.#row = row
    this.#options = options
    this.#leasedAt = options.clock.elapsed()
  }

  /** As it is stored. */
  get row(): JobTable {
    return this.#row
  }

  /** Runs batches to the end; false where the process stops before. */
  async run(): Promise<boolean> {
    const { longestPauseMilliseconds = LONGEST_PAUSE_MILLISECONDS } = this.#job
    for (;;) {
      const started = performance.now()
      const cursor = await this.#batch()
      if (cursor === undefined) return true
      if (cursor !== this.#row.cursor) await this.#save({ cursor })
      else await this.#renew()
      const { stopping, running } = this.#options.together
      if (stopping.aborted) return false
      await sleep(Math.min(longestPauseMilliseconds, performance.now() - started) * running)
    }
  }

  async #batch(): Promise<string | undefined> {
    const ending = new AbortController()
    const late = Promise.withResolvers<never>()
    const { clock, together } = this.#options
    const { longestBatchSeconds = 0 } = this.#job
    const renewedUntil = clock.elapsed() + longestBatchSeconds * 1_000
    const look = () => {
      if (clock.elapsed() < renewedUntil) this.#renew().catch(late.reject)
      const left = LEASE_SECONDS * 1_000 - (clock.elapsed() - this.#leasedAt)
      if (left > 0) return later(left)
      ending.abort()
      late.reject(new Error(`a batch did not end within ${Math.max(LEASE_SECONDS, longestBatchSeconds)} seconds`))
    }
    let timer: NodeJS.Timeout | undefined
    const later = (left: number) => {
      const isRenewed = clock.elapsed() < renewedUntil
      timer = setTimeout(look, isRenewed ? Math.min(left, RENEWED_AFTER_SECONDS * 1_000) : left).unref()
    }
    later(LEASE_SECONDS * 1_000)
    const { key, cursor } = this.#row
    const signal = AbortSignal.any([together.stopping, ending.signal])
    try {
      return await Promise.race([this.#job.batch({ key, cursor, signal, renew: () => this.#renew() }), late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async #renew(): Promise<void> {
    if (this.#options.clock.elapsed() - this.#leasedAt >= RENEWED_AFTER_SECONDS * 1_000) await this.#save({})
  }

  async #save(changes: Partial<JobTable>): Promise<void> {
    const { db, clock } = this.#options
    const renewed = { ...changes, leasedUntil: after(timestamp(clock.now()), LEASE_SECONDS) }
    if (!(await updateLeased(db, this.#row, renewed))) throw new LostLease(`another process has ${this.#job.kind}`)
    this.#row = { ...this.#row, ...renewed }
    this.#leasedAt = clock.elapsed()
  }
}
