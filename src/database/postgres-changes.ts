// How a process learns of commits on PostgreSQL, its own and those of others. A trigger on each watched table tells the names of changed
// tables (migrations/0001-start/watching.ts): to the process that commits, which announces them to the others after the commit, or, for all other
// programs, to the channel in the transaction itself. Every process listens. PostgreSQL delivers a notification to a listening connection
// before the response to any statement that was sent after the commit was acknowledged: so an empty statement there (`sync`) proves that
// this process knows of all earlier commits.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import type { Client } from 'pg'
import { DatabaseTime } from '../runtime/clock.ts'
import { OutageError, reasonOf } from '../runtime/outage.ts'
import { required } from '../runtime/untyped.ts'
import type { Changes } from './commit-cache.ts'
import { findDistributed } from './distributed.ts'
import { Heartbeat } from './heartbeat.ts'
import { ANNOUNCE, CHANNEL, ENDED, HEARTBEAT, HELLO, LISTENER_LOCK, LISTENING } from './listening-statements.ts'
import { TABLES, WatchedTables } from './watched-tables.ts'

/** Without a proof of this age nothing cached is used: a change of another process shows within a second. */
const FRESH_MILLISECONDS = 1_000
const HEARTBEAT_MILLISECONDS = 250
const RECONNECT_MILLISECONDS = 500

/** The longest that a commit takes whose process has gone. */
const COMMIT_MILLISECONDS = 5_000
/** While a process cannot listen, its writes wait this long: the others know of them by then. */
const UNHEARD_MILLISECONDS = 100

interface ChangeCollection {
  tables: Set<string>
  outer: ChangeCollection | undefined
}

export class PostgresChanges implements Changes {
  readonly #connect: () => Promise<Client>
  readonly #onAway: () => void
  readonly #collected = new AsyncLocalStorage<ChangeCollection>()
  #client: Client | undefined
  /** Counts notifications; the moment of the newest one for each table. */
  #moment = 0
  readonly #changed = new Map<string, number>()
  /** Results from before it may be older than this process knows: the connection was lost in between. */
  #since = 0
  /** The result of a read of a table that is not watched is not cached. */
  readonly watched = new WatchedTables()
  /** The clock of the database, measured with each beat. */
  readonly time = new DatabaseTime()
  #confirmedAt = Number.NEGATIVE_INFINITY
  #running: Promise<void> | undefined
  #queued: Promise<void> | undefined
  #opening: Promise<void> | undefined
  #hellos = 0
  /** The other connections that listen. */
  #others: number[] = []
  /** Processes of PostgreSQL with a commit of unknown outcome. */
  readonly #doubtful = new Set<number>()
  /** Until then, a commit that was under way when another process went may come. */
  #doubtfulUntil = 0
  /** Tables whose changes the next statement announces. */
  #unsaid = new Set<string>()
  /** Set while the database is silent, since the last attempt to listen. A refused connection needs no such memory. */
  #away: OutageError | undefined
  /** Whether no other process listens, and so none serves members. Each says so when it begins, a second before it does. */
  #isAlone = false
  #heartbeat: Heartbeat | undefined
  #isClosed = false

  /** `connect` opens a connection that pipelines and that nothing else uses; `onAway` is called when the database cannot be reached any more. */
  constructor(connect: () => Promise<Client>, onAway: () => void) {
    this.#connect = connect
    this.#onAway = onAway
  }

  moment(): number {
    this.open()
    return this.#moment
  }

  isCurrent(moment: number, tables: ReadonlySet<string>): boolean {
    if (moment < this.#since || !this.#isFresh) return false
    for (const table of tables) {
      if (!this.watched.isWatched(table) || (this.#changed.get(table) ?? 0) > moment) return false
    }
    return true
  }

  get #isFresh(): boolean {
    return performance.now() - this.#confirmedAt <= FRESH_MILLISECONDS
  }

  collecting<Result>(tables: Set<string>, read: () => Result): Result {
    return this.#collected.run({ tables, outer: this.#collected.getStore() }, read)
  }

  uses(tables: ReadonlySet<string>): void {
    for (let at = this.#collected.getStore(); at; at = at.outer) for (const table of tables) at.tables.add(table)
  }

  /** Begins to listen, once; until it does, nothing is cached. */
  open(): void {
    if (this.#heartbeat || this.#isClosed) return
    this.#heartbeat = new Heartbeat(() => this.#beat(), HEARTBEAT_MILLISECONDS)
    this.#opening = this.#listen()
  }

  /** Throws while the database is silent: a statement would only wait for that to be found out again. */
  requireReachable(): void {
    if (this.#away) throw this.#away
  }

  /** Resolves when this process listens, or has failed to. */
  async listening(): Promise<void> {
    this.open()
    await this.#opening
  }

  /** Resolves when every other process knows that this one is there: only then may it serve members. */
  async join(): Promise<void> {
    await this.listening()
    if (this.#client && !this.#isAlone) await setTimeout(FRESH_MILLISECONDS)
  }

  /**
   * Resolves when what is cached here may be shown to a member, who reads their own writes at every process: without a statement
   * while there is no other process, since every write is known here before it is acknowledged (`announce`, `committed`).
   */
  caughtUp(): Promise<void> | undefined {
    return this.#isAlone && this.#isFresh ? undefined : this.sync()
  }

  /** Whether this process can announce what it commits; otherwise the transaction has to notify. */
  get announces(): boolean {
    return this.#client !== undefined
  }

  /** Resolves when a commit that changed `tables` is known here, and to every other process. */
  announce(tables: readonly string[]): Promise<void> {
    for (const table of tables) this.#changed.set(table, ++this.#moment)
    if (tables.length === 0 || (this.#isAlone && this.#isFresh)) return Promise.resolve()
    for (const table of tables) this.#unsaid.add(table)
    // Without the connection it is said by the greeting of the next one, which makes the others drop what they cached.
    return this.#client ? this.sync() : setTimeout(UNHEARD_MILLISECONDS)
  }

  /**
   * A commit has an unknown outcome: nothing cached before is used, here and at the others. It may still come while its process of
   * PostgreSQL lives: when that has ended, all is forgotten once more.
   */
  forgetAll(processId?: number | null): void {
    if (processId) this.#doubtful.add(processId)
    this.drop()
    this.#unsaid.add(HELLO)
    void this.sync()
  }

  /** The same for a commit that notified the channel itself. */
  committed(): Promise<void> {
    if (this.#client || !this.#heartbeat || this.#isClosed) return this.sync()
    return setTimeout(UNHEARD_MILLISECONDS)
  }

  /** Runs a statement on the connection that listens. What it reads has every commit that is known at `moment`. */
  async ask<Row extends object>(statement: string): Promise<{ moment: number; rows: Row[] }> {
    if (!this.#client) throw new Error('the connection that listens is lost')
    const moment = this.#moment
    const { rows } = await this.#client.query<Row>(statement)
    return { moment, rows }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#heartbeat?.stop()
    await this.#client?.end().catch(() => {})
  }

  /**
   * Resolves when this process knows of every commit that was acknowledged before the call; within a second, and without a proof if
   * the connection does not respond: then nothing cached is used. Concurrent calls share a statement.
   */
  sync(): Promise<void> {
    if (!this.#running) {
      this.#running = this.#prove()
      return this.#running
    }
    // The running statement may have been sent before the commit.
    this.#queued ??= this.#running.then(() => {
      this.#queued = undefined
      this.#running = this.#prove()
      return this.#running
    })
    return this.#queued
  }

  async #prove(): Promise<void> {
    const client = this.#client
    const sentAt = performance.now()
    const said = [...this.#unsaid]
    this.#unsaid.clear()
    try {
      if (!client) return
      if (said.length > 0) await client.query(ANNOUNCE, [said])
      else await client.query('')
      if (client === this.#client) this.#confirmedAt = Math.max(this.#confirmedAt, sentAt)
    } catch {
      if (client) this.#lose(client)
    } finally {
      if (!this.#queued) this.#running = undefined
    }
  }

  async #beat(): Promise<void> {
    const client = this.#client
    if (!client) return
    const sentAt = performance.now()
    try {
      // A process that began after the count has said so.
      const others = this.#hellos
      const { rows } = await client.query<{ pids: number[]; now: number }>(HEARTBEAT)
      const { pids, now } = required(rows[0])
      this.time.learn(now, { sentAt, receivedAt: performance.now() })
      if (client !== this.#client) return
      this.#confirmedAt = Math.max(this.#confirmedAt, sentAt)
      this.#isAlone = pids.length === 0 && others === this.#hellos
      // One that has gone may have committed what it did not announce.
      if (this.#others.some((pid) => !pids.includes(pid))) this.#doubtfulUntil = sentAt + COMMIT_MILLISECONDS
      if (sentAt < this.#doubtfulUntil) this.drop()
      this.#others = pids
      if (this.#doubtful.size > 0) await this.#settleDoubts(client)
    } catch {
      this.#lose(client)
    }
  }

  async #settleDoubts(client: Client): Promise<void> {
    const { rows } = await client.query<{ pid: number }>(ENDED, [[...this.#doubtful]])
    for (const { pid } of rows) this.#doubtful.delete(pid)
    if (rows.length > 0) this.forgetAll()
  }

  #hear(table: string): void {
    if (table !== HELLO) return void this.#changed.set(table, ++this.#moment)
    this.#hellos++
    this.#isAlone = false
    this.drop()
  }

  drop(): void {
    this.#since = ++this.#moment
  }

  async #listen(): Promise<void> {
    let client: Client | undefined
    try {
      client = await this.#connect()
      if (this.#isClosed) return await client.end()
      await this.#introduce(client)
      this.#away = undefined
      await this.#beat()
    } catch (error) {
      client?.end().catch(() => {})
      this.#away = this.#heartbeat?.isSilence(error, LISTENING.query_timeout) ? awayFor(error) : undefined
      if (this.#away) this.#onAway()
      this.#listenLater()
    }
  }

  async #introduce(client: Client): Promise<void> {
    client.on('notification', ({ payload = '' }) => this.#hear(payload))
    client.on('error', () => this.#lose(client))
    client.on('end', () => this.#lose(client))
    await client.query(LISTENER_LOCK)
    await client.query(`listen ${CHANNEL}`)
    await client.query(`notify ${CHANNEL}, '${HELLO}'`)
    const { rows } = await client.query<{ name: string; events: number }>(TABLES)
    this.watched.set(rows, await findDistributed(client))
    this.drop()
    // `close` did not know this connection.
    if (this.#isClosed) return client.end()
    this.#client = client
  }

  #lose(client: Client): void {
    if (client !== this.#client) return
    this.#client = undefined
    this.#isAlone = false
    this.#confirmedAt = Number.NEGATIVE_INFINITY
    client.end().catch(() => {})
    this.#listenLater()
  }

  #listenLater(): void {
    if (!this.#isClosed) setTimeout(RECONNECT_MILLISECONDS, undefined, { ref: false }).then(() => this.#listen())
  }
}

const awayFor = (cause: unknown) =>
  new OutageError({ store: 'database', kind: 'away', reason: reasonOf(cause) }, { cause })
