// One kind of job in one process: what is next, and what becomes of it. A process that dies loses nothing, since its leases end. What fails is
// tried again after a pause that grows.
import type { Db, JobTable } from '../../database/schema.ts'
import { after, type Clock, latest, timestamp } from '../../runtime/clock.ts'
import { Counts } from '../../runtime/counts.ts'
import type { Log } from '../../runtime/log.ts'
import { reasonOf } from '../../runtime/outage.ts'
import { toError } from '../../runtime/untyped.ts'
import { backoffSeconds, type Job, LEASE_SECONDS, MAX_BACKOFF_SECONDS } from './job.ts'
import { LeasedJob, LostLease, type Together } from './leased-job.ts'
import { deleteLeased, insertLeased, listJobs, takeSeen, updateLeased } from './queries.ts'

export interface JobDependencies {
  db: Db
  clock: Clock
  log: Log
}

const MAX_ERROR_LENGTH = 500
/** What failed is looked at so often: an operator may let it run before its time. */
const FAILED_LOOK_SECONDS = 5
/** So many keys that wait are looked at in a turn. */
const MAX_KEYS = 1_000

/** A turn at all that waits. */
interface Turn {
  /** Whether it runs before its time. */
  isEager: boolean
  /** The keys that had their turn. */
  had: Set<string>
  failures: unknown[]
}

export class JobKind {
  readonly job: Job
  /** Of this process. */
  readonly counts = new Counts(['done', 'failed', 'given_up'])
  readonly #dependencies: JobDependencies
  readonly #together: Together
  /** Ends of leases that could not be given back, by key. */
  readonly #held = new Map<string, string>()
  #running: Promise<void> | undefined
  /** When to look again, by the clock that is never set. */
  #restsUntil = 0
  #isDone = false

  constructor(dependencies: JobDependencies, job: Job, together: Together) {
    this.job = job
    this.#dependencies = dependencies
    this.#together = together
  }

  /** Begins a turn, unless one runs or it is not time yet. */
  look(): void {
    const { clock } = this.#dependencies
    if (this.#isDone || this.#running || clock.elapsed() < this.#restsUntil || this.#together.stopping.aborted) return
    this.#begin(false).catch((error: unknown) => this.#complain(error))
  }

  /** Begins a turn now, or soon where one runs. */
  wake(): void {
    this.#restsUntil = 0
    this.look()
  }

  /** Runs all that waits, also before its time. Rejects with what failed. */
  async run(): Promise<void> {
    await this.ended()
    if (!this.#isDone) await this.#begin(true)
  }

  /** Resolves when no batch runs. */
  async ended(): Promise<void> {
    await this.#running?.catch(() => {})
  }

  #begin(isEager: boolean): Promise<void> {
    this.#running ??= this.#inLane({ isEager, had: new Set(), failures: [] }).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** A turn, after those of its lane. */
  #inLane(turn: Turn): Promise<void> {
    const { lane } = this.job
    if (lane === undefined) return this.#turn(turn)
    const { lanes } = this.#together
    const running = (lanes.get(lane) ?? Promise.resolve()).then(() => this.#turn(turn))
    lanes.set(
      lane,
      running.catch(() => {}),
    )
    return running
  }

  async #turn(turn: Turn): Promise<void> {
    const { wake, atOnce = 1 } = this.job
    if ('inEachProcess' in wake) return this.#runHere(wake.inEachProcess)
    await Promise.all(Array.from({ length: atOnce }, () => this.#work(turn)))
    if (turn.isEager && turn.failures.length > 0) throw turn.failures[0]
  }

  async #runHere(seconds: number): Promise<void> {
    this.#rest(seconds)
    const run = { key: '', signal: this.#together.stopping, renew: async () => {} }
    for (let cursor: string | undefined = ''; cursor !== undefined; ) cursor = await this.job.batch({ ...run, cursor })
    this.counts.add('done', '')
  }

  async #work(turn: Turn): Promise<void> {
    while (!this.#together.stopping.aborted) {
      const next = await this.#next(turn)
      if (!next) return
      const row = await this.#take(next)
      if (!row) continue
      this.#together.running++
      await this.#runOne(row, turn).finally(() => this.#together.running--)
    }
  }

  /** The next key that is free and due, with its row. */
  async #next(turn: Turn): Promise<{ key: string; row: JobTable | undefined } | undefined> {
    while (turn.had.size < MAX_KEYS) {
      const keys = (await this.#keys(turn.had.size)).filter((key) => !turn.had.has(key))
      if (keys.length === 0) return undefined
      const rows = new Map((await listJobs(this.#dependencies.db, this.job.kind, keys)).map((row) => [row.key, row]))
      for (const key of keys) {
        if (turn.had.has(key)) continue
        turn.had.add(key)
        const row = rows.get(key)
        if (!row || this.#isFree(row, turn)) return { key, row }
      }
    }
    return undefined
  }

  async #keys(had: number): Promise<string[]> {
    const { wake, atOnce = 1 } = this.job
    if ('once' in wake) return [wake.once]
    if (!('find' in wake)) return ['']
    return (await wake.find({ now: this.#now(), limit: had + atOnce })).map(({ key }) => key)
  }

  #isFree({ key, leasedUntil, runAt, doneAt, failedAt, attempts }: JobTable, { isEager }: Turn): boolean {
    const { wake } = this.job
    if (doneAt !== null) this.#isDone = 'once' in wake
    if (doneAt !== null || failedAt !== null) return false
    const now = this.#now()
    if (leasedUntil > now && leasedUntil <= latest(now, LEASE_SECONDS) && leasedUntil !== this.#held.get(key))
      return false
    const longest = 'every' in wake ? wake.every : MAX_BACKOFF_SECONDS
    if (isEager || runAt <= now || runAt > latest(now, longest)) return true
    const left = (Date.parse(runAt) - Date.parse(now)) / 1_000
    if ('every' in wake) this.#rest(attempts > 0 ? Math.min(left, FAILED_LOOK_SECONDS) : left)
    return false
  }

  #take({ key, row }: { key: string; row: JobTable | undefined }): Promise<JobTable | undefined> {
    const { db } = this.#dependencies
    const now = this.#now()
    const leasedUntil = after(now, LEASE_SECONDS)
    if (!row) return insertLeased(db, { kind: this.job.kind, key, leasedUntil }, now)
    // The process that left its lease behind has ended, or this one could not note how it went.
    const isLeft = row.leasedUntil !== '' && row.leasedUntil !== this.#held.get(key)
    return takeSeen(db, row, { leasedUntil, attempts: row.attempts + (isLeft ? 1 : 0) })
  }

  async #runOne(row: JobTable, turn: Turn): Promise<void> {
    const leased = new LeasedJob(this.job, row, { ...this.#dependencies, together: this.#together })
    this.#held.set(row.key, row.leasedUntil)
    try {
      if (row.attempts >= (this.job.attempts ?? Number.POSITIVE_INFINITY)) await this.#giveUp(leased, row.error)
      else if (await leased.run()) await this.#finish(leased)
      else await updateLeased(this.#dependencies.db, leased.row, { leasedUntil: '' })
      this.#held.delete(row.key)
    } catch (error) {
      this.#held.set(row.key, leased.row.leasedUntil)
      if (error instanceof LostLease) return
      turn.failures.push(error)
      await this.#fail(leased, error)
      this.#held.delete(row.key)
    }
  }

  async #finish({ row }: LeasedJob): Promise<void> {
    const { db } = this.#dependencies
    const { wake } = this.job
    this.counts.add('done', '')
    if ('find' in wake) return deleteLeased(db, row)
    const clean = { leasedUntil: '', cursor: '', attempts: 0, error: null }
    const now = this.#now()
    if ('every' in wake) {
      await updateLeased(db, row, { ...clean, runAt: after(now, wake.every) })
      this.#rest(wake.every)
      return
    }
    await updateLeased(db, row, { ...clean, doneAt: now })
    this.#isDone = true
  }

  async #fail(leased: LeasedJob, failure: unknown): Promise<void> {
    const { db } = this.#dependencies
    if (this.#together.stopping.aborted) return void (await updateLeased(db, leased.row, { leasedUntil: '' }))
    this.#complain(failure, leased.row.key)
    const attempts = leased.row.attempts + 1
    const error = reasonOf(toError(failure)).slice(0, MAX_ERROR_LENGTH)
    if (attempts >= (this.job.attempts ?? Number.POSITIVE_INFINITY)) return this.#giveUp(leased, error)
    this.counts.add('failed', '')
    const runAt = after(this.#now(), backoffSeconds(attempts, Math.random()))
    await updateLeased(db, leased.row, { leasedUntil: '', attempts, error, runAt })
  }

  async #giveUp({ row }: LeasedJob, error: string | null): Promise<void> {
    await this.job.giveUp?.({ key: row.key })
    this.counts.add('given_up', '')
    const failedAt = this.#now()
    await updateLeased(this.#dependencies.db, row, { leasedUntil: '', attempts: row.attempts, error, failedAt })
  }

  #rest(seconds: number): void {
    this.#restsUntil = this.#dependencies.clock.elapsed() + seconds * 1_000
  }

  #now(): string {
    return timestamp(this.#dependencies.clock.now())
  }

  #complain(error: unknown, key?: string): void {
    if (this.#together.stopping.aborted) return
    const { kind } = this.job
    this.#dependencies.log.error({ err: error, job: kind, ...(key && { key }) }, 'a job failed; it is tried again')
  }
}
