// Responds with a file: conditional requests (RFC 9110, 13) and one range (RFC 9110, 14).
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { FileAnswer } from '../../contract/files.ts'
import { streamFile } from './stream-file.ts'

/** Bytes a chunk when a file is piped. */
const CHUNK = 512 * 1024

interface Range {
  start: number
  /** Inclusive. */
  end: number
}

/** What an answer is made with besides the file. */
export interface Sending {
  /** On every answer. */
  headers: Record<string, string>
  /** On this one. */
  reply?: Headers
  /** The server's own answer: a file on disk is streamed into it (stream-file.ts), several times as fast as a web stream. */
  outgoing?: ServerResponse | undefined
  /** Called with errors after the headers were sent. */
  onFault(error: unknown): void
}

/** The answer to a GET or HEAD for this file. */
export async function fileResponse(
  request: Request,
  file: FileAnswer,
  { headers, reply = new Headers(), outgoing, onFault }: Sending,
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
  if (outgoing && 'path' in file.source) {
    return pourFile(file.source.path, range ?? { start: 0, end: file.size - 1 }, {
      outgoing,
      onFault,
      status,
      headers: all,
    })
  }
  return new Response(await bodyOf(file, range), { status, headers: all })
}

interface Head extends Pick<Sending, 'headers' | 'onFault'> {
  outgoing: ServerResponse
  status: number
}

async function pourFile(path: string, range: Range, { outgoing, onFault, status, headers }: Head) {
  // Opened before anything is sent, so that a failure can still get an error response.
  const file = await open(path)
  outgoing.writeHead(status, headers)
  streamFile(file, range, outgoing).catch(onFault)
  return RESPONSE_ALREADY_SENT
}

async function bodyOf({ source }: FileAnswer, range: Range | undefined): Promise<BodyInit> {
  if ('bytes' in source) {
    const bytes = range ? source.bytes.subarray(range.start, range.end + 1) : source.bytes
    return bytes as Uint8Array<ArrayBuffer>
  }
  const stream =
    'path' in source ? createReadStream(source.path, { ...range, highWaterMark: CHUNK }) : await source.open(range)
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
