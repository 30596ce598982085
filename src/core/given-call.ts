// A call from within this process: its input is at hand, and it has the address and the headers that it would have over HTTP.
import { addressOf, formInput, jsonInput, pathInput, pathValues, queryInput } from '../contract/addresses.ts'
import { contentTypesOf } from '../contract/files.ts'
import { isWrite, type Operation } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import type { Approval, KeptCall } from '../request/acting.ts'
import type { Sender } from '../request/handler.ts'
import { newId } from '../runtime/ids.ts'
import { traced } from '../runtime/tracing.ts'
import type { BoundOperation } from './bind.ts'
import { call } from './call.ts'
import type { BodySource } from './call-body.ts'
import type { CallRequest, CallResult, Core } from './call-request.ts'
import { type GivenContent, givenBody } from './given-body.ts'

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
