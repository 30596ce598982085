// Responds with a file: conditional requests (RFC 9110, 13) and one range (RFC 9110, 14).
import { type FileHandle, open } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { FileAnswer } from '../../contract/files.ts'
import { required } from '../../runtime/untyped.ts'

/** Bytes a chunk when a file is piped. */
const CHUNK = 512 * 1024

interface Range {
  start: number
  /** Inclusive. */
  end: number
}

/** What an answer is made with besides the file. */
export interface SendOptions {
  /** On every answer. */
  headers: Record<string, string>
  /** On this one. */
  reply?: Headers
  /** The server's own answer: files and streams go into it without a web stream, several times as fast. */
  outgoing?: ServerResponse | undefined
  /** Called with errors after the headers were sent. */
  onFault(error: unknown): void
}

/** The answer to a GET or HEAD for this file. */
export async function fileResponse(
  request: Pick<Request, 'method' | 'headers'>,
  file: FileAnswer,
  { headers, reply = new Headers(), outgoing, onFault }: SendOptions,
): Promise<Response> {
  const etag = `"${file.tag}"`
  const all: Record<string, string> = {
    'Cache-Control': 'private, no-cache, no-transform',
    ...headers,
    ...Object.fromEntries(reply),
    ...file.headers,
    ETag: etag,
    'Accept-Ranges': 'bytes',
  }
  if (isUnexpected(request.headers, etag)) return new Response(null, { status: 412, headers: all })
  if (isUnchanged(request.headers, etag)) return new Response(null, { status: 304, headers: all })
  if (file.elsewhere !== undefined) {
    return new Response(null, {
      status: 302,
      headers: { ...all, 'Cache-Control': 'no-store', Location: file.elsewhere },
    })
  }
  all['Content-Type'] = file.contentType
  // Of a HEAD a range has no meaning (RFC 9110, 14.2).
  const range = request.method === 'GET' ? rangeOf(request.headers, etag, file.size) : undefined
  if (range === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { ...all, 'Content-Range': `bytes */${file.size}` } })
  }
  const length = range ? range.end - range.start + 1 : file.size
  all['Content-Length'] = String(length)
  if (range) all['Content-Range'] = `bytes ${range.start}-${range.end}/${file.size}`
  const status = range ? 206 : 200
  if (request.method === 'HEAD' || length === 0) return new Response(null, { status, headers: all })
  if (outgoing && !('bytes' in file.source)) {
    const send = await pourOf(file.source, { range, size: file.size })
    outgoing.writeHead(status, all)
    send(outgoing).catch(onFault)
    return RESPONSE_ALREADY_SENT
  }
  return new Response(await bodyOf(file, range), { status, headers: all })
}

/** The whole file, for a call in process. */
export const wholeFile = (file: FileAnswer, sending: Pick<SendOptions, 'reply' | 'onFault'>): Promise<Response> =>
  fileResponse(
    { method: 'GET', headers: new Headers() },
    { ...file, elsewhere: undefined },
    { headers: {}, ...sending },
  )

type StreamSource = Exclude<FileAnswer['source'], { bytes: unknown }>

/** What sends the bytes. They are opened before anything is sent, so that a failure can still get an error response. */
async function pourOf(source: StreamSource, { range, size }: { range: Range | undefined; size: number }) {
  if ('path' in source) {
    const file = await open(source.path)
    return (outgoing: ServerResponse) => streamFile(file, range ?? { start: 0, end: size - 1 }, outgoing)
  }
  const stream = await source.open(range)
  return (outgoing: ServerResponse) => pour(stream, outgoing)
}

/** A reader that goes away ends the stream. When the stream fails, the connection is broken, as the length has been promised. */
async function pour(stream: Readable, outgoing: ServerResponse): Promise<void> {
  let fault: unknown
  stream.once('error', (error) => {
    if (!outgoing.destroyed) fault = error
  })
  await pipeline(stream, outgoing).catch(() => {})
  if (fault) throw fault
}

async function bodyOf({ source }: FileAnswer, range: Range | undefined): Promise<BodyInit> {
  if ('bytes' in source) {
    const bytes = range ? source.bytes.subarray(range.start, range.end + 1) : source.bytes
    return bytes as Uint8Array<ArrayBuffer>
  }
  const stream =
    'path' in source
      ? (await open(source.path)).createReadStream({ ...range, highWaterMark: CHUNK })
      : await source.open(range)
  return Readable.toWeb(stream) as NodeWebStream as ReadableStream
}

/** Whether the client has the version with this tag already (RFC 9110, 13.1.2). */
export function isUnchanged(headers: Headers, etag: string): boolean {
  const known = headers.get('if-none-match')
  if (known === null) return false
  return known.trim() === '*' || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

/** Whether the client requires another version than the current one (RFC 9110, 13.1.1). */
function isUnexpected(headers: Headers, etag: string): boolean {
  const wanted = headers.get('if-match')
  return wanted !== null && wanted.trim() !== '*' && !wanted.split(',').some((tag) => tag.trim() === etag)
}

/** A single satisfiable range; anything else that is not plainly out of bounds is ignored, as the RFC allows. */
function rangeOf(headers: Headers, etag: string, size: number): Range | 'unsatisfiable' | undefined {
  const match = headers.get('range')?.match(/^bytes=(\d*)-(\d*)$/)
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const condition = headers.get('if-range')
  if (condition !== null && condition !== etag) return undefined
  const [, first = '', last = ''] = match
  if (first === '') {
    const suffix = Math.min(Number(last), size)
    return suffix === 0 ? 'unsatisfiable' : { start: size - suffix, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start >= size) return 'unsatisfiable'
  return start > end ? undefined : { start, end }
}

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
