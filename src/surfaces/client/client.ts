// A typed client for the API, made from the contracts; runs in browsers and in Node.
//   const guildhall = connect(api, { baseUrl: 'http://localhost:3000' })
//   await guildhall.bugs.create({ title: 'Crash', description: 'On start', severity: 'high' })
import type { z } from 'zod'
import { type Contract, type Operation, placesOf } from '../../contract/operation.ts'

/** Input may be left out where nothing in it is required. */
type Call<O extends Operation> =
  Record<never, never> extends z.input<O['input']>
    ? (input?: z.input<O['input']>) => Promise<z.output<O['output']>>
    : (input: z.input<O['input']>) => Promise<z.output<O['output']>>

export type Client<Api extends Record<string, Contract>> = {
  [Slice in keyof Api]: { [Verb in keyof Api[Slice]]: Call<Api[Slice][Verb]> }
}

export interface ConnectOptions {
  /** The site's origin. */
  baseUrl: string
  /** A bearer token; a browser on the site needs none, its session cookie goes along. */
  token?: string
  /** In place of the global `fetch`. */
  fetch?: (request: Request) => Response | Promise<Response>
}

/** The API said no. `body` is the answer as it came, in the dialect of its area; `code` is there where the area has codes. */
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

/** Every operation as a function `client.slice.operation(input)`. It rejects with `ApiError` when the API says no. */
export function connect<Api extends Record<string, Contract>>(api: Api, options: ConnectOptions): Client<Api> {
  const slices = Object.entries(api).map(([slice, contract]) => {
    const calls = Object.entries(contract).map(([verb, operation]) => [
      verb,
      (input: Record<string, unknown> = {}) => call(operation, input, options),
    ])
    return [slice, Object.fromEntries(calls)]
  })
  return Object.fromEntries(slices) as Client<Api>
}

async function call(operation: Operation, input: Record<string, unknown>, options: ConnectOptions): Promise<unknown> {
  const send = options.fetch ?? fetch
  const response = await send(requestOf(operation, input, options))
  const text = await response.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  if (!response.ok) throw new ApiError(response.status, body, response.headers)
  return body
}

/** The request that calls an operation: its input in the path, the query and a JSON body. */
export function requestOf(
  { method, path, ...operation }: Operation,
  input: Record<string, unknown>,
  { baseUrl, token }: ConnectOptions,
): Request {
  const places = placesOf({ method, path, ...operation })
  const url = new URL(
    `/api${path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))}`,
    baseUrl,
  )
  for (const name of places.query) if (input[name] !== undefined) url.searchParams.set(name, String(input[name]))
  const headers = new Headers(token === undefined ? {} : { Authorization: `Bearer ${token}` })
  if (method === 'GET' || method === 'DELETE') return new Request(url, { method, headers })
  headers.set('Content-Type', 'application/json')
  const body = JSON.stringify(Object.fromEntries(places.body.map((name) => [name, input[name]])))
  return new Request(url, { method, headers, body })
}
