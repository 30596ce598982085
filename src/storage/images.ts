// Untrusted images: recognized by their bytes, decoded, stripped of all metadata, encoded again. Decoding happens in a separate
// process (image-process.ts), which ends with the image: loading the decoder would block this one for 180 ms and keep its memory, and
// a compromised decoder finds neither secrets nor sockets there.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { fileURLToPath } from 'node:url'
import { FairQueue, type QueueOwner } from '../workers/queue.ts'
import { madeOnce } from './made-once.ts'

// Runs a program that works on one image in a process of its own, with its bytes on standard input and the result on standard output.

/** Why an image is refused; the message is a sentence for its sender. */
export type ImageProblem = 'unsupported' | 'too_large' | 'unreadable' | 'too_slow'

export class ImageError extends Error {
  override name = 'ImageError'
  code: ImageProblem
  constructor(code: ImageProblem, message: string) {
    super(message)
    this.code = code
  }
}

const imageTooLarge = (maxBytes: number) =>
  new ImageError('too_large', `The image is larger than ${maxBytes / 1024 / 1024} MB`)

interface ProgramRun {
  args: string[]
  input: Buffer
  maxMs: number
  /** Of the result. */
  maxBytes: number
  env?: Readonly<Record<string, string>>
}

/**
 * The result of a program of this server.
 *
 * @throws ImageError too_slow, unreadable when it ends with an error, too_large
 */
async function outputOf(program: string, { args, input, maxMs, maxBytes, env: more }: ProgramRun): Promise<Buffer> {
  // Almost no environment: an absent variable cannot leak. Windows starts nothing without SystemRoot, and if this process caches
  // compiled code for the next start, the program starts in half the time too.
  const env = { SystemRoot: process.env['SystemRoot'], NODE_COMPILE_CACHE: getCompileCacheDir(), ...more }
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const timer = setTimeout(() => child.kill('SIGKILL'), maxMs)
  const closed = once(child, 'close')
  closed.catch(() => {})
  // It may refuse before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  try {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of child.stdout) {
      size += chunk.length
      if (size > maxBytes) throw imageTooLarge(maxBytes)
      chunks.push(chunk)
    }
    const [exitCode] = await closed
    if (child.killed) throw new ImageError('too_slow', 'The image takes too long to decode')
    if (exitCode !== 0) throw new ImageError('unreadable', 'The image cannot be decoded')
    return Buffer.concat(chunks)
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

export type ImageFormat = 'png' | 'jpeg' | 'webp'

/** An image that is safe to serve: `bytes` contain only the image; width and height in pixels, as displayed. */
export type Image = { bytes: Buffer; format: ImageFormat; contentType: string; width: number; height: number }

export const NO_PICTURE = 'The image must be a PNG, a JPEG or a WebP'
export const maxPixels = 25_000_000
const maxBytes = 32 * 1024 * 1024
const queue = new FairQueue({ concurrent: 1, maxWaiting: 80, maxWaitingOfOne: 8 })
const program = fileURLToPath(new URL('./image-process.ts', import.meta.url))

/** The first line of the other process's output; after an image, its bytes follow. */
export type ImageAnswer = { width: number; height: number } | { refused: ImageProblem; because: string }

/**
 * Reads a PNG, JPEG or WebP and writes it again in the same format, rotated by its EXIF orientation, in sRGB, without metadata and,
 * if animated, only its first frame. One at a time, in turn; the event loop is never blocked.
 *
 * @param read returns its bytes, called when it is its turn: a waiting image is not in memory
 * @param options.by the owner of the image, for the queue
 * @param options.maxEdge in px: what is wider or higher is made smaller, in its proportions
 * @throws ImageError unsupported (another format, regardless of its name), too_large (over 25 megapixels, or 32 MiB before or after),
 *   unreadable (truncated or damaged), too_slow (over `maxMs`); Problem unavailable when the queue is full
 */
export function readImage(
  read: () => Promise<Buffer>,
  {
    maxMs = 20_000,
    by = { owner: '' },
    maxEdge,
  }: { maxMs?: number; by?: QueueOwner; maxEdge?: number | undefined } = {},
): Promise<Image> {
  return queue.run(by, async () => imageOf(await read(), { maxMs, maxEdge }))
}

interface Bounds {
  maxMs: number
  maxEdge: number | undefined
}

interface DecodeOptions {
  maxMs: number
  maxEdge?: number | undefined
  /** As a WebP, at most so many px across. */
  width?: number
}

async function imageOf(bytes: Buffer, bounds: Bounds): Promise<Image> {
  const format = formatOf(bytes)
  if (!format) throw new ImageError('unsupported', NO_PICTURE)
  if (bytes.length > maxBytes) throw imageTooLarge(maxBytes)
  const { answer, rest } = await decode(bytes, format, bounds)
  if ('refused' in answer) throw new ImageError(answer.refused, answer.because)
  return { bytes: rest, format, contentType: `image/${format}`, width: answer.width, height: answer.height }
}

/** The format by the first bytes: PNG 3rd edition, 5.2; ISO 10918-1, B.1.1.3 (SOI, then a marker); RFC 9649, 2.4. */
export function formatOf(bytes: Buffer): ImageFormat | undefined {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'webp'
}

/**
 * A stored image as a WebP of at most so many px across, for a screen that shows no more. Its bytes, or the image's own where those are
 * fewer.
 *
 * @throws ImageError as `readImage`
 */
export async function narrowImage(bytes: Buffer, width: number): Promise<Buffer> {
  const format = formatOf(bytes)
  if (!format) throw new ImageError('unsupported', NO_PICTURE)
  const { answer, rest } = await decode(bytes, format, { maxMs: 10_000, width })
  if ('refused' in answer) throw new ImageError(answer.refused, answer.because)
  return rest.length < bytes.length ? rest : bytes
}

async function decode(bytes: Buffer, format: ImageFormat, { maxMs, maxEdge = 0, width = 0 }: DecodeOptions) {
  const output = await outputOf(program, { args: [format, `${maxEdge}`, `${width}`], input: bytes, maxMs, maxBytes })
  const end = output.indexOf('\n')
  const answer: ImageAnswer = JSON.parse(output.toString('utf8', 0, end))
  return { answer, rest: output.subarray(end + 1) }
}

const MAX_DRAWN_BYTES = 2 * 1024 * 1024
const MAX_DRAWING_MILLISECONDS = 10_000
const drawing = fileURLToPath(new URL('./draw-process.ts', import.meta.url))
/** Latin, Greek, Cyrillic, Arabic, Hebrew, Chinese, Japanese, Korean and emoji are here; other scripts need fonts of the machine. */
const env = { FONTCONFIG_FILE: fileURLToPath(new URL('./fonts/fonts.conf', import.meta.url)) }

/**
 * Draws SVG that Guildhall wrote as PNG, for sharing: one at a time, in turn, in a separate process. A picture that many services fetch is
 * drawn once.
 *
 * @param by who wants it, for the queue
 * @throws ImageError too_slow, unreadable; Problem unavailable when the queue is full
 */
export function drawPng(svg: string, by: QueueOwner): Promise<Buffer> {
  const key = createHash('sha256').update(svg).digest('hex')
  const given = { args: [], input: Buffer.from(svg), maxMs: MAX_DRAWING_MILLISECONDS, maxBytes: MAX_DRAWN_BYTES, env }
  return madeOnce(key, by, () => outputOf(drawing, given))
}
