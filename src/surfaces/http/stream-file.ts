// A file into an answer. A pipe makes a buffer for each piece, and what a download leaves for the collector costs as much as
// the download: here two buffers take turns, one being read into while the other is on its way.
import type { FileHandle } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { required } from '../../runtime/untyped.ts'

const PIECE = 256 * 1024
/** Buffers that wait for the next download. */
const MAX_SPARE = 16
const spare: Buffer[] = []

/**
 * Sends the bytes from `start` up to and with `end` of an open file, and closes both. A reader that goes away ends it. When the
 * file cannot be read, or is shorter than it was said to be, the connection is broken, as the length has been promised, and
 * the reason thrown.
 */
export async function streamFile(
  file: FileHandle,
  { start, end }: { start: number; end: number },
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new Promise<false>((resolve) => outgoing.once('close', () => resolve(false)))
  const send = (piece: Buffer) =>
    Promise.race([gone, new Promise<boolean>((resolve) => outgoing.write(piece, (error) => resolve(!error)))])
  const buffers = [takeBuffer(), takeBuffer()] as const
  const sent = [Promise.resolve(true), Promise.resolve(true)]
  try {
    let turn = 0
    for (let at = start; at <= end; turn ^= 1) {
      if (!(await sent[turn])) return
      const { bytesRead } = await file.read(required(buffers[turn]), 0, Math.min(PIECE, end + 1 - at), at)
      if (bytesRead === 0) throw new Error('The file ends too early')
      at += bytesRead
      sent[turn] = send(required(buffers[turn]).subarray(0, bytesRead))
    }
    // What is still being sent may not be written to.
    if ((await Promise.all(sent)).every(Boolean)) spare.push(...buffers.slice(0, MAX_SPARE - spare.length))
    outgoing.end()
  } catch (error) {
    outgoing.destroy()
    throw error
  } finally {
    await file.close().catch(() => {})
  }
}

const takeBuffer = () => spare.pop() ?? Buffer.allocUnsafeSlow(PIECE)
