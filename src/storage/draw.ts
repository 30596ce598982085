// Pictures for sharing: SVG of our own drawn as PNG, in a separate process as images of members are (images.ts). A picture that many
// services fetch is drawn once.
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { QueueOwner } from '../workers/queue.ts'
import { outputOf } from './image-program.ts'
import { madeOnce } from './made-once.ts'

const MAX_BYTES = 2 * 1024 * 1024
const MAX_MILLISECONDS = 10_000
const program = fileURLToPath(new URL('./draw-process.ts', import.meta.url))
/** Latin, Greek, Cyrillic, Arabic, Hebrew, Chinese, Japanese, Korean and emoji are here; other scripts need fonts of the machine. */
const env = { FONTCONFIG_FILE: fileURLToPath(new URL('./fonts/fonts.conf', import.meta.url)) }

/**
 * Draws SVG that Guildhall wrote, one at a time, in turn.
 *
 * @param by who wants it, for the queue
 * @throws ImageError too_slow, unreadable; Problem unavailable when the queue is full
 */
export function drawPng(svg: string, by: QueueOwner): Promise<Buffer> {
  const key = createHash('sha256').update(svg).digest('hex')
  const given = { args: [], input: Buffer.from(svg), maxMs: MAX_MILLISECONDS, maxBytes: MAX_BYTES, env }
  return madeOnce(key, by, () => outputOf(program, given))
}
