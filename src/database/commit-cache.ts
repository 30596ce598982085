// What was read, kept until the next commit of any process: it is never stale, and costs a look at a number.

export interface Bounds {
  /** Values that are kept at once. */
  most: number
  /** What they may weigh together, in whatever `keep` counts in. */
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

  /** What is kept as `key`, if nothing was committed since it was read. */
  find(key: string): Value | undefined {
    return this.#isCurrent() ? this.#values.get(key) : undefined
  }

  /** To be called before the reading begins: what it gives keeps a value unless a commit came in between. */
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

  /** Forgets everything when there was a commit; says whether nothing had to be forgotten. */
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
