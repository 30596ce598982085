// Reads the body of a request: never more of it than the limit, never slower than the pace, and nothing that is not JSON or a form.
import type { Readable } from 'node:stream'
import { Problem } from '../../contract/problem.ts'
import { mayBeUnstorable } from '../../contract/storable.ts'
import type { BodySource } from '../../core/call-body.ts'
import { objectIn, requireStorable, tooLarge } from '../../core/json-body.ts'
import type { Clock } from '../../runtime/clock.ts'
import { readMultipart, type Watch } from '../../storage/multipart.ts'

// The body of a request, and a form that a page hands on, as calls take them.

/** The body of a request; `stream` is the server's own, where there is one: it is read without a web stream in between. */
export function bodyOf(request: Request, stream: Readable | ReadableStream<Uint8Array> | null): BodySource {
  const { headers } = request
  return {
    length: () => bytesOf(request),
    get declared() {
      return Number(headers.get('content-length')) || 0
    },
    requireLength: () => requireLength(headers),
    readObject: (limit, onBytes) => readJson(request, limit, onBytes),
    readParts: partsOf({ contentType: headers.get('content-type') ?? undefined, body: stream }),
  }
}

/** A form as it comes, of a length that is not known. */
export interface FormBody {
  contentType: string | undefined
  body: Readable | ReadableStream<Uint8Array> | null
}

/** The body of a call that takes a form. */
export function handedOn(form: FormBody): BodySource {
  const refuse = () => requireLength(new Headers())
  return {
    length: async () => {
      refuse()
      return 0
    },
    declared: 0,
    requireLength: refuse,
    readObject: async () => {
      throw notJson()
    },
    readParts: partsOf(form),
  }
}

const partsOf =
  ({ contentType, body }: FormBody): BodySource['readParts'] =>
  ({ clock, arrived, ...parts }) =>
    readMultipart(body, { contentType, watch: watchPace(clock, arrived), ...parts })

// How fast a body must come: one that stands still, or drips, holds a place and what was staged of it. Only the time in which we wait for
// its sender counts.

/** Of a body whose sender is waited for. */
export const LEAST_BYTES_A_SECOND = 32 * 1024
export const WINDOW_SECONDS = 60
/** Of a whole upload. */
export const MOST_SECONDS = 15 * 60

const TICK_MILLISECONDS = 500

/** Watches a form: `arrived` of what holds its bytes hears of each piece. */
export function watchPace(clock: Pick<Clock, 'elapsed'>, arrived: (bytes: number) => void): Watch {
  const elapsed = () => clock.elapsed()
  const begun = elapsed()
  let timer: NodeJS.Timeout | undefined
  let waitingSince: number | undefined
  const window = { bytes: 0, waited: 0 }
  const stopWaiting = () => {
    if (waitingSince !== undefined) window.waited += elapsed() - waitingSince
    waitingSince = undefined
  }
  const isTooSlow = (): boolean => {
    if (elapsed() - begun >= MOST_SECONDS * 1000) return true
    const waited = window.waited + (waitingSince === undefined ? 0 : elapsed() - waitingSince)
    if (waited < WINDOW_SECONDS * 1000) return false
    const isSlow = window.bytes < LEAST_BYTES_A_SECOND * WINDOW_SECONDS
    Object.assign(window, { bytes: 0, waited: 0 })
    if (waitingSince !== undefined) waitingSince = elapsed()
    return isSlow
  }
  return {
    begin(fail) {
      timer = setInterval(() => isTooSlow() && fail(tooSlow()), TICK_MILLISECONDS).unref()
    },
    waits() {
      waitingSince = elapsed()
    },
    arrived(bytes) {
      stopWaiting()
      window.bytes += bytes
      arrived(bytes)
    },
    end() {
      clearInterval(timer)
    },
  }
}

/** Holds a small body, which is read whole, to the same pace: it has the time in which the slowest sender sends that much. */
export async function inTime<Bytes>(reading: Promise<Bytes>): Promise<Bytes> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(tooSlow()), WINDOW_SECONDS * 1000)
  reading.catch(() => {})
  try {
    return await Promise.race([reading, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const tooSlow = () => new Problem('too_slow', 'The body came too slowly; send it faster, or less of it')

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** What a page of another origin cannot send without asking first (Fetch, 2.2.2); a form's own types are no JSON. */
const JSON_TYPE = /^application\/(?:scim\+)?json[ \t]*(?:;|$)/i

/** Refuses a body that says it is another thing than JSON, even an empty one: a form of any page can send that. */
function requireJson(headers: Headers): void {
  if (headers.has('content-type') && !isJson(headers)) throw notJson()
}

/** Whether a body says that it is JSON. */
export const isJson = (headers: Headers): boolean => JSON_TYPE.test(headers.get('content-type') ?? '')

const notJson = (): Problem => new Problem('invalid_request', 'Send JSON, with Content-Type: application/json')

/**
 * The object in the body; an empty body is an empty object. Throws `too_large` above `limit` bytes, before reading them if
 * the length is declared, and `invalid_request` for what is not a JSON object in UTF-8, or holds text that cannot be kept. `onBytes` gets
 * the body as it came.
 */
async function readJson(
  request: Request,
  limit: number,
  onBytes?: (bytes: Uint8Array) => void,
): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request, limit)
  onBytes?.(new Uint8Array(bytes))
  requireJson(request.headers)
  if (bytes.byteLength === 0) return {}
  if (!request.headers.has('content-type')) throw notJson()
  return objectIn(bytes)
}

/** The body as text; throws `too_large` above `limit` bytes, and `invalid_request` for what is not UTF-8. */
export async function readText(request: Request, limit: number): Promise<string> {
  const bytes = await readBytes(request, limit)
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Problem('invalid_request', 'The body is not valid UTF-8')
  }
}

/** Refuses a form, as text, that holds NUL or bytes that are no UTF-8: a parser would put another character in their place. */
export function requireFormText(body: string): void {
  if (!/\0|%(?:00|[89a-f])/i.test(body)) return
  let text: string
  try {
    text = decodeURIComponent(body)
  } catch {
    throw new Problem('invalid_request', 'The form is not percent-encoded UTF-8')
  }
  requireStorable(text)
}

/** The same for text that may be JSON; what is none is for others to refuse. */
export function requireJsonText(body: string): void {
  if (!mayBeUnstorable(body)) return
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return
  }
  requireStorable(value)
}

/** Refuses a body that does not say how long it is, such as a chunked one (RFC 9112, 7.1), also if it is small. */
function requireLength(headers: Headers): void {
  if (!/^\d+$/.test(headers.get('content-length') ?? '')) {
    throw new Problem('invalid_request', 'The request must declare its length: a numeric Content-Length header')
  }
}

/** How long a body is: as it declares, and in process as it is. One of undeclared length is refused. */
async function bytesOf(request: Request): Promise<number> {
  const declared = request.headers.get('content-length')
  if (declared !== null) {
    requireLength(request.headers)
    return Number(declared)
  }
  if (request.headers.has('transfer-encoding')) requireLength(request.headers)
  return request.body === null ? 0 : (await request.clone().arrayBuffer()).byteLength
}

/** The body, of at most `limit` bytes, within the time in which a slow sender sends that. */
export async function readBytes(request: Request, limit: number): Promise<ArrayBuffer | Uint8Array> {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > limit) throw tooLarge(limit)
  try {
    // Node itself holds a body to the length it declares (RFC 9112, 6.3).
    return await inTime<ArrayBuffer | Uint8Array>(declared === null ? readUpTo(request, limit) : request.arrayBuffer())
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    // The client disconnected in the middle of the body (RFC 9112, 8): this is not an error of the server.
    throw new Problem('invalid_request', 'The body ended before it was whole')
  }
}

async function readUpTo(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
