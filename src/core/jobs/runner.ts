// Runs the jobs of a process with one timer. Kinds run beside each other, so that none waits for another one.
import { required } from '../../runtime/untyped.ts'
import type { Job } from './job.ts'
import { type JobDependencies, JobKind } from './kind.ts'

const LOOK_MILLISECONDS = 1_000

export class JobRunner {
  /** As they are declared. */
  readonly jobs: readonly Job[]
  readonly kinds: ReadonlyMap<string, JobKind>
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined

  constructor(dependencies: JobDependencies, jobs: readonly Job[]) {
    const together = { stopping: this.#stopping.signal, running: 0, lanes: new Map() }
    this.jobs = jobs
    this.kinds = new Map(jobs.map((job) => [job.kind, new JobKind(dependencies, job, together)]))
  }

  /** Begins to look for what waits, every second. The first look is in a second: a server answers before it loads what its jobs need. */
  start(): void {
    this.#timer ??= setInterval(() => this.#look(), LOOK_MILLISECONDS)
  }

  /** Looks for what waits of a kind now, if the runner was started. */
  wake(kind: string): void {
    if (this.#timer) required(this.kinds.get(kind)).wake()
  }

  /** Begins no further batch; resolves when those that run have ended and what they worked on is free for others. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await Promise.all([...this.kinds.values()].map((kind) => kind.ended()))
  }

  /** Runs some kinds now, one after the other, also before their time; what fails is thrown after it was noted. */
  async run(...kinds: readonly string[]): Promise<void> {
    for (const kind of kinds) await required(this.kinds.get(kind)).run()
  }

  #look(): void {
    for (const kind of this.kinds.values()) kind.look()
  }
}
