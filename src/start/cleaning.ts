// Runs the clean-up at start and every five minutes, in one of the processes that share the database.
import { countTry } from '../budgets/budgets.ts'
import { Problem } from '../contract/problem.ts'
import type { Dependencies } from '../request/handler.ts'
import { timestamp } from '../runtime/clock.ts'

const PERIOD_SECONDS = 300
/** The first process that takes the lease cleans up; a little shorter than the period, so that the next turn finds it over. */
const LEASE = { tries: 1, windowSeconds: PERIOD_SECONDS - 10 }

/** Starts cleaning up; the returned function stops it. Errors are logged. */
export function startCleaning(
  { db, clock, log }: Pick<Dependencies, 'db' | 'clock' | 'log'>,
  cleanUp: () => Promise<void>,
): () => void {
  let isStopping = false
  /** When the lease of this process ends, by `elapsed`. */
  let leaseEnds = 0
  const turn = async () => {
    try {
      if (clock.elapsed() >= leaseEnds) {
        await countTry(db, { key: 'clean-up', limit: LEASE, now: timestamp(clock.now()) })
        leaseEnds = clock.elapsed() + LEASE.windowSeconds * 1_000
      }
      await cleanUp()
    } catch (error) {
      if (error instanceof Problem || isStopping) return
      log.error({ err: error }, 'clean-up failed')
    }
  }
  void turn()
  const timer = setInterval(turn, PERIOD_SECONDS * 1_000)
  return () => {
    isStopping = true
    clearInterval(timer)
  }
}
