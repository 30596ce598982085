// Background work of every second or of a longer period, in each process that shares the database: every part of it is taken by one of them.
import type { Log } from '../runtime/log.ts'

const PERIOD_MILLISECONDS = 1_000

/** Starts delivering; the returned function stops it. Errors are logged as `message`, and the next turn tries again. */
export function startDelivering(
  { log, milliseconds = PERIOD_MILLISECONDS }: { log: Log; milliseconds?: number },
  deliver: () => Promise<void>,
  message: string,
): () => void {
  let isStopping = false
  const timer = setInterval(() => {
    deliver().catch((error: unknown) => {
      if (!isStopping) log.error({ err: error }, message)
    })
  }, milliseconds)
  return () => {
    isStopping = true
    clearInterval(timer)
  }
}
