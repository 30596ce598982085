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
