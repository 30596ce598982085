// Requests as an attacker writes them: the path goes out as it stands, redirects are not followed, headers are not checked.
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'

const TIMEOUT_MILLISECONDS = 60_000

export interface Sent {
  method?: string
  /** As it is written on the request line. */
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}

export interface Reply {
  /** 0 when the server closed instead of taking the whole body. */
  status: number
  headers: IncomingHttpHeaders
  cookies: string[]
  bytes: Buffer
  text: string
  milliseconds: number
  /** The body as JSON; undefined when it is none. */
  json(): Record<string, unknown> | undefined
}

/** Where a server listens, and the origin it is known by. */
export interface Place {
  /** The public origin. */
  origin: string
  hostname: string
  port: number
  secure: boolean
}

/** The place at an origin; `hostname` is where to connect when that is another name. */
export function placeAt(origin: string, hostname?: string): Place {
  const url = new URL(origin)
  const secure = url.protocol === 'https:'
  return {
    origin: url.origin,
    hostname: hostname ?? url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 443 : 80),
    secure,
  }
}

const connectionTo = ({ origin, hostname: host, port }: Place) => ({
  host,
  port,
  servername: new URL(origin).hostname,
})

/** Sends one request on a connection of its own. */
export async function sendRequest(place: Place, { method = 'GET', path, headers = {}, body }: Sent): Promise<Reply> {
  const sent = body === undefined ? undefined : Buffer.from(body)
  const length = sent && !('Transfer-Encoding' in headers) && { 'Content-Length': String(sent.byteLength) }
  const started = performance.now()
  const request = (place.secure ? tlsRequest : plainRequest)({
    ...connectionTo(place),
    method,
    path,
    agent: false,
    timeout: TIMEOUT_MILLISECONDS,
    headers: { Host: new URL(place.origin).host, ...length, ...headers },
  })
  request.on('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MILLISECONDS / 1000} s`)))
  // One that comes after the answer changes nothing.
  request.on('error', () => {})
  request.end(sent)
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const bytes = await buffer(response).catch(() => Buffer.alloc(0))
    return replyOf(response, bytes, performance.now() - started)
  } catch (error) {
    // A server that refuses a body may close before all of it is sent, and its answer is lost: that is status 0.
    const { code } = error as NodeJS.ErrnoException
    if (!sent || (code !== 'EPIPE' && code !== 'ECONNRESET')) throw error
    return replyOf({ headers: {} }, Buffer.from('closed'), performance.now() - started)
  }
}

type Head = Pick<IncomingMessage, 'headers'> & { statusCode?: number | undefined }

function replyOf({ statusCode = 0, headers }: Head, bytes: Buffer, milliseconds: number): Reply {
  const text = bytes.toString('utf8')
  const json = () => {
    try {
      return JSON.parse(text) as Record<string, unknown>
    } catch {
      return undefined
    }
  }
  return { status: statusCode, headers, cookies: headers['set-cookie'] ?? [], bytes, text, milliseconds, json }
}

/** Sends these bytes and gives what comes back until the server closes, or for `milliseconds`. */
export async function sendBytes(place: Place, bytes: string | Buffer, milliseconds = 2_000): Promise<string> {
  const socket = place.secure ? connectTls(connectionTo(place)) : connectPlain(connectionTo(place))
  let received = ''
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
  })
  socket.write(bytes)
  try {
    await Promise.race([once(socket, 'close'), sleep(milliseconds, undefined, { ref: false })])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') throw error
  } finally {
    socket.on('error', () => {}).destroy()
  }
  return received
}

/** The status of an answer that came as bytes; 0 when the server closed without one. */
export const statusOf = (received: string): number => Number(received.match(/^HTTP\/1\.[01] (\d{3})/)?.[1] ?? 0)
