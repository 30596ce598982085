// Calls an operation as every door does: the same rules hold for tools. It is made with the caller's own token; there is no other way in.
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { addressOf } from '../../contract/addresses.ts'
import { explain } from '../../contract/explain.ts'
import { contentTypesOf, type FileAnswer } from '../../contract/files.ts'
import { type Operation, placesOf } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { explainUnstorable, findUnstorable } from '../../contract/storable.ts'
import type { Authentication, CallResult, Core } from '../../core/call-request.ts'
import { callGiven } from '../../core/given-call.ts'
import { heldValue } from '../../formats/visible.ts'
import type { FailedProof, PresentedToken } from '../../request/credentials.ts'
import { isKey, MAX_KEY } from '../../request/idempotency.ts'
import type { Observe } from '../http/pipeline.ts'
import { refusal } from '../http/response.ts'
import { wholeFile } from '../http/send-file.ts'
import { type Challenge, challengeOf } from './challenge.ts'
import { problemWithAddress } from './limits.ts'
import type { ListChoice } from './lists.ts'
import { nextStepOf } from './next-step.ts'
import type { Relay } from './relay.ts'
import { type FileArgument, isFile } from './schema.ts'
import type { Call } from './toolbox.ts'
import { isRecord } from './tools.ts'

type Progress = (done: number, total: number, message: string) => void

/** Who calls, by which request. */
export interface Caller {
  requestId: string
  presented: PresentedToken | undefined
  address: string
  /** Counts each call; none of those by which the server looks. */
  observe?: Observe | undefined
}

export interface CallOptions {
  core: Core
  caller: Caller
  /** The server looks for a subscriber: nothing is counted or noted. */
  isLooking?: true
  /** Told how much of an upload has been read, in bytes, and what is done with it. */
  progress?: Progress | undefined
}

/** What is wrong with the arguments; how the API refused the call; or its result, where REST has it, and its file, if it is one. */
export type Outcome = { refusal: string } | { refused: CallRefusal } | CallAnswer
export interface CallAnswer {
  result: CallResult
  url: string
  file?: Response
}

/** A refusal of the API. */
export interface CallRefusal {
  status: number
  message: string
  retryAfter: string | undefined
  challenge: Challenge | undefined
  /** What to do next. */
  next: string
}

/** The structure of what a call gave; undefined for a text, a list alone, a file, and where nothing came. */
export function recordIn(outcome: Outcome | undefined): Record<string, unknown> | undefined {
  if (!outcome || !('result' in outcome) || outcome.file) return undefined
  const { output } = outcome.result
  return isRecord(output) ? output : undefined
}

export async function callOperation(call: Call, options: CallOptions): Promise<Outcome> {
  const { operation } = call.bound
  const input = isEdit(operation) ? heldIn(call.input, placesOf(operation).body) : call.input
  const how = wayOf(call)
  if (typeof how === 'string') return { refusal: how }
  // A path cannot be filled in with what is missing; everything else REST would say by itself.
  if (placesOf(operation).path.some((name) => typeof input[name] !== 'string')) {
    const parsed = operation.input.safeParse(input)
    if (!parsed.success) return { refusal: explain(parsed.error, input) }
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
  return made(call, given, { ...how, ...options })
}

type CallModes = Pick<Parameters<typeof callGiven>[2], 'isDryRun' | 'idempotencyKey'>

async function made(
  { bound }: Call,
  input: Record<string, unknown>,
  { core, caller, progress, ...how }: CallOptions & CallModes,
): Promise<Outcome> {
  const { name, operation } = bound
  const { requestId, address, presented, observe } = caller
  const { baseUrl } = core.dependencies.config
  const credentials = { sessionToken: undefined, accessToken: presented }
  const upload = operation.upload && progress ? counted(input, progress) : undefined
  const began = performance.now()
  const count = (status: number) => observe?.(name, status, { seconds: (performance.now() - began) / 1000, requestId })
  try {
    const from = { requestId, address, credentials, ...how, ...(upload && { onPiece: upload.onPiece }) }
    const result = await callGiven(core, bound, { input, ...from })
    upload?.done()
    count(result.status)
    const url = `${baseUrl}/api${addressOf(operation, input)}`
    if (!contentTypesOf(operation.output)) return { result, url }
    const onFault = (err: unknown) =>
      core.dependencies.log.error({ err, requestId, operation: name }, 'file not sent whole')
    return { result, url, file: await wholeFile(result.output as FileAnswer, { reply: result.reply, onFault }) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const refused = refusedBy(error, operation, baseUrl)
    count(refused.status)
    return { refused }
  }
}

/** A refusal where there is no tool to answer for. */
export function protocolErrorOf({ status, message, retryAfter }: CallRefusal): ProtocolError {
  const code = status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidRequest
  return new ProtocolError(code, message, { status, ...(retryAfter && { retryAfterMs: Number(retryAfter) * 1_000 }) })
}

function refusedBy(problem: Problem, operation: Operation, baseUrl: string): CallRefusal {
  const { status, body, headers } = refusal(problem, operation, baseUrl)
  return {
    status,
    message: messageOf(body) ?? `HTTP ${status}`,
    retryAfter: headers['Retry-After'],
    challenge: challengeOf(problem, operation),
    next: nextStepOf(problem),
  }
}

/** The message in a refusal of either dialect (interface.md, section 7). */
export function messageOf(body: unknown): string | undefined {
  const error = isRecord(body) ? (body['error'] ?? body) : undefined
  const message = isRecord(error) ? error['message'] : error
  return typeof message === 'string' ? message : undefined
}

/** How a write is made, or what is wrong with that. */
function wayOf({ idempotencyKey: key, dryRun = false }: Call): CallModes | string {
  if (typeof dryRun !== 'boolean') return 'dryRun: must be true or false'
  if (dryRun) return { isDryRun: true }
  if (key === undefined) return {}
  if (typeof key !== 'string' || !isKey(key)) {
    return `idempotencyKey: must have 1 to ${MAX_KEY} visible characters, without comma, quote and backslash`
  }
  return { idempotencyKey: key }
}

/** A text that is edited was read before, and shows what is not seen as escapes. */
const isEdit = ({ method }: Operation) => method === 'PATCH' || method === 'PUT'

const heldIn = (input: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, names.includes(name) ? heldValue(value) : value]),
  )

const without = (input: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)))

const isGiven = (file: unknown): file is FileArgument =>
  isFile(file) && (file.content !== undefined || file.contentBase64 !== undefined)

function blobOf({ filename, content, contentBase64 }: FileArgument): File {
  return new File([content ?? Buffer.from(contentBase64 ?? '', 'base64')], filename)
}

/** Tells how much of the files is read. The last step is the answer: until then the files are checked and scanned. */
function counted(input: Record<string, unknown>, progress: Progress): { onPiece(bytes: number): void; done(): void } {
  const files = Object.values(input)
    .flat()
    .filter((value) => value instanceof Blob)
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const step = bytes / 10
  const total = bytes + 1
  let read = 0
  let told = 0
  return {
    onPiece(piece) {
      read += piece
      if (read < bytes && read - told < step) return
      told = read
      progress(Math.min(read, bytes), total, read < bytes ? 'Uploading' : 'Checking and scanning')
    },
    done: () => progress(total, total, 'Done'),
  }
}

/** A request to the endpoint while its calls are made and, if a call in it turns out to need a credential, the challenge that is sent in place of an answer. */
export class Exchange {
  readonly caller: Caller
  /** The tools that are listed to it. */
  readonly list: ListChoice
  /** Undefined without a token. */
  readonly authenticated: Authentication | FailedProof | undefined
  challenge: Challenge | undefined
  /** The answer on its way to its reader, where it is a stream of events. */
  relay: Relay | undefined

  constructor(caller: Caller, { list, authenticated }: Pick<Exchange, 'list' | 'authenticated'>) {
    this.caller = caller
    this.list = list
    this.authenticated = authenticated
  }
}
