// Cache that any commit invalidates (PRAGMA data_version).

export interface Bounds {
  /** Maximum number of cached values. */
  most: number
  /** Maximum total weight, in the unit that `storeFor` gets. */
  mostWeight: number
}

export class CommitCache<Value> {
  readonly #dataVersion: () => number
  readonly #bounds: Bounds
  readonly #values = new Map<string, Value>()
  #version = Number.NaN
  #weight = 0

  /** `dataVersion` changes with every commit (open.ts). */
  constructor(dataVersion: () => number, bounds: Bounds) {
    this.#dataVersion = dataVersion
    this.#bounds = bounds
  }

  /** The value cached as `key`, if there was no commit since it was read. */
  find(key: string): Value | undefined {
    return this.#isCurrent() ? this.#values.get(key) : undefined
  }

  /** Call it before reading: the returned function caches a value unless there was a commit in between. */
  storeFor(key: string): (value: Value, weight: number) => void {
    this.#isCurrent()
    const version = this.#version
    return (value, weight) => {
      if (!this.#isCurrent() || this.#version !== version || weight > this.#bounds.mostWeight) return
      const { most, mostWeight } = this.#bounds
      if (this.#values.size >= most || this.#weight + weight > mostWeight) this.#forget()
      this.#weight += weight
      this.#values.set(key, value)
    }
  }

  /** Clears the cache when there was a commit; returns whether it was still valid. */
  #isCurrent(): boolean {
    const version = this.#dataVersion()
    if (version === this.#version) return true
    this.#forget()
    this.#version = version
    return false
  }

  #forget(): void {
    this.#values.clear()
    this.#weight = 0
  }
}
