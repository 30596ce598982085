// The `fetch` of the command line: through the proxy that the environment names on every Node, and with the progress of what is sent.
import { Agent as HttpAgent, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, type RequestOptions } from 'node:https'
import { Readable } from 'node:stream'
import type { Fetch } from '../../client/src/fetching.ts'
import { proxyAddress, proxyFor, proxyHeaders, requestBy, tunnel } from './proxy.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Called with the bytes of the body that are sent, and with all of them. */
export type OnSent = (sent: number, total: number) => void

const MAX_REDIRECTS = 5
/** A connection on which nothing comes for so long is given up. */
const SILENCE_MILLISECONDS = 300_000
const PIECE_BYTES = 64 * 1024

const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }

interface Ready {
  method: string
  headers: Headers
  body: Buffer | undefined
  signal: AbortSignal | undefined
}

/** A `fetch` for the requests of this program. */
export function fetchWith(environment: Environment, onSent?: OnSent): Fetch {
  return async (url, { method = 'GET', headers, body, signal }) => {
    const encoded = body === undefined || body === null ? undefined : new Response(body)
    const all = new Headers(headers)
    const type = encoded?.headers.get('content-type')
    if (type && !all.has('content-type')) all.set('content-type', type)
    const bytes = encoded && Buffer.from(await encoded.arrayBuffer())
    const ready = { method, headers: all, body: bytes, signal: signal ?? undefined }
    return followed(new URL(url), ready, (target, request) => send(target, request, { environment, onSent }))
  }
}

/** The response at the end of redirects. Credentials are for the first origin alone (Fetch, HTTP-redirect fetch). */
async function followed(
  url: URL,
  ready: Ready,
  sendTo: (target: URL, ready: Ready) => Promise<Response>,
): Promise<Response> {
  let target = url
  for (let count = 0; ; count++) {
    const response = await sendTo(target, ready)
    const location = response.headers.get('location')
    if (ready.method !== 'GET' || response.status < 300 || response.status > 399 || !location) return response
    if (count === MAX_REDIRECTS) throw new Error(`More than ${MAX_REDIRECTS} redirects`)
    await response.body?.cancel()
    const next = new URL(location, target)
    if (next.origin !== target.origin) ready.headers.delete('authorization')
    target = next
  }
}

interface Way {
  environment: Environment
  onSent: OnSent | undefined
}

async function send(target: URL, { method, headers, body, signal }: Ready, way: Way): Promise<Response> {
  if (signal?.aborted) throw signal.reason
  const fields = Object.fromEntries(headers)
  const isWrite = body !== undefined || !/^(GET|HEAD)$/.test(method)
  const options = {
    method,
    headers: { accept: '*/*', ...fields, ...(isWrite && { 'content-length': String(body?.byteLength ?? 0) }) },
    signal,
  }
  const { by, ...route } = await routeTo(target, way.environment, signal)
  return new Promise((resolve, reject) => {
    const request = requestBy(by)({ ...options, ...route, headers: { ...options.headers, ...route.headers } })
    request.setTimeout(SILENCE_MILLISECONDS, () => request.destroy(new Error('Nothing came for five minutes')))
    request.once('error', reject)
    request.once('response', (message) => resolve(responseOf(message)))
    writeBody(request, body, way.onSent)
  })
}

/** The options of a request that lead to the target: straight, by a tunnel, or as a request to the proxy (RFC 9112, 3.2.2). */
async function routeTo(
  target: URL,
  environment: Environment,
  signal: AbortSignal | undefined,
): Promise<RequestOptions & { by: URL; headers?: Record<string, string> }> {
  const { hostname, port, pathname, search, protocol } = target
  const proxy = proxyFor(target, environment)
  if (proxy && protocol === 'http:') {
    const headers = { host: target.host, ...proxyHeaders(proxy) }
    return { by: proxy, ...proxyAddress(proxy), path: target.href, headers, agent: false }
  }
  const host = hostname.replace(/^\[|\]$/g, '')
  const straight = { by: target, host, port, path: `${pathname}${search}`, headers: { host: target.host } }
  if (!proxy) return { ...straight, agent: protocol === 'https:' ? agents.https : agents.http }
  const socket = await tunnel(target, proxy, signal)
  return { ...straight, createConnection: () => socket }
}

/** Sends the body piece by piece, so that its progress can be told. */
function writeBody(request: NodeJS.WritableStream, body: Buffer | undefined, onSent: OnSent | undefined): void {
  let sent = 0
  const next = (): void => {
    if (body === undefined || sent >= body.byteLength) return void request.end()
    const piece = body.subarray(sent, sent + PIECE_BYTES)
    request.write(piece, () => {
      sent += piece.byteLength
      onSent?.(sent, body.byteLength)
      next()
    })
  }
  next()
}

function responseOf(message: IncomingMessage): Response {
  const status = message.statusCode ?? 0
  const headers = new Headers()
  for (let at = 0; at < message.rawHeaders.length; at += 2) {
    headers.append(String(message.rawHeaders[at]), String(message.rawHeaders[at + 1]))
  }
  const isEmpty = status === 204 || status === 205 || status === 304
  if (isEmpty) message.resume()
  return new Response(isEmpty ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>), { status, headers })
}
