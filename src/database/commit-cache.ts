// The cache of everything that a commit can invalidate: answers, pages, rows. One class for both engines.
import { type CacheName, cacheCounts } from '../runtime/counts.ts'

// What a cache must know of commits to stay correct; each engine has its own way to learn it.

export interface Changes {
  /** The state of the database as this process knows it: taken before a read whose result is cached. */
  moment(): number
  /** Whether a read of `tables` would still have the result that it had at `moment`, as far as this process must know. */
  isCurrent(moment: number, tables: ReadonlySet<string>): boolean
  /** Runs `read` and adds the tables that its queries read to `tables`, those of cached results included. */
  collecting<Result>(tables: Set<string>, read: () => Result): Result
  /** A cached result of `tables` is used: what is being collected depends on them too. */
  uses(tables: ReadonlySet<string>): void
  /** Nothing that was read before is used any more in this process: what is not in the database changed. */
  drop(): void
}

const settled = Promise.resolve()

/**
 * Changes of an engine that has a version for the database as a whole: any commit ends the validity of every result. The version is
 * read once in a turn of the event loop: a request that is answered in it arrived before it, so a commit of another process since then
 * was not acknowledged before the request was sent.
 */
export class VersionChanges implements Changes {
  readonly #read: () => number
  #version: number | undefined
  #dropped = 0

  constructor(read: () => number) {
    this.#read = read
  }

  moment(): number {
    if (this.#version === undefined) {
      this.#version = this.#read() + this.#dropped
      settled.then(this.#forgetAfterwards)
    }
    return this.#version
  }

  isCurrent(moment: number): boolean {
    return this.moment() === moment
  }

  /** To be called when a commit of this process becomes visible. */
  readonly forget = (): void => {
    this.#version = undefined
  }

  collecting<Result>(_tables: Set<string>, read: () => Result): Result {
    return read()
  }

  uses(): void {}

  /** Versions of SQLite are below 2 ** 32. */
  drop(): void {
    this.#dropped += 2 ** 32
    this.forget()
  }

  /** A tick that is scheduled by a promise runs after all promises of the turn. */
  readonly #forgetAfterwards = (): void => process.nextTick(this.forget)
}

export interface Bounds {
  /** What the metrics call the cache. */
  name: CacheName
  /** Maximum number of cached values. */
  most: number
  /** Maximum total weight, in the unit that `keep` gets. */
  mostWeight: number
}

interface Entry<Value> {
  value: Value
  weight: number
  moment: number
  tables: ReadonlySet<string>
}

/** What every answer depends on without reading it: settings are in memory. A request after their change reads them before it answers. */
const OF_ALL: ReadonlySet<string> = new Set(['setting'])

/** Caches a value of this weight, if it is still current. */
export type Keep<Value> = (value: Value, weight: number) => void

export class CommitCache<Value> {
  readonly #changes: Changes
  readonly #bounds: Bounds
  /** Oldest first. */
  readonly #entries = new Map<string, Entry<Value>>()
  #weight = 0

  constructor(changes: Changes, bounds: Bounds) {
    this.#changes = changes
    this.#bounds = bounds
  }

  /** Whether there is a value cached as `key`, which may be outdated. */
  has(key: string): boolean {
    return this.#entries.has(key)
  }

  /** The value cached as `key`, if no commit since it was read can have changed it. */
  find(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry && this.#changes.isCurrent(entry.moment, entry.tables)) {
      this.#changes.uses(entry.tables)
      cacheCounts.add(this.#bounds.name, 'found')
      return entry.value
    }
    if (entry) this.#forget(key, entry)
    cacheCounts.add(this.#bounds.name, 'missed')
    return undefined
  }

  /** Runs `read` with a function that caches a value as `key`, if no commit since this call can have changed it. */
  fill<Result>(key: string, read: (keep: Keep<Value>) => Result): Result {
    const moment = this.#changes.moment()
    const tables = new Set(OF_ALL)
    return this.#changes.collecting(tables, () =>
      read((value, weight) => {
        if (this.#changes.isCurrent(moment, tables)) this.#keep(key, { value, weight, moment, tables })
      }),
    )
  }

  #keep(key: string, entry: Entry<Value>): void {
    const { most, mostWeight } = this.#bounds
    if (entry.weight > mostWeight) return
    const old = this.#entries.get(key)
    if (old) this.#forget(key, old)
    for (const [oldest, { weight }] of this.#entries) {
      if (this.#entries.size < most && this.#weight + entry.weight <= mostWeight) break
      this.#weight -= weight
      this.#entries.delete(oldest)
    }
    this.#weight += entry.weight
    this.#entries.set(key, entry)
  }

  #forget(key: string, { weight }: Entry<Value>): void {
    this.#weight -= weight
    this.#entries.delete(key)
  }
}

/** Weight in characters. Room for the callers of a busy second: each has a row (their session or token). */
export const CACHED_ROWS = { name: 'rows' as const, most: 2_000, mostWeight: 2_000_000 }

/** Freezes rows that many callers share; returns their weight. */
export function freezeRows(rows: readonly unknown[]): number {
  let length = 0
  for (const row of Object.freeze(rows)) {
    for (const value of Object.values(Object.freeze(row) ?? {})) if (typeof value === 'string') length += value.length
  }
  return length
}
