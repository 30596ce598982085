// One kind of job in one process: what is next, and what becomes of it. A process that dies loses nothing, since its leases end. What fails is
// tried again after a pause that grows.
import type { Db, JobTable } from '../../database/schema.ts'
import { after, type Clock, latest, timestamp } from '../../runtime/clock.ts'
import { Counts } from '../../runtime/counts.ts'
import type { Log } from '../../runtime/log.ts'
import { reasonOf } from '../../runtime/outage.ts'
import { toError } from '../../runtime/untyped.ts'
import { backoffSeconds, type Job, LEASE_SECONDS, MAX_BACKOFF_SECONDS } from './job.ts'
import { LeasedJob, LostLease, type RunnerState } from './leased-job.ts'
import { insertLeased, listJobs, takeSeen } from './queries.ts'

export interface JobDependencies {
  db: Db
  clock: Clock
  log: Log
}

const MAX_ERROR_LENGTH = 500
/** What failed is looked at so often: an operator may let it run before its time. */
const FAILED_LOOK_SECONDS = 5
/** So many keys that wait are looked at in a turn: so many that fail at once hold no other one up. */
const MAX_KEYS = 1_000
/** The longest pause of a kind after it could not be looked at, as while the database is away. */
const MAX_LOOK_BACKOFF_SECONDS = 15
/** The error of an attempt whose process did not note any. */
const LEFT = 'the process that had it ended, or could not note how it went'

/** A turn at all that waits. */
interface Turn {
  /** Whether it runs before its time. */
  isEager: boolean
  /** The keys that had their turn. */
  had: Set<string>
  /** How many of them it was not time for, or another process had. */
  passedOver: number
  failures: unknown[]
}

export class JobKind {
  readonly job: Job
  /** Of this process. */
  readonly counts = new Counts(['done', 'failed', 'given_up'])
  readonly #dependencies: JobDependencies
  readonly #together: RunnerState
  /** Ends of leases that may be this process's, by key: of those at work, and of those that could not be given back. */
  readonly #held = new Map<string, string>()
  readonly #mostAttempts: number
  #running: Promise<void> | undefined
  /** Turns that may run beside each other. */
  readonly #overlapping = new Set<Promise<void>>()
  /** When to look again, by the clock that is never set. */
  #restsUntil = 0
  #failedLooks = 0
  #isDone = false

  constructor(dependencies: JobDependencies, job: Job, together: RunnerState) {
    this.job = job
    this.#dependencies = dependencies
    this.#together = together
    this.#mostAttempts = job.attempts ?? Number.POSITIVE_INFINITY
  }

  /** Begins a turn, unless one runs or it is not time yet. */
  look(): void {
    const { clock } = this.#dependencies
    if (this.#isDone || this.#running || clock.elapsed() < this.#restsUntil || this.#together.stopping.aborted) return
    this.#begin(false).then(
      () => {
        this.#failedLooks = 0
      },
      (error: unknown) => {
        const pause = backoffSeconds(++this.#failedLooks, Math.random())
        this.#rest(Math.min(pause, MAX_LOOK_BACKOFF_SECONDS))
        this.#complain(error)
      },
    )
  }

  /** Begins a turn now, or soon where one runs. */
  wake(): void {
    this.#restsUntil = 0
    this.look()
  }

  /** Runs all that waits, also before its time. Rejects with what failed. */
  async run(): Promise<void> {
    while (this.#running) await this.ended()
    if (!this.#isDone) await this.#begin(true)
  }

  /** Resolves when no batch runs. */
  async ended(): Promise<void> {
    await Promise.allSettled([this.#running, ...this.#overlapping])
  }

  #begin(isEager: boolean): Promise<void> {
    const { wake } = this.job
    if ('inEachProcess' in wake && wake.overlapping) return this.#beginBeside(wake.inEachProcess)
    this.#running ??= this.#inLane({ isEager, had: new Set(), passedOver: 0, failures: [] }).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  #beginBeside(seconds: number): Promise<void> {
    const turn = this.#runHere(seconds).finally(() => this.#overlapping.delete(turn))
    this.#overlapping.add(turn)
    return turn
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
    // One that fails leaves the others at work.
    const workers = await Promise.allSettled(Array.from({ length: atOnce }, () => this.#work(turn)))
    for (const worker of workers) if (worker.status === 'rejected') throw worker.reason
    if (turn.isEager && turn.failures.length > 0) throw turn.failures[0]
  }

  async #runHere(seconds: number): Promise<void> {
    this.#rest(seconds)
    const run = { key: '', signal: this.#together.stopping, renew: async () => {} }
    let cursor: string | undefined = ''
    try {
      do cursor = await this.job.batch({ ...run, cursor })
      while (cursor !== undefined && !this.#together.stopping.aborted)
    } catch (error) {
      this.counts.add('failed', '')
      throw error
    }
    this.counts.add('done', '')
  }

  async #work(turn: Turn): Promise<void> {
    while (!this.#together.stopping.aborted) {
      const next = await this.#next(turn)
      if (!next) return
      const leased = await this.#take(next)
      if (!leased) continue
      this.#together.running++
      await this.#runOne(leased, turn).finally(() => this.#together.running--)
    }
  }

  /** The next key that is free and due, with its row. */
  async #next(turn: Turn): Promise<{ key: string; row: JobTable | undefined } | undefined> {
    while (turn.had.size < MAX_KEYS) {
      const keys = (await this.#keys(turn)).filter((key) => !turn.had.has(key))
      if (keys.length === 0) return undefined
      const rows = new Map((await listJobs(this.#dependencies.db, this.job.kind, keys)).map((row) => [row.key, row]))
      for (const key of keys) {
        if (turn.had.has(key)) continue
        turn.had.add(key)
        const row = rows.get(key)
        if (!row || this.#isFree(row, turn)) return { key, row }
        turn.passedOver++
      }
    }
    return undefined
  }

  async #keys({ had, passedOver }: Turn): Promise<string[]> {
    const { wake, atOnce = 1 } = this.job
    if ('once' in wake) return [wake.once]
    if (!('find' in wake)) return ['']
    // Where many wait in vain, each look reaches twice as far.
    const limit = had.size + Math.max(atOnce, passedOver)
    return (await wake.find({ now: this.#now(), limit })).map(({ key }) => key)
  }

  #isFree({ key, leasedUntil, runAt, doneAt, failedAt, attempts }: JobTable, { isEager }: Turn): boolean {
    const { wake } = this.job
    if (doneAt !== null) this.#isDone = 'once' in wake
    if (doneAt !== null || failedAt !== null) return false
    const now = this.#now()
    if (leasedUntil > now && leasedUntil <= latest(now, LEASE_SECONDS) && leasedUntil !== this.#held.get(key))
      return false
    const longest = Math.max('every' in wake ? wake.every : 0, MAX_BACKOFF_SECONDS)
    if (isEager || runAt <= now || runAt > latest(now, longest)) return true
    const left = (Date.parse(runAt) - Date.parse(now)) / 1_000
    if ('every' in wake) this.#rest(attempts > 0 ? Math.min(left, FAILED_LOOK_SECONDS) : left)
    return false
  }

  async #take({ key, row }: { key: string; row: JobTable | undefined }): Promise<LeasedJob | undefined> {
    const { db, clock } = this.#dependencies
    const [leasedAt, now] = [clock.elapsed(), this.#now()]
    const leasedUntil = after(now, LEASE_SECONDS)
    // The process that left its lease behind has ended, or this one could not note how it went.
    const isLeft = row && row.leasedUntil !== '' && row.leasedUntil !== this.#held.get(key)
    // Before: a database that is away may have leased it all the same.
    this.#held.set(key, leasedUntil)
    const taken = row
      ? await takeSeen(db, row, { leasedUntil, ...(isLeft && { attempts: row.attempts + 1, error: LEFT }) })
      : await insertLeased(db, { kind: this.job.kind, key, leasedUntil }, now)
    if (!taken) this.#held.delete(key)
    return taken && new LeasedJob(this.job, taken, { db, clock, together: this.#together, leasedAt })
  }

  async #runOne(leased: LeasedJob, turn: Turn): Promise<void> {
    const { key } = leased.row
    try {
      await this.#attempt(leased, turn)
      this.#held.delete(key)
    } catch (error) {
      this.#held.set(key, leased.row.leasedUntil)
      if (!(error instanceof LostLease)) throw error
      this.#held.delete(key)
    }
  }

  async #attempt(leased: LeasedJob, turn: Turn): Promise<void> {
    const isSpent = leased.row.attempts >= this.#mostAttempts
    let isDone: boolean
    try {
      isDone = await (isSpent ? leased.giveUp() : leased.run())
    } catch (failure) {
      if (failure instanceof LostLease) throw failure
      return this.#fail(leased, failure, turn)
    }
    if (!isDone) await leased.end()
    else if (!isSpent) await this.#finish(leased)
    else if (await leased.end({ failedAt: this.#now() })) this.counts.add('given_up', '')
  }

  async #finish(leased: LeasedJob): Promise<void> {
    const { wake } = this.job
    const now = this.#now()
    const clean = { cursor: '', attempts: 0, error: null }
    const isNoted =
      'find' in wake
        ? await leased.remove()
        : await leased.end({ ...clean, ...('every' in wake ? { runAt: after(now, wake.every) } : { doneAt: now }) })
    if (!isNoted) return
    this.counts.add('done', '')
    if ('every' in wake) this.#rest(wake.every)
    this.#isDone = 'once' in wake
  }

  async #fail(leased: LeasedJob, failure: unknown, turn: Turn): Promise<void> {
    if (this.#together.stopping.aborted) return void (await leased.end())
    const { key, attempts: before } = leased.row
    const attempts = before + 1
    const runAt = after(this.#now(), backoffSeconds(attempts, Math.random()))
    const failed = { attempts, error: wordsOf(failure), runAt }
    const isLast = before < this.#mostAttempts && attempts >= this.#mostAttempts
    // Another process may have it by now: then it is no failure of this one, and not given up.
    if (isLast) await leased.save(failed)
    else if (!(await leased.end(failed))) return
    turn.failures.push(failure)
    this.#complain(failure, { key, isLast })
    if (isLast) return this.#attempt(leased, turn)
    this.counts.add('failed', '')
  }

  #rest(seconds: number): void {
    this.#restsUntil = this.#dependencies.clock.elapsed() + seconds * 1_000
  }

  #now(): string {
    return timestamp(this.#dependencies.clock.now())
  }

  #complain(error: unknown, { key = '', isLast = false } = {}): void {
    if (this.#together.stopping.aborted) return
    const of = { err: error, job: this.job.kind, ...(key && { key }) }
    this.#dependencies.log.error(of, isLast ? 'a job failed and is given up' : 'a job failed; it is tried again')
  }
}

/** What is stored of an error. PostgreSQL stores no NUL. */
const wordsOf = (failure: unknown): string =>
  reasonOf(toError(failure)).replaceAll('\0', '').slice(0, MAX_ERROR_LENGTH).toWellFormed()
