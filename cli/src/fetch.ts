// The `fetch` of the command line: through the proxy that the environment names on every Node, and with the progress of what is sent.
import type { Agent as HttpAgent } from 'node:http'
import type { Agent as HttpsAgent, RequestOptions } from 'node:https'
import type { Fetch } from '../../client/src/fetching.ts'
import { type Bounds, boundTime } from './bound-time.ts'
import { http, https } from './http.ts'
import { proxyAddress, proxyFor, proxyHeaders, requestBy, tunnel } from './proxy.ts'
import { NodeResponse } from './response.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Called with the bytes of the body that are sent, and with all of them. */
export type OnSent = (sent: number, total: number) => void

const MAX_REDIRECTS = 5
const BOUNDS: Bounds = { silence: 30, quiet: 300, answer: 120, file: 900 }
const PIECE_BYTES = 64 * 1024

const agents: { http?: HttpAgent; https?: HttpsAgent } = {}

function agentFor({ protocol }: URL): HttpAgent {
  if (protocol === 'https:') {
    agents.https ??= new (https().Agent)({ keepAlive: true })
    return agents.https
  }
  agents.http ??= new (http().Agent)({ keepAlive: true })
  return agents.http
}

interface Ready {
  method: string
  headers: Record<string, string>
  body: Buffer | undefined
  signal: AbortSignal | undefined
}

/** A `fetch` for the requests of this program. */
export function fetchWith(environment: Environment, onSent?: OnSent, bounds: Bounds = BOUNDS): Fetch {
  return async (url, { method = 'GET', headers, body, signal }) => {
    const encoded = await encodedBody(body)
    const ready = { method, headers: fieldsOf(headers, encoded.type), body: encoded.bytes, signal: signal ?? undefined }
    return followed(new URL(url), ready, (target, request) => send(target, request, { environment, onSent, bounds }))
  }
}

interface Encoded {
  bytes?: Buffer
  type?: string | undefined
}

/** A body as it is sent, and of which type it is unless a header says so. Forms and files need what Node has for them. */
async function encodedBody(body: RequestInit['body']): Promise<Encoded> {
  if (body === undefined || body === null) return {}
  if (typeof body === 'string') return { bytes: Buffer.from(body), type: 'text/plain;charset=UTF-8' }
  const encoded = new Response(body)
  const type = encoded.headers.get('content-type') ?? undefined
  return { bytes: Buffer.from(await encoded.arrayBuffer()), type }
}

/** Headers by their names in small letters. */
function fieldsOf(headers: RequestInit['headers'] = {}, type?: string): Record<string, string> {
  const isPlain = !(Symbol.iterator in headers) && !('forEach' in headers)
  const pairs = isPlain ? Object.entries(headers as Record<string, string>) : [...new Headers(headers)]
  const fields = Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]))
  return type === undefined ? fields : { 'content-type': type, ...fields }
}

/** The response at the end of redirects. Credentials are for the first origin alone (Fetch, HTTP-redirect fetch). */
async function followed(
  url: URL,
  ready: Ready,
  sendTo: (target: URL, ready: Ready) => Promise<NodeResponse>,
): Promise<NodeResponse> {
  let target = url
  for (let count = 0; ; count++) {
    const response = await sendTo(target, ready)
    const location = response.headers.get('location')
    if (ready.method !== 'GET' || response.status < 300 || response.status > 399 || !location) return response
    if (count === MAX_REDIRECTS) throw new Error(`More than ${MAX_REDIRECTS} redirects`)
    await response.body?.cancel()
    const next = new URL(location, target)
    if (next.origin !== target.origin) delete ready.headers['authorization']
    target = next
  }
}

interface Way {
  environment: Environment
  onSent: OnSent | undefined
  bounds: Bounds
}

async function send(target: URL, { method, headers, body, signal }: Ready, way: Way): Promise<NodeResponse> {
  if (signal?.aborted) throw signal.reason
  const isWrite = body !== undefined || !/^(GET|HEAD)$/.test(method)
  const options = {
    method,
    headers: { accept: '*/*', ...headers, ...(isWrite && { 'content-length': String(body?.byteLength ?? 0) }) },
    signal,
  }
  const { by, ...route } = await routeTo(target, way.environment, signal)
  return new Promise((resolve, reject) => {
    const request = requestBy(by)({ ...options, ...route, headers: { ...options.headers, ...route.headers } })
    const isUpload = /^multipart\//.test(headers['content-type'] ?? '')
    boundTime(request, isUpload ? { ...way.bounds, silence: way.bounds.answer } : way.bounds)
    request.once('error', reject)
    request.once('response', (message) => resolve(new NodeResponse(message)))
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
  if (!proxy) return { ...straight, agent: agentFor(target) }
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
