// A call from within this process: its input is at hand, and it has the address and the headers that it would have over HTTP.

import { Readable } from 'node:stream'
import { addressOf, formInput, jsonInput, pathInput, pathValues, queryInput } from '../contract/addresses.ts'
import { contentTypesOf } from '../contract/files.ts'
import { isWrite, type Operation } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import type { Approval, KeptCall } from '../request/acting.ts'
import type { Sender } from '../request/handler.ts'
import { newId } from '../runtime/ids.ts'
import { traced } from '../runtime/tracing.ts'
import { cleanFilename, MultipartError } from '../storage/multipart.ts'
import type { BoundOperation } from './bind.ts'
import { call } from './call.ts'
import type { BodySource } from './call-body.ts'
import type { CallRequest, CallResult, Core } from './call-request.ts'
import { objectIn, tooLarge } from './json-body.ts'

type Input = Readonly<Record<string, unknown>>

/** Whose call it is, and how it is made. */
export type CalledFrom = Pick<CallRequest, 'requestId' | 'credentials' | 'address'> &
  Partial<Pick<CallRequest, 'acting' | 'idempotencyKey' | 'isDryRun' | 'isLooking'>> & {
    headers?: Headers
    onPiece?: GivenContent['onPiece']
    /** In place of the body that the input gives. */
    body?: BodySource | undefined
  }

/**
 * Calls an operation with an input, which may have more fields than it takes. Throws a Problem as `call` does, and `not_found` for a value
 * that no path can have.
 */
export async function callGiven(
  core: Core,
  bound: BoundOperation,
  given: CalledFrom & { input: Input },
): Promise<CallResult> {
  const { operation } = bound
  const { input, headers = new Headers() } = given
  return callInProcess(core, bound, {
    requestId: given.requestId,
    credentials: given.credentials,
    address: given.address,
    acting: given.acting,
    idempotencyKey: given.idempotencyKey,
    isDryRun: given.isDryRun,
    isLooking: given.isLooking,
    path: pathInput(operation, input),
    query: () => queryInput(operation, input),
    body: given.body ?? bodyOf(operation, given),
    sender: new GivenSender(
      operation.method,
      headers,
      () => `${core.dependencies.config.baseUrl}/api${addressOf(operation, input)}`,
    ),
  })
}

interface GivenContent {
  json?: string | undefined
  form?: readonly [name: string, value: string | Blob][] | undefined
  /** Hears of each piece of a file that is read, in bytes. */
  onPiece?: ((bytes: number) => void) | undefined
}

const PIECE_BYTES = 65_536

/** The content as a body. Nothing of it is copied before it is read. */
function givenBody({ json, form = [], onPiece }: GivenContent): BodySource {
  const length = json === undefined ? sum(form.map(([, value]) => sizeOf(value))) : Buffer.byteLength(json)
  return {
    length: async () => length,
    declared: length,
    requireLength() {},
    async readObject(limit, onBytes) {
      if (length > limit) throw tooLarge(limit)
      const bytes = Buffer.from(json ?? '')
      onBytes?.(bytes)
      return length === 0 ? {} : objectIn(bytes)
    },
    async readParts({ limits, fields, onFile, arrived }) {
      for (const [name, value] of form) {
        if (typeof value === 'string') {
          if (sizeOf(value) > limits.fieldSize) throw new MultipartError('too_large', `The field ${name} is too large`)
          fields.set(name, [...(fields.get(name) ?? []), value])
          continue
        }
        const file = described(value)
        // As over HTTP, where that is a file input in which no file was chosen.
        if (file.filename === '' && value.size === 0) continue
        await onFile(name, Readable.from(piecesOf(value, [arrived, onPiece])), file)
      }
    },
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

const sizeOf = (value: string | Blob) => (typeof value === 'string' ? Buffer.byteLength(value) : value.size)

/** As a form over HTTP describes it (Fetch, 5.2; HTML, 4.10.21.8). */
const described = (file: Blob) => ({
  filename: cleanFilename(file instanceof File ? file.name : 'blob'),
  mimeType: file.type || 'application/octet-stream',
})

async function* piecesOf(file: Blob, listeners: readonly (((bytes: number) => void) | undefined)[]) {
  for (let start = 0; start < file.size; start += PIECE_BYTES) {
    const piece = Buffer.from(await file.slice(start, start + PIECE_BYTES).arrayBuffer())
    for (const listener of listeners) listener?.(piece.byteLength)
    yield piece
  }
}

const emptyBody = givenBody({})

const bodyOf = (operation: Operation, { input, onPiece }: CalledFrom & { input: Input }): BodySource =>
  isWrite(operation)
    ? givenBody({ json: jsonInput(operation, input), form: formInput(operation, input), onPiece })
    : emptyBody

/** Makes a call that was kept, after the yes of its account. Throws a Problem as `call` does. */
export function callKept(
  core: Core,
  bound: BoundOperation,
  { acting, ...kept }: KeptCall & { acting: Approval },
): Promise<CallResult> {
  const { operation, target, json, form, address } = kept
  const url = new URL(target, core.dependencies.config.baseUrl)
  return callInProcess(core, bound, {
    requestId: newId(),
    credentials: { sessionToken: undefined, accessToken: undefined },
    acting,
    path: pathValues(operation, url.pathname),
    query: () => Object.fromEntries(url.searchParams),
    body: givenBody({ json, form }),
    address,
    sender: { method: operation.method, url: url.href, headers: new Headers() },
  })
}

/** A refusal is no error of the span: its status is that of REST, as in the span of a request. */
async function callInProcess(core: Core, bound: BoundOperation, request: CallRequest): Promise<CallResult> {
  const { name, operation } = bound
  const outcome = await traced<CallResult | Problem>(
    () => ({ method: operation.method, headers: undefined, isInner: true }),
    async () => {
      try {
        return await call(core, bound, request)
      } catch (error) {
        if (error instanceof Problem) return error
        throw error
      }
    },
    (ended) => {
      const status = ended instanceof Problem ? operation.access.area.statusOf(ended.code) : ended.status
      return { operation: name, status, requestId: request.requestId }
    },
  )
  if (outcome instanceof Problem) throw outcome
  // It may be in a cache, and is shared with other callers.
  if (core.dependencies.config.development && !contentTypesOf(operation.output)) freeze(outcome.output)
  return outcome
}

/** Makes a change of an answer an error. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const part of Object.values(value)) freeze(part)
}

/** The address is needed by few calls, and made for them alone. */
class GivenSender implements Sender {
  readonly method: string
  readonly headers: Headers
  readonly #addressed: () => string

  constructor(method: string, headers: Headers, addressed: () => string) {
    this.method = method
    this.headers = headers
    this.#addressed = addressed
  }

  get url(): string {
    return this.#addressed()
  }
}
