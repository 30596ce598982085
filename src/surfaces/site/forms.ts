// Size limits for forms of pages. A page reads its form completely and parses it beside other requests, so it is small; a form with
// files may be larger, and its parts are counted first.
import { Problem } from '../../contract/problem.ts'
import { boundaryOf, PartCounter } from '../../storage/multipart-parts.ts'
import { readBytes } from '../http/body.ts'

/** Of a form without files: the longest text there is has 20,000 characters. */
const MAX_FORM_BYTES = 64 * 1024
/** Of a form with files that its page hands on to the API as it comes; there it is counted and measured again. */
const MAX_PASSED_BYTES = 24 * 1024 * 1024
/** For a form with files that its page reads itself; the page refuses a larger one unread, with its own message. */
const MAX_READ_BYTES = 5_000_000
const MAX_PARTS = 64
/** Of the form of looks: three pictures, and up to 20 pages with a title and a text in each language. */
const [MAX_LOOKS_PARTS, MAX_LOOKS_BYTES] = [400, 1_000_000]

/** The forms with files, by the path of their page and the name of their action. Anything else is a form without. */
const formsWithFiles: { form: RegExp; maxBytes: number; isReadHere: boolean; maxParts?: number }[] = [
  {
    form: /^\/admin\/looks\?\/(?:preview|save)\b/,
    ...{ maxBytes: MAX_LOOKS_BYTES, isReadHere: true, maxParts: MAX_LOOKS_PARTS },
  },
  { form: /^\/library\/upload\?\/publish\b/, maxBytes: MAX_PASSED_BYTES, isReadHere: false },
  { form: /^\/library\/[^/?]+\/[^/?]+\/edit\?\/version\b/, maxBytes: MAX_PASSED_BYTES, isReadHere: false },
  { form: /^\/community\/orgs\/[^/?]+\?\/addRun\b/, maxBytes: MAX_PASSED_BYTES, isReadHere: false },
  { form: /^\/settings\?\/avatar\b/, maxBytes: MAX_PASSED_BYTES, isReadHere: false },
  { form: /^\/community\/orgs\/new\?\/create\b/, maxBytes: MAX_PASSED_BYTES, isReadHere: true },
  { form: /^\/community\/orgs\/[^/?]+\/edit\?\/(?:save|addImage)\b/, maxBytes: MAX_PASSED_BYTES, isReadHere: true },
  { form: /^\/community\/orgs\/[^/?]+\/edit\?\/preview\b/, maxBytes: MAX_READ_BYTES, isReadHere: true },
]

/** A form that may be handed to its page, or why it may not. */
export type FormVerdict = { request: Request } | { status: 400 | 408 | 411 | 413; sentence: string }

/** Looks at a form before its page does: its length, its kind, and the number of its parts. */
export async function takeForm(request: Request): Promise<FormVerdict> {
  const { headers, url } = request
  const length = Number(headers.get('content-length') ?? Number.NaN)
  if (Number.isNaN(length)) return { status: 411, sentence: 'Say how long it is (Content-Length)' }
  const boundary = boundaryOf(headers.get('content-type'))
  const { pathname, search } = new URL(url)
  const withFiles = boundary && formsWithFiles.find(({ form }) => form.test(pathname + search))
  const { maxBytes, isReadHere, maxParts = MAX_PARTS } = withFiles || { maxBytes: MAX_FORM_BYTES, isReadHere: true }
  if (length > maxBytes) return { status: 413, sentence: `At most ${maxBytes} bytes` }
  return boundary && isReadHere && length <= MAX_READ_BYTES ? readWhole(request, { boundary, maxParts }) : { request }
}

const isSlow = (error: Error) => error instanceof Problem && error.code === 'too_slow'

/** A form in parts that can be read: few of them, and none damaged. */
async function readWhole(
  request: Request,
  { boundary, maxParts }: { boundary: string; maxParts: number },
): Promise<FormVerdict> {
  const { method, headers, url } = request
  const read = await readBytes(request, MAX_READ_BYTES).catch((error) => error)
  if (read instanceof Error) return { status: isSlow(read) ? 408 : 400, sentence: read.message }
  const bytes = new Uint8Array(read)
  if (new PartCounter(boundary).count(bytes) > maxParts) return { status: 400, sentence: `At most ${maxParts} parts` }
  const whole = new Request(url, { method, headers, body: bytes })
  try {
    await whole.clone().formData()
    return { request: whole }
  } catch {
    return { status: 400, sentence: 'The form is damaged' }
  }
}
