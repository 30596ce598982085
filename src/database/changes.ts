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
}

/** Changes of an engine that has a version for the database as a whole: any commit ends the validity of every result. */
export function changesOfVersion(version: () => number): Changes {
  return {
    moment: version,
    isCurrent: (moment) => version() === moment,
    collecting: (_tables, read) => read(),
    uses() {},
  }
}
