// Calls an operation as REST does, in process: the same rules hold for tools. The request carries the caller's own
// token; there is no other way in.
import { explain } from '../../contract/explain.ts'
import { type Operation, placesOf } from '../../contract/operation.ts'
import { explainUnstorable, findUnstorable } from '../../contract/storable.ts'
import { heldValue } from '../../formats/visible.ts'
import type { PresentedToken } from '../../request/credentials.ts'
import { isKey, MAX_KEY } from '../../request/idempotency.ts'
import { ApiError, type ConnectOptions, requestOf } from '../client.ts'
import type { RequestContext } from '../http/pipeline.ts'
import { problemWithAddress } from './limits.ts'
import { type GivenFile, isFile } from './schema.ts'
import type { Call } from './toolbox.ts'

export type Fetch = (request: Request, requestContext: RequestContext) => Response | Promise<Response>

type Progress = (done: number, total: number, message: string) => void

/** What a call takes over from the request that asks for it. */
export interface Caller {
  presented: PresentedToken | undefined
  requestContext: RequestContext
}

export interface CallOptions {
  fetch: Fetch
  baseUrl: string
  caller: Caller
  /** Told how much of an upload has been read, in bytes, and what is done with it. */
  progress?: Progress | undefined
}

/** What is wrong with the arguments, or the answer, where it is from, and what it says, if that is JSON. */
export type Outcome = { refusal: string } | Answered
export interface Answered {
  answer: Response
  url: string
  value?: unknown
}

export async function callOperation(call: Call, options: CallOptions): Promise<Outcome> {
  const { operation } = call.bound
  const input = isEdit(operation) ? heldIn(call.input, placesOf(operation).body) : call.input
  const how = headersOf(call)
  if (typeof how === 'string') return { refusal: how }
  // A path cannot be filled in with what is missing; everything else REST would say by itself.
  if (placesOf(operation).path.some((name) => typeof input[name] !== 'string')) {
    const parsed = operation.input.safeParse(input)
    if (!parsed.success) return { refusal: explain(parsed.error) }
  }
  const { path, query, body } = placesOf(operation)
  const refusal = problemWithAddress([...path, ...query], input)
  if (refusal) return { refusal }
  // A query or a form would put another character in its place, and ask for something else.
  const unstorable = findUnstorable(without(input, [...path, ...body]))
  if (unstorable !== undefined) return { refusal: explainUnstorable(unstorable) }
  const given = { ...input }
  for (const [name, { maxFiles }] of Object.entries(operation.upload?.files ?? {})) {
    if (given[name] === undefined) continue
    const files = [given[name]].flat()
    const shape = maxFiles === 1 ? 'a file' : 'a list of files'
    if (!files.every(isGiven)) return { refusal: `${name}: must be ${shape}: { filename, content }` }
    given[name] = files.map(blobOf)
  }
  const { caller, fetch, baseUrl, progress } = options
  const { presented } = caller
  const headers = { ...how, ...(presented && { Authorization: `${presented.scheme} ${presented.token}` }) }
  const request = requestIfPossible(operation, given, { baseUrl, headers })
  // What cannot stand in a path is not found, here as there.
  if (request instanceof ApiError)
    return { answer: Response.json(request.body, { status: request.status }), url: baseUrl }
  const upload = operation.upload && progress ? await counted(request, progress) : undefined
  const answered: { value?: unknown } = {}
  const onResult = (value: unknown) => {
    answered.value = value
  }
  const answer = await fetch(upload?.request ?? request, { ...caller.requestContext, isInner: true, onResult })
  upload?.done()
  return { answer, url: request.url, ...answered }
}

/** The headers of a write that has a key or is only tried, or what is wrong with them. */
function headersOf({ idempotencyKey: key, dryRun = false }: Call): Record<string, string> | string {
  if (typeof dryRun !== 'boolean') return 'dryRun: must be true or false'
  if (dryRun) return { Prefer: 'handling=dry-run' }
  if (key === undefined) return {}
  if (typeof key !== 'string' || !isKey(key)) {
    return `idempotencyKey: must have 1 to ${MAX_KEY} visible characters, without comma, quote and backslash`
  }
  return { 'Idempotency-Key': key }
}

/** A text that is edited was read before, and shows what is not seen as escapes. */
const isEdit = ({ method }: Operation) => method === 'PATCH' || method === 'PUT'

const heldIn = (input: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, names.includes(name) ? heldValue(value) : value]),
  )

const without = (input: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)))

function requestIfPossible(
  operation: Operation,
  given: Record<string, unknown>,
  options: ConnectOptions,
): Request | ApiError {
  try {
    return requestOf(operation, given, options)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

const isGiven = (file: unknown): file is GivenFile =>
  isFile(file) && (file.content !== undefined || file.contentBase64 !== undefined)

function blobOf({ filename, content, contentBase64 }: GivenFile): File {
  return new File([content ?? Buffer.from(contentBase64 ?? '', 'base64')], filename)
}

/** The same request, with its body counted as it is read. The last step is the answer: until then the files are checked and scanned. */
async function counted(request: Request, progress: Progress): Promise<{ request: Request; done(): void }> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  const chunk = Math.max(65_536, Math.ceil(bytes.byteLength / 10))
  const total = bytes.byteLength + 1
  let done = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (done === bytes.byteLength) return controller.close()
      const piece = bytes.subarray(done, done + chunk)
      done += piece.byteLength
      controller.enqueue(piece)
      progress(done, total, done < bytes.byteLength ? 'Uploading' : 'Checking and scanning')
    },
  })
  const headers = new Headers(request.headers)
  headers.set('Content-Length', String(bytes.byteLength))
  // A body that is made as it is read must be sent half duplex (Fetch, 5.4); the type does not know of it yet.
  const init: RequestInit & { duplex: 'half' } = { method: request.method, headers, body, duplex: 'half' }
  return { request: new Request(request.url, init), done: () => progress(total, total, 'Done') }
}
