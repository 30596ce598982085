// The client: every operation of the table as a function.
import type { CallOptions, DownloadOptions, ListOptions } from './call.ts'
import type { Operations } from './derived/api.ts'
import { operations } from './derived/operations.ts'
import { Download } from './download.ts'
import { GuildhallError, InputError } from './errors.ts'
import { eventsOf } from './events.ts'
import type { FetchResponse } from './fetch-response.ts'
import { type Fetch, globalFetch, jsonOf, originOf, respond, textOf } from './fetching.ts'
import type { OperationRow } from './operation.ts'
import { entriesOf } from './paging.ts'
import type { Platform } from './platform.ts'
import { proofFor } from './proof.ts'
import { type Input, type RequestParts, requestOf } from './request.ts'
import { retrying } from './retry.ts'
import { joined } from './signals.ts'
import { type Credentials, fixedCredentials, storedCredentials, type TokenStore } from './tokens.ts'

export interface ClientOptions {
  /** The origin of the server, such as https://guildhall.example. */
  url: string
  /** An access token, or tokens that are kept fresh. Without both, calls are anonymous, or a browser sends its cookie. */
  token?: string | undefined
  tokens?: TokenStore | undefined
  /** In place of the global `fetch`. */
  fetch?: Fetch | undefined
  /** Ends all calls. */
  signal?: AbortSignal | undefined
  /** Further tries of what may be sent twice; 3 unless told. */
  retries?: number | undefined
  /** A server that asks for a longer wait is not waited for; 30 unless told. */
  maxWaitSeconds?: number | undefined
}

export type Client = Operations

interface Connection {
  platform: Platform
  url: string
  fetch: Fetch
  credentials: Credentials
  signal: AbortSignal | undefined
  retries: number
  maxWaitSeconds: number
}

interface NamedOperation {
  name: string
  row: OperationRow
}

/** A client on a platform (main.ts and main-node.ts choose it). */
export function createClientOn(platform: Platform, options: ClientOptions): Client {
  const connection = connectionOf(platform, options)
  const slices = Object.entries(operations).map(([slice, rows]) => {
    const calls = Object.entries(rows).map(([verb, row]) => [
      verb,
      functionOf(connection, { name: `${slice}.${verb}`, row }),
    ])
    const functions = Object.fromEntries(calls) as Record<string, { all?: unknown }>
    return [slice, functions['list']?.all ? { ...functions, all: functions['list'].all } : functions]
  })
  return Object.fromEntries(slices) as Client
}

function connectionOf(platform: Platform, options: ClientOptions): Connection {
  const { token, tokens, fetch = globalFetch, signal, retries = 3, maxWaitSeconds = 30 } = options
  const url = originOf(options.url)
  if (token !== undefined && tokens) throw new TypeError('Give token or tokens, not both')
  const retry = { platform, retries, maxWaitSeconds }
  const credentials = tokens ? storedCredentials(tokens, { url, fetch, retry }) : fixedCredentials(token)
  return { platform, url, fetch, credentials, signal, retries, maxWaitSeconds }
}

function functionOf(connection: Connection, named: NamedOperation) {
  const { response, paging } = named.row
  if (response === 'stream')
    return (input: Input = {}, options: CallOptions = {}) => events(connection, named, { input, options })
  if (response === 'file') {
    return (input: Input = {}, options: DownloadOptions = {}) => download(connection, named, { input, options })
  }
  const call = (input: Input = {}, options: CallOptions = {}) => json(connection, named, { input, options })
  if (!paging) return call
  const all = (input: Input = {}, options: ListOptions = {}) =>
    entriesOf(paging, { input, options }, (page, rest) => call(page, rest) as Promise<Record<string, unknown>>)
  return Object.assign(call, { all })
}

interface CallArguments<Options extends CallOptions> {
  input: Input
  options: Options
}

async function json(
  connection: Connection,
  named: NamedOperation,
  given: CallArguments<CallOptions>,
): Promise<unknown> {
  const { signal, release } = joined([connection.signal, given.options.signal])
  try {
    return await sent(connection, named, { ...given, signal, read: (response) => jsonOf(response, signal) })
  } finally {
    release()
  }
}

async function download(
  connection: Connection,
  named: NamedOperation,
  given: CallArguments<DownloadOptions>,
): Promise<Download> {
  const { ifNoneMatch, sha256, headers } = given.options
  const { signal, release } = joined([connection.signal, given.options.signal])
  const options = { headers: { ...headers, ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }) } }
  const read = async (response: FetchResponse) =>
    new Download(response, { platform: connection.platform, sha256, signal, done: release })
  try {
    return await sent(connection, named, { input: given.input, options, signal, read })
  } catch (error) {
    release()
    throw error
  }
}

async function* events(connection: Connection, named: NamedOperation, { input, options }: CallArguments<CallOptions>) {
  const { signal, release } = joined([connection.signal, options.signal])
  const headers = { ...options.headers, Accept: 'text/event-stream' }
  try {
    const body = await sent(connection, named, { input, options: { headers }, signal, read: async ({ body }) => body })
    if (body) yield* eventsOf(body, signal)
  } finally {
    release()
  }
}

interface RequestOptions<T> extends CallArguments<CallOptions> {
  signal: AbortSignal | undefined
  /** Reads a response that succeeded; what fails here is tried again too. */
  read(response: FetchResponse): Promise<T>
}

/** Sends a call, several times if that is safe. */
async function sent<T>(
  connection: Connection,
  { name, row }: NamedOperation,
  { input, options, signal, read }: RequestOptions<T>,
): Promise<T> {
  const parts = await requestOf(name, row, { url: connection.url, input })
  const headers = { ...options.headers, ...parts.headers, ...onceHeaders(connection.platform, row, options) }
  const send = (proof: object = {}) =>
    authorized(connection, row, { ...parts, headers: { ...headers, ...proof }, signal })
  // A refusal comes before anything is done, so every operation may be sent again with a proof.
  const attempt = async () =>
    read(await send().catch(async (error) => send(await proofFor({ ...connection, signal }, error))))
  return row.repeatable ? retrying({ ...connection, signal }, attempt) : attempt()
}

/** What makes a write safe to be sent again, or tries it. Operations that take a password or a code know neither. */
function onceHeaders({ randomBytes }: Platform, row: OperationRow, options: CallOptions): Record<string, string> {
  const { dryRun = false, idempotencyKey } = options
  if (row.method === 'GET') return {}
  if (!row.repeatable) {
    if (dryRun || idempotencyKey !== undefined) throw new InputError('This operation can be neither tried nor repeated')
    return {}
  }
  if (dryRun) return { Prefer: 'handling=dry-run' }
  const key = idempotencyKey ?? Array.from(randomBytes(16), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { 'Idempotency-Key': `"${key}"` }
}

interface Ready extends RequestParts {
  signal: AbortSignal | undefined
}

/** The response to one request. A 401 is refused before anything is done, so a fresh token may be tried with every operation. */
async function authorized(connection: Connection, row: OperationRow, request: Ready): Promise<FetchResponse> {
  const { credentials, fetch } = connection
  const { url, method, body, signal, headers } = request
  // A browser sends no cookie with a token: the session would win over it (interface.md, section 5).
  const send = (token: string | undefined) =>
    respond(fetch, url, {
      method,
      ...(token === undefined
        ? { headers }
        : { headers: { ...headers, Authorization: `Bearer ${token}` }, credentials: 'omit' }),
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    })
  const token = row.credential === 'none' || row.credential === 'session' ? undefined : await credentials.get(signal)
  const response = await send(token)
  if (response.status === 401 && token !== undefined) {
    const renewed = await credentials.renew(token, signal)
    if (renewed !== undefined) {
      await response.body?.cancel()
      return good(await send(renewed), signal)
    }
  }
  return good(response, signal)
}

async function good(response: FetchResponse, signal: AbortSignal | undefined): Promise<FetchResponse> {
  if (response.ok || response.status === 304) return response
  throw new GuildhallError(response, await textOf(response, signal))
}
