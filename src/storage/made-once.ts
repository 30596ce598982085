// Pictures that are made of something stored: each in a process of its own (images.ts), one at a time, in turn. What was made is
// cached, up to a bound, so that a picture that many want is made once.
import { FairQueue, type QueueOwner } from '../workers/queue.ts'

const MAX_CACHED_BYTES = 16 * 1024 * 1024
const queue = new FairQueue({ concurrent: 1, maxWaiting: 240, maxWaitingOfOne: 24 })

/** By what they were made of, oldest first. */
const made = new Map<string, Buffer>()
let cachedBytes = 0

/**
 * The picture of a key, which is made unless it is cached.
 *
 * @param by who wants it, for the queue
 * @throws Problem unavailable when the queue is full; what `make` throws
 */
export async function madeOnce(key: string, by: QueueOwner, make: () => Promise<Buffer>): Promise<Buffer> {
  return (
    made.get(key) ??
    queue.run(by, async () => {
      const before = made.get(key)
      if (before) return before
      const picture = await make()
      keep(key, picture)
      return picture
    })
  )
}

function keep(key: string, picture: Buffer): void {
  made.set(key, picture)
  cachedBytes += picture.length
  for (const [oldest, { length }] of made) {
    if (cachedBytes <= MAX_CACHED_BYTES) break
    made.delete(oldest)
    cachedBytes -= length
  }
}
