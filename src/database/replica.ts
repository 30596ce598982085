// One streaming replica (replicas.ts): how far it is, why no reads go there, and its reads. Once it has replayed what the primary had
// written at a moment, it has every commit that this process knew of then.
import { setTimeout } from 'node:timers/promises'
import type { Client, QueryResult } from 'pg'
import { outageOf, reasonOf } from '../runtime/outage.ts'
import { required } from '../runtime/untyped.ts'
import type { PostgresChanges } from './postgres-changes.ts'
import { cutOff, Readers } from './postgres-readers.ts'
import * as position from './replica-position.ts'

// How long a server takes to answer: an exponentially weighted mean, in milliseconds.

/** What one read moves the mean by. */
const READ_WEIGHT = 1 / 8
/** And one small question, four times a second: what a read has taught is forgotten in about ten seconds. */
const QUESTION_WEIGHT = 1 / 40

export class AnswerTime {
  #mean: number | undefined

  /** 0 until something was learned: what is not known yet is tried. */
  get milliseconds(): number {
    return this.#mean ?? 0
  }

  /** A read took so long. */
  learnRead(milliseconds: number): void {
    this.#learn(milliseconds, READ_WEIGHT)
  }

  /** A small question took so long: so a server without reads is known too, and one that was slow is tried again. */
  learnQuestion(milliseconds: number): void {
    this.#learn(milliseconds, QUESTION_WEIGHT)
  }

  #learn(milliseconds: number, weight: number): void {
    this.#mean = this.#mean === undefined ? milliseconds : this.#mean + (milliseconds - this.#mean) * weight
  }
}

/** What was committed on the primary some milliseconds ago is replayed soon: pauses before the replica is asked again. */
const PAUSES_MILLISECONDS = [0, 5, 20, 60]
/** A replica that is further behind is not used. */
const LAG_MILLISECONDS = 1_000
/** How long a replica is not used after a complaint, at least. */
const REST_MILLISECONDS = 1_000
const READERS = 4
/** Places of the primary that the replica has not reached. When there are more, every other one is left out. */
const MOST_MARKS = 100

/** The primary had written the log up to `end` at this moment or later. */
interface Mark {
  moment: number
  end: bigint
  /** By the clock of the process, in milliseconds. */
  askedAt: number
}

/** What the primary says of itself in one beat. */
export interface PrimaryAnswer {
  moment: number
  /** When it was asked, by the clock of the process, in milliseconds. */
  askedAt: number
  state: position.PrimaryState
  /** Which database it is. */
  identity(): Promise<position.PrimaryDatabase>
  /** Flushes what it has inserted, soon. */
  flushSoon(): Promise<unknown>
}

export interface ReplicaReport {
  /** Its host and port. */
  name: string
  /** The age of the newest state that it is known to have; undefined if there is none. */
  lagSeconds(): number | undefined
  /** Why no reads go there; undefined while they do. */
  complaint(): string | undefined
  /** Whether the address leads to the primary itself, as one of several may after a failover. */
  isPrimary(): boolean
}

export interface ReplicaOptions {
  name: string
  /** A client for reads, and one for statements that must be answered at once; neither is connected. */
  createReader(): Client
  createProbe(): Client
  changes: PostgresChanges
  /** Called when reads go there from now on, and when they do not any more. */
  onChange(replica: ReplicaReport): void
}

export class Replica implements ReplicaReport {
  readonly name: string
  readonly #options: ReplicaOptions
  readonly #readers: Readers
  readonly #answers = new AnswerTime()
  #probe: Client | undefined
  /** What the two were when the probe connected. */
  #pair: { primary: position.PrimaryDatabase; replica: position.ReplicaDatabase } | undefined
  #isPrimary = false
  /** Oldest first. */
  #marks: Mark[] = []
  /** The newest one that the replica has reached. */
  #reached: Mark | undefined
  #complaint: string | undefined = 'the replica was not asked yet'
  #said: 'used' | 'unused' | undefined
  #restsUntil = 0
  #isLooking = false
  #isClosed = false

  constructor(options: ReplicaOptions) {
    this.name = options.name
    this.#options = options
    this.#readers = new Readers(options.createReader, READERS, {
      admit: (client) => this.#admit(client),
      onAnswer: (milliseconds) => this.#answers.learnRead(milliseconds),
    })
  }

  lagSeconds(): number | undefined {
    return this.#reached && (performance.now() - this.#reached.askedAt) / 1_000
  }

  complaint(): string | undefined {
    return this.#complaint ?? this.#late
  }

  isPrimary(): boolean {
    return this.#isPrimary
  }

  /** Whether it has every known change of `tables`. */
  isGoodFor(tables: ReadonlySet<string>): boolean {
    return this.#reached !== undefined && this.#options.changes.isCurrent(this.#reached.moment, tables)
  }

  /** Whether it has all that could be seen anywhere at a time, by the clock of the process. */
  hasAllSince(milliseconds: number): boolean {
    return this.#reached !== undefined && this.#reached.askedAt > milliseconds
  }

  /** What another read there takes, by what earlier ones took and how many wait. */
  get expectedMilliseconds(): number {
    return this.#answers.milliseconds * (this.#readers.waiting + 1)
  }

  /** The result of a statement; undefined if it fails. */
  async query(text: string, values: readonly unknown[]): Promise<QueryResult | undefined> {
    try {
      return await this.#readers.query(text, values)
    } catch (error) {
      // Of one that is lost the next beat tells more.
      if (outageOf(error)?.kind === 'away') this.#rest()
      return undefined
    }
  }

  /** Whether it can be looked at now. */
  isReady(): boolean {
    const rests = !this.#probe && performance.now() < this.#restsUntil
    return !this.#isLooking && !this.#isClosed && !rests
  }

  /** Finds out how far it is, and concludes whether reads go there. */
  async look(answer: PrimaryAnswer): Promise<void> {
    if (this.#isLooking || this.#isClosed) return
    this.#isLooking = true
    try {
      const complaint = await this.#compare(answer)
      if (complaint === undefined || !this.#isCatchingUp) this.conclude(complaint)
    } catch (error) {
      this.#lose()
      this.conclude(reasonOf(error))
    } finally {
      this.#isLooking = false
    }
  }

  /** From now on reads go there, or, for this reason, do not. */
  conclude(complaint: string | undefined): void {
    const now = performance.now()
    if (complaint !== undefined) this.#restsUntil = now + REST_MILLISECONDS
    else if (now < this.#restsUntil) return
    this.#complaint = complaint
    const said = complaint === undefined ? 'used' : 'unused'
    if (said === this.#said || this.#isClosed) return
    this.#said = said
    this.#options.onChange(this)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#probe?.end().catch(() => {}), this.#readers.close()])
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

  #rest(): void {
    this.#restsUntil = performance.now() + REST_MILLISECONDS
    this.#complaint ??= 'a connection to the replica was lost'
  }

  /** Returns why the replica is not used. Throws if that cannot be found out, or if it is none. */
  async #compare(answer: PrimaryAnswer): Promise<string | undefined> {
    const { moment, askedAt, state } = answer
    const probe = this.#probe ?? (await this.#connect(answer))
    this.#probe = probe
    const { primary, replica } = required(this.#pair)
    const difference = position.whyNoReplica(primary, replica, state)
    if (difference) throw new Error(difference)
    const end = position.bytesOf(state.inserted)
    if (this.#marks.length >= MOST_MARKS) this.#marks = this.#marks.filter((_, place) => place % 2 === 1)
    this.#marks.push({ moment, end, askedAt })
    const flushed = position.bytesOf(state.flushed)
    // The rest is not sent before a commit flushes it, and need not be of any commit.
    if ((await this.#follow(probe)) === flushed && end > flushed) await answer.flushSoon().catch(() => {})
    return this.#late
  }

  /** Notes the marks that the replica has reached; returns how far it is. */
  async #follow(probe: Client): Promise<bigint> {
    let reached = 0n
    for (const pause of PAUSES_MILLISECONDS) {
      if (pause > 0) await setTimeout(pause)
      const sentAt = performance.now()
      const { rows } = await probe.query<position.ReplicaState>(position.REPLICA_STATE)
      if (pause === 0) this.#answers.learnQuestion(performance.now() - sentAt)
      const { isInRecovery, replayed } = required(rows[0])
      if (!isInRecovery) throw new Error(position.IS_ANOTHER_PRIMARY)
      reached = position.bytesOf(replayed ?? '0/0')
      const left = this.#marks.findIndex(({ end }) => end > reached)
      const done = this.#marks.splice(0, left === -1 ? this.#marks.length : left)
      this.#reached = done.at(-1) ?? this.#reached
      if (this.#marks.length === 0) break
    }
    return reached
  }

  async #connect({ identity }: PrimaryAnswer): Promise<Client> {
    const probe = this.#options.createProbe()
    probe.on('error', () => {})
    try {
      await probe.connect()
      const [replica, primary] = await Promise.all([
        probe.query<position.ReplicaDatabase>(position.REPLICA_DATABASE),
        identity(),
      ])
      this.#pair = { primary, replica: required(replica.rows[0]) }
      this.#isPrimary = this.#pair.replica.server === primary.server
      if (this.#isPrimary) throw new Error(position.IS_PRIMARY)
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
}
