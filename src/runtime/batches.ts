// Removing what is over, a few rows at a time with pauses between, so that no request waits for it: a batch takes about as long
// as a request does, and most of the time belongs to requests.
import { setTimeout as sleep } from 'node:timers/promises'

/** Rows a batch. */
const BATCH = 25
/** A pause is this many times as long as the batch before it. */
const PAUSE_FACTOR = 12
const SHORTEST_PAUSE_MILLISECONDS = 5

/** Runs `remove`, which tells how many rows it took, until it finds less than it may take. */
export async function inBatches(remove: (limit: number) => Promise<number>): Promise<void> {
  for (;;) {
    const started = performance.now()
    if ((await remove(BATCH)) < BATCH) return
    await sleep(Math.max(SHORTEST_PAUSE_MILLISECONDS, (performance.now() - started) * PAUSE_FACTOR))
  }
}
