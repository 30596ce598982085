// Reads a JSON body: never more of it than the limit, and nothing that is not JSON.
import { Problem } from '../../contract/problem.ts'
import { requireBounded } from './bounded.ts'

export const DEFAULT_BODY_LIMIT = 256 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The object in the body; an empty body is an empty object. Throws `too_large` above `limit` bytes, before reading them if
 * the length is declared, and `invalid_request` for what is not a JSON object in UTF-8.
 */
export async function readJson(request: Request, limit: number): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request, limit)
  if (bytes.byteLength === 0) return {}
  let value: unknown
  try {
    const text = utf8.decode(bytes)
    requireBounded(text)
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('invalid_request', 'The body is not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem('invalid_request', 'The body must be a JSON object')
  }
  return value as Record<string, unknown>
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

/** Refuses a body that does not say how long it is, such as a chunked one (RFC 9112, 7.1), whatever its real size. */
export function requireLength(headers: Headers): void {
  if (!/^\d+$/.test(headers.get('content-length') ?? '')) {
    throw new Problem('invalid_request', 'The request must declare its length: a numeric Content-Length header')
  }
}

async function readBytes(request: Request, limit: number): Promise<ArrayBuffer | Uint8Array> {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > limit) throw tooLarge(limit)
  try {
    // Node itself holds a body to the length it declares (RFC 9112, 6.3).
    return declared === null ? await readUpTo(request, limit) : await request.arrayBuffer()
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    // Whoever sent it went away half-way: nobody reads this, and it is no fault of ours (RFC 9112, 8).
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

const tooLarge = (limit: number) => new Problem('too_large', `The body is larger than ${limit} bytes`)
