// Removes expired rows, a few at a time with pauses between, so that no request waits for it: a batch takes about as long as a
// request, and most of the time is left for requests.
import { setTimeout as sleep } from 'node:timers/promises'

/** Rows a batch. */
const BATCH = 25
/** A pause is this many times as long as the batch before it. */
const PAUSE_FACTOR = 12
const SHORTEST_PAUSE_MILLISECONDS = 5

/** Runs `remove`, which returns how many rows it removed, until that is less than its limit. */
export async function inBatches(remove: (limit: number) => Promise<number>): Promise<void> {
  for (;;) {
    const started = performance.now()
    if ((await remove(BATCH)) < BATCH) return
    await sleep(Math.max(SHORTEST_PAUSE_MILLISECONDS, (performance.now() - started) * PAUSE_FACTOR))
  }
}
