// Work that is shared by the callers who need it at the same time, and calls that are carried out together.

/** Runs `make` at the first call; a failure is tried again at the next. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

// Calls that are carried out together. A call alone runs at once; while a run is in progress, the next calls gather and share the next
// run. There is no timer: the longer a run takes, the more calls share the next one.

interface GatheredCall<Call, Result> {
  call: Call
  resolve(result: Result | Promise<Result>): void
  reject(error: unknown): void
}

/** Carries out calls, in their order, and gives the result of each; a rejection is that of all of them. */
type Run<Call, Result> = (calls: readonly Call[]) => Promise<readonly (Result | Promise<Result>)[]>

export class Gathering<Call, Result> {
  readonly #run: Run<Call, Result>
  readonly #most: number
  #waiting: GatheredCall<Call, Result>[] = []
  #isRunning = false

  /** `most` is the largest number of calls of one run. */
  constructor(run: Run<Call, Result>, { most }: { most: number }) {
    this.#run = run
    this.#most = most
  }

  /** The result of this call. */
  add(call: Call): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#waiting.push({ call, resolve, reject })
    if (!this.#isRunning) void this.#runAll()
    return promise
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) await this.#runTogether(this.#waiting.splice(0, this.#most))
    this.#isRunning = false
  }

  async #runTogether(calls: readonly GatheredCall<Call, Result>[]): Promise<void> {
    try {
      const results = await this.#run(calls.map(({ call }) => call))
      for (const [index, { resolve }] of calls.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }
}
