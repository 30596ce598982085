// Work that can take more than 50 ms of CPU time (Markdown, archives, large JSON) runs in a worker thread, so that no request waits
// for another's file. Threads start on demand, and end after some idle time.
import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { Worker as NodeWorker } from 'node:worker_threads'
import { FairQueue, type QueueOwner } from './queue.ts'

/** A function that can be called in another thread: arguments and result must be plain data. */
export interface Job<Input, Output> {
  /** The URL of the module that exports it. */
  module: string
  name: string
  /** CPU time of its thread; then it is given up. */
  maxMilliseconds: number
  /** Scans wait apart from what members wait for to read. */
  queue?: 'scans'
  /** Never set: for the types alone. */
  work?: (input: Input) => Output
}

/** Names the function `name` of a module as a job. `import type` the module beside it, and pass its type. */
export const jobOf = <Work extends (input: never) => unknown>(
  module: string,
  name: string,
  maxMilliseconds: number,
): Job<Parameters<Work>[0], Awaited<ReturnType<Work>>> => ({ module, name, maxMilliseconds })

/** For whom work is done. */
export interface Worker extends QueueOwner {
  /** Throws where no more work is done for the owner. */
  begin?(): Promise<void>
  /** Counts the CPU time that was used. */
  spent?(milliseconds: number): Promise<void>
}

/** The work was stopped: it took too long, or too much memory. Its input is to blame. */
export class GivenUp extends Error {
  override name = 'GivenUp'
}

const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1))
const IDLE_MILLISECONDS = 15_000
/** Threads have a low priority, so that on a busy machine honest work takes long: the bound by the clock is far behind that of CPU time. */
const wallMillisecondsOf = (maxMilliseconds: number) => Math.max(10 * maxMilliseconds, 60_000)
/** CPU time is looked at no more often than this. */
const LOOK_MILLISECONDS = 20
const limits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }
const program = new URL('./thread.ts', import.meta.url).href
/**
 * What a thread runs first, in plain JavaScript. Only what comes after it is in the cache of compiled code: for a first file in
 * TypeScript each thread would load the compiler of it, and keep 13 MB.
 */
const FIRST = `
const { compileCache, program } = process.getBuiltinModule('node:worker_threads').workerData
if (compileCache) process.getBuiltinModule('node:module').enableCompileCache(compileCache)
import(program)
`

const queues = {
  reading: new FairQueue({ concurrent: THREADS, maxWaiting: 160, maxWaitingOfOne: 16 }),
  scans: new FairQueue({ concurrent: 1, maxWaiting: 80, maxWaitingOfOne: 8 }),
}
const idle: Thread[] = []

/**
 * Runs a job in another thread, in its turn.
 *
 * @param by the owner of the work, for the queue: an account, or a network
 * @throws Problem unavailable when the queue is full, rate_limited by `begin`; GivenUp; the job's own error, as an Error
 */
export async function inThread<Input, Output>(
  job: Job<Input, Output>,
  input: Input,
  by: string | Worker,
): Promise<Output> {
  const worker: Worker = typeof by === 'string' ? { owner: by } : by
  await worker.begin?.()
  let used = 0
  const work = async () => {
    const thread = idle.pop() ?? new Thread()
    const outcome = await thread.perform(job, input, (milliseconds) => {
      used = milliseconds
    })
    idle.push(thread)
    return outcome
  }
  try {
    const outcome = await queues[job.queue ?? 'reading'].run(worker, work)
    if ('fault' in outcome) throw outcome.fault
    return outcome.output
  } finally {
    if (used > 0) await worker.spent?.(used)
  }
}

/** The message of a thread that is done. */
export type Outcome<Output> = { output: Output } | { fault: unknown }

/** One thread, which runs one job at a time. A stopped job ends its thread, whose state is unknown. */
class Thread {
  // No environment: an absent variable cannot leak.
  readonly #worker = new NodeWorker(FIRST, {
    eval: true,
    env: {},
    resourceLimits: limits,
    workerData: { compileCache: getCompileCacheDir(), program },
  })
  #ending: NodeJS.Timeout | undefined
  /** The current job; whether a message is of its type is up to its module. */
  #job: Pick<PromiseWithResolvers<Outcome<never>>, 'resolve' | 'reject'> | undefined

  constructor() {
    this.#worker.on('message', (outcome: Outcome<never>) => this.#job?.resolve(outcome))
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#end(isTooLarge ? new GivenUp('It used too much memory') : error)
    })
    this.#worker.on('exit', () => this.#end(new GivenUp('Its thread ended')))
  }

  async perform<Input, Output>(
    { module, name, maxMilliseconds }: Job<Input, Output>,
    input: Input,
    onUsed: (milliseconds: number) => void,
  ): Promise<Outcome<Output>> {
    clearTimeout(this.#ending)
    const job = Promise.withResolvers<Outcome<Output>>()
    this.#job = job
    this.#worker.ref()
    this.#worker.postMessage({ module, name, input })
    const before = this.#cpuMilliseconds()
    const stopWatching = this.#watch(maxMilliseconds, before)
    // Of a thread that had to be stopped there is nothing to ask.
    let used = async () => maxMilliseconds
    try {
      const outcome = await job.promise
      used = async () => (await this.#cpuMilliseconds()) - (await before)
      return outcome
    } finally {
      stopWatching()
      onUsed(await used())
      this.#job = undefined
      this.#worker.unref()
      this.#ending = setTimeout(() => this.#end(), IDLE_MILLISECONDS).unref()
    }
  }

  /** Ends the thread when the current job has had its time. Gives what ends the watch. */
  #watch(maxMilliseconds: number, before: Promise<number>): () => void {
    const giveUp = () => this.#end(new GivenUp(`It took more than ${maxMilliseconds / 1000} s`))
    const wall = setTimeout(giveUp, wallMillisecondsOf(maxMilliseconds))
    let timer: NodeJS.Timeout | undefined
    let isOver = false
    const look = async () => {
      const left = maxMilliseconds - ((await this.#cpuMilliseconds()) - (await before))
      if (isOver) return
      if (left <= 0) giveUp()
      else timer = setTimeout(look, Math.max(left, LOOK_MILLISECONDS))
    }
    timer = setTimeout(look, maxMilliseconds)
    return () => {
      isOver = true
      clearTimeout(wall)
      clearTimeout(timer)
    }
  }

  /** Of the thread since it began; 0 before that, and after its end. */
  async #cpuMilliseconds(): Promise<number> {
    const used = await this.#worker.cpuUsage().catch(() => undefined)
    return used ? (used.user + used.system) / 1_000 : 0
  }

  #end(error: Error = new GivenUp('It ended')): void {
    this.#job?.reject(error)
    const at = idle.indexOf(this)
    if (at >= 0) idle.splice(at, 1)
    void this.#worker.terminate()
  }
}
