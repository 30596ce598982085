// How large the form of a page may be. A page reads it whole and parses it beside other requests, so it is small; only where a
// form takes files it is larger, and then its parts are counted first.
import { boundaryOf, PartCounter } from '../../platform/multipart-parts.ts'

/** Of a form without files: the longest text there is has 20,000 characters. */
const MAX_FORM_BYTES = 64 * 1024
/** Of a form with files that its page hands on to the API as it comes; there it is counted and measured again. */
const MAX_PASSED_BYTES = 24 * 1024 * 1024
/** Of a form with files that its page reads itself; a larger one is refused there, in its own words and unread. */
const MAX_READ_BYTES = 5_000_000
const MAX_PARTS = 64

/** The forms with files, by the path of their page and the name of their action. */
const passOn = /^(?:\/library\/upload\?\/publish|\/library\/[^/?]+\/[^/?]+\/edit\?\/version|\/community\/orgs\/[^/?]+\?\/addRun|\/settings\?\/avatar)\b/
const readHere = /^(?:\/community\/orgs\/new\?\/create|\/community\/orgs\/[^/?]+\/edit\?\/(?:save|addImage|preview))\b/

/** A form that may be handed to its page, or why it may not. */
export type Taken = { request: Request } | { status: 400 | 411 | 413; sentence: string }

/** Looks at a form before its page does: its length, its kind, and the number of its parts. */
export async function takeForm(request: Request): Promise<Taken> {
  const { headers, url } = request
  const length = Number(headers.get('content-length') ?? Number.NaN)
  if (Number.isNaN(length)) return { status: 411, sentence: 'Say how long it is (Content-Length)' }
  const boundary = boundaryOf(headers.get('content-type'))
  const { pathname, search } = new URL(url)
  const form = pathname + search
  const read = boundary !== undefined && readHere.test(form)
  const limit = boundary !== undefined && (read || passOn.test(form)) ? MAX_PASSED_BYTES : MAX_FORM_BYTES
  if (length > limit) return { status: 413, sentence: `At most ${limit} bytes` }
  return read && length <= MAX_READ_BYTES ? countParts(request, boundary) : { request }
}

async function countParts(request: Request, boundary: string): Promise<Taken> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (new PartCounter(boundary).count(bytes) > MAX_PARTS) return { status: 400, sentence: `At most ${MAX_PARTS} parts` }
  return { request: new Request(request.url, { method: request.method, headers: request.headers, body: bytes }) }
}
