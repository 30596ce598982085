// Runs a script of an agent: its code in a thread, its calls here, one after another, as the agent itself would make them.
import { GivenUp, inThread, jobOf, type Worker } from '../../../workers/workers.ts'
import { type Reply, type runStage, type StageOutcome, TOO_LONG, type Wish } from './sandbox.ts'

/** In characters. */
export const MAX_SCRIPT = 20_000
/** As many as a batch may have. */
export const MAX_CALLS = 20
/** Of the thread, for the whole script. */
const MAX_CPU_MILLISECONDS = 1_000
/** The sandbox ends a script by itself; what it cannot interrupt ends with its thread. */
const GRACE_MILLISECONDS = 500
/** By the clock, after which no call begins. */
const MAX_WALL_MILLISECONDS = 30_000

export interface ScriptHost {
  worker: Worker
  /** The moment of the script, in milliseconds. */
  now: number
  /** The client went away. */
  signal: AbortSignal | undefined
  /** Makes a call; undefined where the script is to end, as the client first needs another token. */
  call(wish: Wish): Promise<Reply | undefined>
}

/** What a script returned, or why it ended; `made` are the operations that it called, in their order. */
export type ScriptEnd = ({ json: string } | { thrown: string } | { stopped: true }) & { made: string[] }

export async function runScript(script: string, host: ScriptHost): Promise<ScriptEnd> {
  const { now } = host
  const end = performance.now() + MAX_WALL_MILLISECONDS
  const replies: Reply[][] = []
  const made: string[] = []
  const thread = staged(host.worker)
  while (true) {
    const outcome = await thread({ script, replies, now })
    if (!('wishes' in outcome)) return { ...outcome, made }
    const round: Reply[] = []
    for (const wish of outcome.wishes) {
      if (host.signal?.aborted) return { stopped: true, made }
      if (performance.now() > end) return { thrown: TOO_LONG, made }
      if (made.length === MAX_CALLS) return { thrown: `A script makes at most ${MAX_CALLS} calls`, made }
      made.push(wish.name)
      const reply = await host.call(wish)
      if (!reply) return { stopped: true, made }
      round.push(reply)
    }
    replies.push(round)
  }
}

/** The thread's part, with the CPU time that is left of the whole. */
function staged(worker: Worker) {
  let left = MAX_CPU_MILLISECONDS
  const counting: Worker = {
    ...worker,
    async spent(milliseconds) {
      left -= milliseconds
      await worker.spent?.(milliseconds)
    },
  }
  return async (stage: { script: string; replies: Reply[][]; now: number }): Promise<StageOutcome> => {
    if (left <= 0) return { thrown: TOO_LONG }
    const module = import.meta.resolve('./sandbox.ts')
    const job = jobOf<typeof runStage>(module, 'runStage', left + GRACE_MILLISECONDS)
    return inThread(job, { ...stage, maxMilliseconds: left }, counting).catch((error: unknown) => {
      if (error instanceof GivenUp) return { thrown: TOO_LONG }
      throw error
    })
  }
}
