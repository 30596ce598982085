// Work that can take more than 50 ms of the processor (Markdown, archives, large JSON) is done in a thread of its own, so that
// no request waits for another's file. Threads start when they are needed, and end when they have had nothing to do for a while.
import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { FairQueue } from './queue.ts'

/** A function that can be called in another thread: what goes in and what comes out must be plain data. */
export interface Job<Input, Output> {
  /** The URL of the module that exports it. */
  module: string
  name: string
  /** Then it is given up. */
  maxMilliseconds: number
  /** Never there: for the types alone. */
  work?: (input: Input) => Output
}

/** Names the function `name` of a module as a job. `import type` the module beside it, and give its type. */
export const jobOf = <Work extends (input: never) => unknown>(
  module: string,
  name: string,
  maxMilliseconds: number,
): Job<Parameters<Work>[0], Awaited<ReturnType<Work>>> => ({ module, name, maxMilliseconds })

/** The work was given up: it took too long, or more memory than there is for it. What was worked on is to blame. */
export class GivenUp extends Error {
  override name = 'GivenUp'
}

const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1))
const IDLE_MILLISECONDS = 15_000
const limits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }
const program = new URL('./thread.ts', import.meta.url)

const queue = new FairQueue({ concurrent: THREADS, maxWaiting: 64, maxWaitingOfOne: 16 })
const idle: Thread[] = []

/**
 * Does a job in another thread, in its turn.
 *
 * @param by whose work it is, for the queue: an account, or a network
 * @throws Problem unavailable when too much waits already; GivenUp; what the job itself threw, as an Error
 */
export function inThread<Input, Output>(job: Job<Input, Output>, input: Input, by: string): Promise<Output> {
  return queue.run(by, async () => {
    const thread = idle.pop() ?? new Thread()
    const outcome = await thread.perform(job, input)
    idle.push(thread)
    if ('fault' in outcome) throw outcome.fault
    return outcome.output as Output
  })
}

/** What a thread says when it is done. */
export type Outcome = { output: unknown } | { fault: unknown }

/** One thread, which does one job at a time. When a job is given up, so is the thread: nobody knows its state. */
class Thread {
  // No environment: what is not there cannot leak.
  readonly #worker = new Worker(program, {
    env: {},
    resourceLimits: limits,
    workerData: { compileCache: getCompileCacheDir() },
  })
  #ending: NodeJS.Timeout | undefined
  #job: PromiseWithResolvers<Outcome> | undefined

  constructor() {
    this.#worker.on('message', (outcome: Outcome) => this.#job?.resolve(outcome))
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#end(isTooLarge ? new GivenUp('It took too much memory') : error)
    })
    this.#worker.on('exit', () => this.#end(new GivenUp('Its thread ended')))
  }

  async perform({ module, name, maxMilliseconds }: Job<never, unknown>, input: unknown): Promise<Outcome> {
    clearTimeout(this.#ending)
    this.#job = Promise.withResolvers<Outcome>()
    const timer = setTimeout(() => {
      this.#end(new GivenUp(`It took more than ${maxMilliseconds / 1000} s`))
    }, maxMilliseconds)
    this.#worker.ref()
    this.#worker.postMessage({ module, name, input })
    try {
      return await this.#job.promise
    } finally {
      clearTimeout(timer)
      this.#job = undefined
      this.#worker.unref()
      this.#ending = setTimeout(() => this.#end(), IDLE_MILLISECONDS).unref()
    }
  }

  #end(error: Error = new GivenUp('It ended')): void {
    this.#job?.reject(error)
    const at = idle.indexOf(this)
    if (at >= 0) idle.splice(at, 1)
    void this.#worker.terminate()
  }
}
