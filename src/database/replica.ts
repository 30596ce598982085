// Reads of a streaming replica on PostgreSQL (DATABASE_READ_URL). A read goes there only if the result is that of the primary:
// four times a second the primary says how far its write-ahead log is, and once the replica has replayed as much, it has every
// commit that this process knew of at that moment. Until a change of one of its tables is known, a read of the replica is like a
// cached one from that moment (commit-cache.ts). Everything else, and every read that fails there, goes to the primary.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import type { Client, QueryResult } from 'pg'
import { pairsOf } from '../runtime/counts.ts'
import { outageOf, reasonOf } from '../runtime/outage.ts'
import { required } from '../runtime/untyped.ts'
import type { PostgresChanges } from './postgres-changes.ts'
import { cutOff, Readers } from './postgres-readers.ts'
import * as position from './replica-position.ts'

const BEAT_MILLISECONDS = 250
/** What was committed on the primary some milliseconds ago is replayed soon: pauses before the replica is asked again. */
const PAUSES_MILLISECONDS = [0, 5, 20, 60]
/** A replica that is further behind is not used. */
const LAG_MILLISECONDS = 1_000
/** How long a replica is not used after a complaint, at least. */
const REST_MILLISECONDS = 1_000
const READERS = 4
/** What reads are counted as. */
const READS = ['replica|', ...pairsOf(['primary'], ['private', 'unavailable', 'earlier', 'changed', 'failed'])]
/** Places of the primary that the replica has not reached. When there are more, every other one is left out. */
const MOST_MARKS = 100

/** The primary had written the log up to `end` at this moment or later. */
interface Mark {
  moment: number
  end: bigint
  /** By the clock of the process, in milliseconds. */
  askedAt: number
}

/** The reads of one request: time does not go backwards in it, so that after a read of the primary all others follow. */
interface RequestReads {
  isOnPrimary: boolean
  isOver: boolean
}

export interface ReplicaReport {
  /** Reads of public data in requests, by `replica|` or `primary|reason`. */
  counts: ReadonlyMap<string, number>
  /** The age of the newest state that the replica is known to have; undefined if there is none. */
  lagSeconds(): number | undefined
  /** Why reads go to the primary; undefined while they go to the replica. */
  complaint(): string | undefined
  /** Runs the work of a request that changes nothing: its reads may go to the replica. */
  reading<Result>(work: () => Promise<Result>): Promise<Result>
}

interface Options {
  /** A client for reads, and one for statements that must be answered at once; neither is connected. */
  createReader(): Client
  createProbe(): Client
  changes: PostgresChanges
  /** Called with the complaint when reads go to the primary, and without one when they go to the replica again. */
  onChange(complaint: string | undefined): void
}

export class Replica implements ReplicaReport {
  readonly counts = new Map(READS.map((key) => [key, 0]))
  readonly #options: Options
  readonly #readers: Readers
  readonly #requests = new AsyncLocalStorage<RequestReads>()
  #probe: Client | undefined
  /** What the two were when the probe connected. */
  #pair: { primary: position.DatabaseIdentity; replica: position.ReplicaDatabase } | undefined
  /** Oldest first. */
  #marks: Mark[] = []
  /** The newest one that the replica has reached. */
  #reached: Mark | undefined
  #complaint: string | undefined = 'the replica was not asked yet'
  #said: 'used' | 'unused' | undefined
  #restsUntil = 0
  #timer: NodeJS.Timeout | undefined
  #isBeating = false
  #isClosed = false

  constructor(options: Options) {
    this.#options = options
    this.#readers = new Readers(options.createReader, READERS, (client) => this.#admit(client))
  }

  /** Begins to ask how far the replica is, once. */
  open(): void {
    if (this.#timer || this.#isClosed) return
    this.#timer = setInterval(() => void this.#beat(), BEAT_MILLISECONDS).unref()
  }

  lagSeconds(): number | undefined {
    return this.#reached && (performance.now() - this.#reached.askedAt) / 1_000
  }

  complaint(): string | undefined {
    return this.#complaint ?? this.#late
  }

  async reading<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#requests.getStore()?.isOver === false) return work()
    const reads: RequestReads = { isOnPrimary: false, isOver: false }
    try {
      return await this.#requests.run(reads, work)
    } finally {
      reads.isOver = true
    }
  }

  /** From now on this request reads from the primary. */
  usesPrimary(): void {
    const reads = this.#requests.getStore()
    if (reads) reads.isOnPrimary = true
  }

  /** The result of a statement that only reads; undefined if the primary has to say it. */
  async query(text: string, values: readonly unknown[]): Promise<QueryResult | undefined> {
    const reads = this.#requests.getStore()
    if (!reads || reads.isOver) return undefined
    const { watched } = this.#options.changes
    const tables = watched.namedIn(text)
    // A session or a token names nothing that a replica may not have yet.
    if (watched.hasCredentials(tables)) return undefined
    const reason = watched.areWhollyWatched(tables) ? this.#whyPrimary(reads, tables) : 'private'
    if (reason === undefined) {
      try {
        const result = await this.#readers.query(text, values)
        this.#count('replica', '')
        return result
      } catch (error) {
        // Of one that is lost the next beat tells more.
        if (outageOf(error)?.kind === 'away') this.#rest()
      }
    }
    reads.isOnPrimary = true
    this.#count('primary', reason ?? 'failed')
    return undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.all([this.#probe?.end().catch(() => {}), this.#readers.close()])
  }

  #whyPrimary(reads: RequestReads, tables: ReadonlySet<string>): string | undefined {
    if (this.complaint() !== undefined) return 'unavailable'
    if (reads.isOnPrimary) return 'earlier'
    return this.#reached && this.#options.changes.isCurrent(this.#reached.moment, tables) ? undefined : 'changed'
  }

  get #isRecent(): boolean {
    return this.#reached !== undefined && performance.now() - this.#reached.askedAt <= LAG_MILLISECONDS
  }

  /** A replica that was just connected has a second to reach the first place. */
  get #isCatchingUp(): boolean {
    const [first] = this.#marks
    return !this.#reached && first !== undefined && performance.now() - first.askedAt <= LAG_MILLISECONDS
  }

  get #late(): string | undefined {
    return this.#isRecent ? undefined : `the replica is more than ${LAG_MILLISECONDS / 1_000} s behind`
  }

  #count(server: 'replica' | 'primary', reason: string): void {
    const key = `${server}|${reason}`
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
  }

  #rest(): void {
    this.#restsUntil = performance.now() + REST_MILLISECONDS
    this.#complaint ??= 'a connection to the replica was lost'
  }

  async #beat(): Promise<void> {
    if (this.#isBeating || this.#isClosed) return
    if (!this.#probe && performance.now() < this.#restsUntil) return
    this.#isBeating = true
    try {
      const complaint = await this.#look()
      if (complaint === undefined || !this.#isCatchingUp) this.#conclude(complaint)
    } catch (error) {
      this.#lose()
      this.#conclude(reasonOf(error))
    } finally {
      this.#isBeating = false
    }
  }

  /** Finds out how far the primary and the replica are; returns why the replica is not used. Throws if it cannot be. */
  async #look(): Promise<string | undefined> {
    const { changes } = this.#options
    await changes.listening()
    const askedAt = performance.now()
    let asked: { moment: number; rows: position.PrimaryState[] }
    try {
      asked = await changes.ask<position.PrimaryState>(position.PRIMARY_STATE)
    } catch (error) {
      return `the primary does not say how far it is: ${reasonOf(error)}`
    }
    const state = required(asked.rows[0])
    const probe = this.#probe ?? (await this.#connect())
    this.#probe = probe
    const { primary, replica } = required(this.#pair)
    const difference = position.whyNoReplica(primary, replica, state)
    if (difference) throw new Error(difference)
    const end = position.bytesOf(state.inserted)
    if (this.#marks.length >= MOST_MARKS) this.#marks = this.#marks.filter((_, place) => place % 2 === 1)
    this.#marks.push({ moment: asked.moment, end, askedAt })
    const flushed = position.bytesOf(state.flushed)
    // The rest is not sent before a commit flushes it, and need not be of any commit.
    if ((await this.#follow(probe)) === flushed && end > flushed) {
      await changes.ask(position.FLUSH_SOON).catch(() => {})
    }
    return this.#late
  }

  /** Notes the marks that the replica has reached; returns how far it is. */
  async #follow(probe: Client): Promise<bigint> {
    let reached = 0n
    for (const pause of PAUSES_MILLISECONDS) {
      if (pause > 0) await setTimeout(pause)
      const { rows } = await probe.query<position.ReplicaState>(position.REPLICA_STATE)
      const { isInRecovery, replayed } = required(rows[0])
      if (!isInRecovery) throw new Error('the replica is a primary itself')
      reached = position.bytesOf(replayed ?? '0/0')
      const left = this.#marks.findIndex(({ end }) => end > reached)
      const done = this.#marks.splice(0, left === -1 ? this.#marks.length : left)
      this.#reached = done.at(-1) ?? this.#reached
      if (this.#marks.length === 0) break
    }
    return reached
  }

  async #connect(): Promise<Client> {
    const { createProbe, changes } = this.#options
    const probe = createProbe()
    probe.on('error', () => {})
    try {
      await probe.connect()
      const [replica, primary] = await Promise.all([
        probe.query<position.ReplicaDatabase>(position.REPLICA_DATABASE),
        changes.ask<position.DatabaseIdentity>(position.PRIMARY_DATABASE),
      ])
      this.#pair = { primary: required(primary.rows[0]), replica: required(replica.rows[0]) }
      if (this.#isClosed) throw new Error('the database is closed')
      return probe
    } catch (error) {
      probe.end().catch(() => {})
      throw error
    }
  }

  /** A connection for reads is of use if it leads to the server that says how far it is. */
  async #admit(reader: Client): Promise<void> {
    const { rows } = await reader.query<position.ReplicaDatabase>(position.REPLICA_DATABASE)
    if (rows[0]?.server === this.#pair?.replica.server) return
    cutOff(reader)
    throw new Error('Connection ended: it leads to another server')
  }

  /** Forgets what the replica has said, and gives up its reads. */
  #lose(): void {
    if (this.#probe) cutOff(this.#probe)
    this.#probe = undefined
    this.#reached = undefined
    this.#marks = []
    this.#readers.giveUp()
  }

  #conclude(complaint: string | undefined): void {
    const now = performance.now()
    if (complaint !== undefined) this.#restsUntil = now + REST_MILLISECONDS
    else if (now < this.#restsUntil) return
    this.#complaint = complaint
    const said = complaint === undefined ? 'used' : 'unused'
    if (said === this.#said || this.#isClosed) return
    this.#said = said
    this.#options.onChange(complaint)
  }
}
