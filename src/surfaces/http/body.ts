// Reads a JSON body: never more of it than the limit, and nothing that is not JSON.
import { Problem } from '../../contract/problem.ts'
import { mayBeUnstorable } from '../../contract/storable.ts'
import { objectIn, requireStorable, tooLarge } from '../../core/json-body.ts'
import { inTime } from './pace.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** What a page of another origin cannot send without asking first (Fetch, 2.2.2); a form's own types are no JSON. */
const JSON_TYPE = /^application\/(?:scim\+)?json[ \t]*(?:;|$)/i

/** Refuses a body that says it is another thing than JSON, even an empty one: a form of any page can send that. */
function requireJson(headers: Headers): void {
  if (headers.has('content-type') && !isJson(headers)) throw notJson()
}

/** Whether a body says that it is JSON. */
export const isJson = (headers: Headers): boolean => JSON_TYPE.test(headers.get('content-type') ?? '')

export const notJson = (): Problem => new Problem('invalid_request', 'Send JSON, with Content-Type: application/json')

/**
 * The object in the body; an empty body is an empty object. Throws `too_large` above `limit` bytes, before reading them if
 * the length is declared, and `invalid_request` for what is not a JSON object in UTF-8, or holds text that cannot be kept. `onBytes` gets
 * the body as it came.
 */
export async function readJson(
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
export function requireLength(headers: Headers): void {
  if (!/^\d+$/.test(headers.get('content-length') ?? '')) {
    throw new Problem('invalid_request', 'The request must declare its length: a numeric Content-Length header')
  }
}

/** How long a body is: as it declares, and in process as it is. One of undeclared length is refused. */
export async function bytesOf(request: Request): Promise<number> {
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
