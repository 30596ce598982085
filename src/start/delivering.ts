// Delivers notifications every second, in each process that shares the database: every batch is taken by one of them.
import type { Log } from '../runtime/log.ts'

const PERIOD_MILLISECONDS = 1_000

/** Starts delivering; the returned function stops it. Errors are logged, and the next turn tries again. */
export function startDelivering({ log }: { log: Log }, deliver: () => Promise<void>): () => void {
  let isStopping = false
  const timer = setInterval(() => {
    deliver().catch((error: unknown) => {
      if (!isStopping) log.error({ err: error }, 'notifications could not be delivered')
    })
  }, PERIOD_MILLISECONDS)
  return () => {
    isStopping = true
    clearInterval(timer)
  }
}
