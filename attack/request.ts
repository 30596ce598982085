// Requests as an attacker writes them: the path goes out as it stands, redirects are not followed, headers are not checked.
import { type IncomingHttpHeaders, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { connect as connectPlain } from 'node:net'
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

const bytesOf = (body: string | Uint8Array | undefined) => (body === undefined ? undefined : Buffer.from(body))

/** Sends one request on a connection of its own. */
export function sendRequest(place: Place, { method = 'GET', path, headers = {}, body }: Sent): Promise<Reply> {
  const bytes = bytesOf(body)
  const started = performance.now()
  return new Promise((resolve, reject) => {
    let answered = false
    const sending = (place.secure ? tlsRequest : plainRequest)(
      {
        host: place.hostname,
        port: place.port,
        method,
        path,
        agent: false,
        timeout: TIMEOUT_MILLISECONDS,
        ...(place.secure && { servername: new URL(place.origin).hostname }),
        headers: {
          Host: new URL(place.origin).host,
          ...(bytes && !('Transfer-Encoding' in headers) && { 'Content-Length': String(bytes.byteLength) }),
          ...headers,
        },
      },
      (response) => {
        answered = true
        const chunks: Buffer[] = []
        const finish = () => resolve(replyOf(response, Buffer.concat(chunks), performance.now() - started))
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', finish)
        response.on('error', finish)
      },
    )
    sending.on('timeout', () => sending.destroy(new Error(`no answer within ${TIMEOUT_MILLISECONDS / 1000} s`)))
    sending.on('error', (error: NodeJS.ErrnoException) => {
      if (answered) return
      // A server that refuses a body may close before all of it is sent, and its answer is lost: that is status 0.
      const closed = bytes && (error.code === 'EPIPE' || error.code === 'ECONNRESET')
      if (closed) resolve(replyOf({ headers: {} }, Buffer.from('closed'), performance.now() - started))
      else reject(error)
    })
    sending.end(bytes)
  })
}

type Response = { statusCode?: number; headers: IncomingHttpHeaders }

function replyOf({ statusCode = 0, headers }: Response, bytes: Buffer, milliseconds: number): Reply {
  const text = bytes.toString('utf8')
  return {
    status: statusCode,
    headers,
    cookies: headers['set-cookie'] ?? [],
    bytes,
    text,
    milliseconds,
    json() {
      try {
        return JSON.parse(text) as Record<string, unknown>
      } catch {
        return undefined
      }
    },
  }
}

/** Sends these bytes and gives what comes back until the server closes, or for `milliseconds`. */
export function sendBytes(place: Place, bytes: string | Buffer, milliseconds = 2_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname: host, port } = place
    const socket = place.secure
      ? connectTls({ host, port, servername: new URL(place.origin).hostname })
      : connectPlain({ host, port })
    let received = ''
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(received)
    }
    const timer = setTimeout(finish, milliseconds)
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
    })
    socket.on('close', finish)
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNREFUSED' ? reject(error) : finish()))
    socket.write(bytes)
  })
}

/** The status of an answer that came as bytes; 0 when the server closed without one. */
export const statusOf = (received: string): number => Number(received.match(/^HTTP\/1\.[01] (\d{3})/)?.[1] ?? 0)
