// A typed client for the API, made from the contracts; runs in browsers and in Node.
//   const guildhall = connect(api, { baseUrl: 'http://localhost:3000' })
//   await guildhall.bugs.create({ title: 'Crash', description: 'On start', severity: 'high' })
import type { z } from 'zod'
import { addressOf, formInput, jsonInput } from '../contract/addresses.ts'
import { contentTypesOf, type FileAnswer, type UploadRules } from '../contract/files.ts'
import type { Contract, Operation } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import { required } from '../runtime/untyped.ts'

/** An input without fields can be combined with others. */
type KnownFields<Input> = string extends keyof Input ? unknown : Input

/** An upload's fields and files are passed beside its input; a file is a Blob, or a File if its name matters. */
type OperationInput<O extends Operation> = KnownFields<z.input<O['input']>> &
  (O extends { upload: infer Rules extends UploadRules }
    ? KnownFields<z.input<Rules['fields']>> & { [Name in keyof Rules['files']]?: Blob | Blob[] }
    : unknown) &
  (O extends { deferredBody: infer Body extends z.ZodObject } ? z.input<Body> : unknown)

/** An operation that answers with a file gives the Response, so that it can be streamed. */
type Answer<O extends Operation> = z.output<O['output']> extends FileAnswer ? Response : z.output<O['output']>

/** Input is optional if none of its fields is required. */
type Call<O extends Operation> =
  Record<never, never> extends OperationInput<O>
    ? (input?: OperationInput<O>) => Promise<Answer<O>>
    : (input: OperationInput<O>) => Promise<Answer<O>>

export type Client<Api extends Record<string, Contract>> = {
  [Slice in keyof Api]: { [Verb in keyof Api[Slice]]: Call<Api[Slice][Verb]> }
}

export interface ConnectOptions {
  /** The site's origin. */
  baseUrl: string
  /** A bearer token; a browser on the site needs none, it sends its session cookie. */
  token?: string
  /** Further headers of every request. */
  headers?: Readonly<Record<string, string>>
  /** In place of the global `fetch`. */
  fetch?: (request: Request) => Response | Promise<Response>
}

/** The status of a write that is not made yet: it waits for the yes of its account. */
const WAITS = 202

/** An error response of the API, or what says that a write waits (202). `body` is the original body in the format of its area; `code` is set if the area has codes. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly body: unknown
  readonly headers: Headers

  constructor(status: number, body: unknown, headers: Headers) {
    const { error, message, code } = (body ?? {}) as { error?: unknown; message?: string; code?: string }
    const inner = typeof error === 'object' && error !== null ? (error as { message?: string; code?: string }) : {}
    super(message ?? inner.message ?? (typeof error === 'string' ? error : `HTTP ${status}`))
    this.name = 'ApiError'
    this.status = status
    this.code = code ?? inner.code
    this.body = body
    this.headers = headers
  }
}

/** Every operation as a function `client.slice.operation(input)`. It rejects with `ApiError` for an error response. */
export const connect = <Api extends Record<string, Contract>>(api: Api, options: ConnectOptions): Client<Api> =>
  clientOf(api, (operation, input) => call(operation, input, options))

/** Calls an operation; its name is that of its slice, a dot, and its own. */
export type CallOperation = (operation: Operation, input: Record<string, unknown>, name: string) => Promise<unknown>

/** The same functions over any way to call an operation. */
export function clientOf<Api extends Record<string, Contract>>(api: Api, callOperation: CallOperation): Client<Api> {
  // A client is often made for one call: a slice's functions are made when it is first asked for.
  const client: Record<string, unknown> = {}
  for (const slice of Object.keys(api)) {
    Object.defineProperty(client, slice, {
      enumerable: true,
      configurable: true,
      get() {
        const callOf = ([verb, operation]: [string, Operation]) => {
          const name = `${slice}.${verb}`
          return [verb, (input: Record<string, unknown> = {}) => callOperation(operation, input, name)] as const
        }
        const calls = Object.fromEntries(Object.entries(required(api[slice])).map(callOf))
        Object.defineProperty(client, slice, { enumerable: true, value: calls })
        return calls
      },
    })
  }
  return client as Client<Api>
}

async function call(operation: Operation, input: Record<string, unknown>, options: ConnectOptions): Promise<unknown> {
  const send = options.fetch ?? fetch
  const response = await send(requestOf(operation, input, options))
  if (response.ok && contentTypesOf(operation.output)) return response
  const text = await response.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  if (!response.ok || response.status === WAITS) throw new ApiError(response.status, body, response.headers)
  return body
}

/**
 * The request that calls an operation: its input in the path, the query and the body. Throws `ApiError` with 404 for a value that a
 * path cannot contain.
 */
export function requestOf(
  operation: Operation,
  input: Record<string, unknown>,
  { baseUrl, token, headers: further }: ConnectOptions,
): Request {
  const { method } = operation
  const origin = baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl
  const url = `${origin}/api${addressIfPossible(operation, input)}`
  const headers = { ...further, ...(token !== undefined && { Authorization: `Bearer ${token}` }) }
  const form = formInput(operation, input)
  if (form) return new Request(url, { method, headers, body: formDataOf(form) })
  const body = jsonInput(operation, input)
  if (body === undefined) return new Request(url, { method, headers })
  const described = {
    ...headers,
    'Content-Type': 'application/json',
    // A browser sets it by itself and ignores ours; a program needs it set here.
    ...(operation.requireLength && { 'Content-Length': String(new TextEncoder().encode(body).byteLength) }),
  }
  return new Request(url, { method, headers: described, body })
}

function addressIfPossible(operation: Operation, input: Record<string, unknown>): string {
  try {
    return addressOf(operation, input)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { area } = operation.access
    throw new ApiError(area.statusOf(error.code), area.render(error, false), new Headers())
  }
}

function formDataOf(parts: NonNullable<ReturnType<typeof formInput>>): FormData {
  const form = new FormData()
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value)
  }
  return form
}
