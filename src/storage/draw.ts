// Pictures for sharing: SVG of our own drawn as PNG, in a separate process as images of members are (images.ts). What was drawn is
// cached by its SVG, so that a picture that many services fetch is drawn once.
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { FairQueue } from '../workers/queue.ts'
import { outputOf } from './image-program.ts'

const MAX_BYTES = 2 * 1024 * 1024
const MAX_MILLISECONDS = 10_000
const MAX_CACHED_BYTES = 16 * 1024 * 1024
const program = fileURLToPath(new URL('./draw-process.ts', import.meta.url))
/** The display face is here; other scripts need fonts of the machine. */
const env = { FONTCONFIG_FILE: fileURLToPath(new URL('./fonts/fonts.conf', import.meta.url)) }
const queue = new FairQueue({ concurrent: 1, maxWaiting: 32, maxWaitingOfOne: 4 })

/** By the hash of the SVG, oldest first. */
const drawn = new Map<string, Buffer>()
let cachedBytes = 0

/**
 * Draws SVG that Guildhall wrote, one at a time, in turn.
 *
 * @param by the network that wants it, for the queue
 * @throws ImageError too_slow, unreadable; Problem unavailable when the queue is full
 */
export async function drawPng(svg: string, by: string): Promise<Buffer> {
  const key = createHash('sha256').update(svg).digest('hex')
  const found = drawn.get(key)
  if (found) return found
  return queue.run(by, async () => {
    const before = drawn.get(key)
    if (before) return before
    const given = { args: [], input: Buffer.from(svg), maxMs: MAX_MILLISECONDS, maxBytes: MAX_BYTES, env }
    const picture = await outputOf(program, given)
    keep(key, picture)
    return picture
  })
}

function keep(key: string, picture: Buffer): void {
  drawn.set(key, picture)
  cachedBytes += picture.length
  for (const [oldest, { length }] of drawn) {
    if (cachedBytes <= MAX_CACHED_BYTES) break
    drawn.delete(oldest)
    cachedBytes -= length
  }
}
