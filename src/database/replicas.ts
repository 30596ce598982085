// Reads of streaming replicas on PostgreSQL (DATABASE_READ_URL). A read goes there only if the result is that of the primary: four
// times a second the primary says how far its write-ahead log is, and once a replica has replayed as much, it has every commit that
// this process knew of at that moment. Until a change of one of its tables is known, a read of the replica is like a cached one from
// that moment (commit-cache.ts). Of the replicas that are good for a read the fastest gets it. Everything else, and every read that
// fails there, goes to the primary.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { QueryResult } from 'pg'
import { pairsOf } from '../runtime/counts.ts'
import { reasonOf } from '../runtime/outage.ts'
import { required } from '../runtime/untyped.ts'
import type { PostgresChanges } from './postgres-changes.ts'
import { type PrimaryAnswer, Replica, type ReplicaOptions, type ReplicaReport } from './replica.ts'
import * as position from './replica-position.ts'

const BEAT_MILLISECONDS = 250

/** Why the primary takes a read. */
const REASONS = ['private', 'unavailable', 'earlier', 'changed', 'failed'] as const
type Reason = (typeof REASONS)[number]

/**
 * The reads of one request. Time does not go backwards in it: after a read of the primary all others follow, and after a read of a
 * replica the next one goes there too, or where everything is known to be that could be seen until then.
 */
interface RequestReads {
  /** Where the last one went. */
  server: Replica | 'primary' | undefined
  /** Reads of a replica without an answer. */
  waiting: number
  /** When the last answer came, in milliseconds. */
  answeredAt: number
  isOver: boolean
}

export interface ReplicasReport {
  /** Reads of public data in requests, by `replica||name` or `primary|reason|`. */
  counts: ReadonlyMap<string, number>
  /** In the order of their addresses. */
  each: readonly ReplicaReport[]
  /** Runs the work of a request that changes nothing: its reads may go to a replica. */
  reading<Result>(work: () => Promise<Result>): Promise<Result>
}

interface Options {
  replicas: readonly Omit<ReplicaOptions, 'changes'>[]
  changes: PostgresChanges
}

export class Replicas implements ReplicasReport {
  readonly counts: Map<string, number>
  readonly each: readonly Replica[]
  readonly #changes: PostgresChanges
  readonly #requests = new AsyncLocalStorage<RequestReads>()
  #timer: NodeJS.Timeout | undefined
  #isAsking = false
  #isClosed = false

  constructor({ replicas, changes }: Options) {
    this.#changes = changes
    this.each = replicas.map((options) => new Replica({ ...options, changes }))
    const keys = [
      ...this.each.map(({ name }) => `replica||${name}`),
      ...pairsOf(['primary'], REASONS).map((key) => `${key}|`),
    ]
    this.counts = new Map(keys.map((key) => [key, 0]))
  }

  /** Begins to ask how far they are, once. */
  open(): void {
    if (this.#timer || this.#isClosed) return
    this.#timer = setInterval(() => void this.#beat(), BEAT_MILLISECONDS).unref()
  }

  async reading<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#requests.getStore()?.isOver === false) return work()
    const reads: RequestReads = { server: undefined, waiting: 0, answeredAt: 0, isOver: false }
    try {
      return await this.#requests.run(reads, work)
    } finally {
      reads.isOver = true
    }
  }

  /** From now on this request reads from the primary. */
  usesPrimary(): void {
    const reads = this.#requests.getStore()
    if (reads) reads.server = 'primary'
  }

  /** The result of a statement that only reads; undefined if the primary has to say it. */
  async query(text: string, values: readonly unknown[]): Promise<QueryResult | undefined> {
    const reads = this.#requests.getStore()
    if (!reads || reads.isOver) return undefined
    const { watched } = this.#changes
    const tables = watched.namedIn(text)
    // A session or a token names nothing that a replica may not have yet.
    if (watched.hasCredentials(tables)) return undefined
    const chosen = watched.areWhollyWatched(tables) ? this.#choose(reads, tables) : 'private'
    if (chosen instanceof Replica) {
      const result = await readFrom(chosen, reads, { text, values })
      if (result) {
        this.#count(`replica||${chosen.name}`)
        return result
      }
    }
    reads.server = 'primary'
    this.#count(`primary|${chosen instanceof Replica ? 'failed' : chosen}|`)
    return undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.all(this.each.map((replica) => replica.close()))
  }

  /** The fastest replica for a read, or why there is none. */
  #choose(reads: RequestReads, tables: ReadonlySet<string>): Replica | Reason {
    let reason: Reason = 'unavailable'
    let fastest: Replica | undefined
    for (const replica of this.each) {
      if (replica.complaint() !== undefined) continue
      if (reads.server === 'primary') return 'earlier'
      if (!replica.isGoodFor(tables)) {
        if (reason === 'unavailable') reason = 'changed'
      } else if (!mayFollow(replica, reads)) reason = 'earlier'
      else if (!fastest || replica.expectedMilliseconds < fastest.expectedMilliseconds) fastest = replica
    }
    return fastest ?? reason
  }

  #count(key: string): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
  }

  /** Asks the primary once, and tells every replica that can be looked at. None waits for a slow one. */
  async #beat(): Promise<void> {
    if (this.#isAsking || this.#isClosed) return
    const ready = this.each.filter((replica) => replica.isReady())
    if (ready.length === 0) return
    this.#isAsking = true
    try {
      const answer = await this.#ask()
      for (const replica of ready) void replica.look(answer)
    } catch (error) {
      for (const replica of ready) replica.conclude(`the primary does not say how far it is: ${reasonOf(error)}`)
    } finally {
      this.#isAsking = false
    }
  }

  async #ask(): Promise<PrimaryAnswer> {
    const changes = this.#changes
    await changes.listening()
    const askedAt = performance.now()
    const { moment, rows } = await changes.ask<position.PrimaryState>(position.PRIMARY_STATE)
    let identity: Promise<position.PrimaryDatabase> | undefined
    let flushing: Promise<unknown> | undefined
    const identify = async () =>
      required((await changes.ask<position.PrimaryDatabase>(position.PRIMARY_DATABASE)).rows[0])
    return {
      moment,
      askedAt,
      state: required(rows[0]),
      identity: () => (identity ??= identify()),
      flushSoon: () => (flushing ??= changes.ask(position.FLUSH_SOON)),
    }
  }
}

/** Whether a replica has everything that the request may have seen. What the primary had written after that is all that any replica can have had. */
function mayFollow(replica: Replica, { server, waiting, answeredAt }: RequestReads): boolean {
  return server === undefined || server === replica || (waiting === 0 && replica.hasAllSince(answeredAt))
}

async function readFrom(
  replica: Replica,
  reads: RequestReads,
  { text, values }: { text: string; values: readonly unknown[] },
): Promise<QueryResult | undefined> {
  reads.server = replica
  reads.waiting++
  try {
    return await replica.query(text, values)
  } finally {
    reads.waiting--
    reads.answeredAt = performance.now()
  }
}
