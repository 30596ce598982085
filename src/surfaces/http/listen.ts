// The Node server around the app: it sends cached answers to anonymous users, and stops without dropping a request. What is routed
// and cached is the target that the gate judged, on our own origin; the Host of a request only tells the two origins apart.
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { Config } from '../../config/config.ts'
import type { Changes } from '../../database/commit-cache.ts'
import { DEFAULT_NAME } from '../../language/named.ts'
import { newId } from '../../runtime/ids.ts'
import type { Log } from '../../runtime/log.ts'
import { required } from '../../runtime/untyped.ts'
import { sendBusy, sendRefusal } from './gate.ts'
import { clientAddress, type FilesHost, isAtFiles } from './origin.ts'
import { Connections, hasSmallBody, Overload, sheddingOf } from './overload.ts'
import type { Observe, RequestContext } from './pipeline.ts'
import { logRequest, type RequestRecord } from './pipeline.ts'
import { type MemberAnswers, ReadyAnswers, sendReady } from './ready-answers.ts'

export type App = (request: Request, requestContext: RequestContext) => Response | Promise<Response>

export interface ListenOptions {
  app: App
  config: Pick<Config, 'trustProxy' | 'baseUrl' | 'name' | 'readers'> & FilesHost
  /** The log of requests; undefined while requests are not logged. */
  requestLog?(): Log | undefined
  /** What caches must know of commits; without it no answer is cached. */
  changes?: Changes | undefined
  /** Without it no answer to a member is cached. */
  members?: MemberAnswers
  observe: Observe
  /** Shorter in tests. */
  stalledMilliseconds?: number
}

/**
 * An answer that is not read holds a connection and an open file. Without a byte either way for this long it is given up; a
 * write that had begun gets the same time once more. Less would cut off uploads that a slow bucket takes its time over.
 */
const STALLED_MILLISECONDS = 120_000

/** Of a request line and its headers together: addresses, queries, cookies and tokens are bounded by it, in what they cost too. */
const MAX_HEADER_BYTES = 16 * 1024

/**
 * A request without Host is refused by the gate, in our own words. Bodies that come too slowly are ended where they are read (body.ts);
 * Node itself would end an upload after five minutes.
 */
const SERVER_OPTIONS = { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false, requestTimeout: 1_000_000 }

/** A server that is not listening yet. */
export function createNodeServer(options: ListenOptions): Server {
  const { app, config, changes, observe, requestLog } = options
  const ready = changes && new ReadyAnswers(changes, options.members)
  const overload = new Overload()
  const records = new WeakMap<IncomingMessage, RequestRecord>()
  const listener = routingListener(config, (request, { message, outgoing }) => {
    const peer = message.socket.remoteAddress ?? ''
    const address = addressOf(message, config)
    const record = records.get(message)
    const context = {
      ...{ address, peer, observe, incoming: message, outgoing },
      ...(record && { record }),
    }
    const answer = () =>
      ready && !isAtFiles(message.headers.host, config)
        ? ready.fill(message, record, (keep) => app(request, keep ? { ...context, keep } : context))
        : app(request, context)
    return hasSmallBody(message) ? overload.count(address, answer) : answer()
  })
  const server = createServer(SERVER_OPTIONS, (incoming, outgoing) => {
    const count: Observe = (operation, status) => {
      const record = records.get(incoming)
      if (record) record.operation = operation
      observe(operation, status)
    }
    const log = requestLog?.()
    if (log) {
      const address = addressOf(incoming, config)
      records.set(incoming, logRequest(log, { incoming, outgoing, address, isBehindProxy: config.trustProxy > 0 }))
    }
    const refused = sendRefusal(incoming, outgoing, config)
    if (refused !== undefined) return count('gate', refused)
    const serve = () => {
      // The client has gone while the request waited to be read.
      if (incoming.socket.destroyed) return
      const answer = kept?.find(incoming, config)
      if (answer) return count('ready', sendReady(answer, { incoming, outgoing, record: records.get(incoming) }))
      if (overload.refuses(sheddingOf(pathOf(incoming)), addressOf(incoming, config)))
        return count('overload', sendBusy(incoming, outgoing, config))
      listener(incoming, outgoing)
    }
    // Cached responses are those of the main origin.
    const kept = isAtFiles(incoming.headers.host, config) ? undefined : ready
    const caughtUp = kept?.caughtUp(incoming)
    if (caughtUp) void caughtUp.then(serve)
    else serve()
  })
  server.keepAliveTimeout = 72_000
  // Node counts bytes that the system accepted, so a slow reader is not stalled.
  server.timeout = options.stalledMilliseconds ?? STALLED_MILLISECONDS
  server.on('clientError', refuseUnread)
  server.on('listening', () => overload.start())
  server.on('close', () => overload.stop())
  if (config.trustProxy === 0) boundConnections(server)
  return server
}

type Router = (
  request: Request,
  exchange: { message: IncomingMessage; outgoing: ServerResponse },
) => Response | Promise<Response>

/**
 * Answers requests that passed the gate. The URL of a Request is BASE_URL or FILES_URL and the judged target. The library would make it of Host
 * and target, and so let a Host that goes on like a path choose the route; an absolute target it takes as it is.
 */
function routingListener(
  config: Pick<Config, 'baseUrl'> & FilesHost,
  answer: Router,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const originOf = ({ headers }: IncomingMessage) =>
    config.filesUrl !== undefined && isAtFiles(headers.host, config) ? config.filesUrl : config.baseUrl
  const listener = getRequestListener((request, { incoming, outgoing }) => {
    const message = incoming as IncomingMessage
    message.url = required(message.url).slice(originOf(message).length)
    return answer(request, { message, outgoing: outgoing as ServerResponse })
  })
  return (incoming, outgoing) => {
    incoming.url = originOf(incoming) + incoming.url
    void listener(incoming, outgoing)
  }
}

/** The address of the caller, through trusted proxies. */
function addressOf({ socket, headers }: IncomingMessage, { trustProxy }: Pick<Config, 'trustProxy'>): string {
  const forwarded = trustProxy > 0 ? headers['x-forwarded-for'] : undefined
  return clientAddress(
    socket.remoteAddress ?? '',
    forwarded === undefined ? null : [forwarded].flat().join(', '),
    trustProxy,
  )
}

/** Refuses connections of a network with too many; behind a proxy the proxy must do so. */
function boundConnections(server: Server): void {
  const connections = new Connections()
  server.on('connection', (socket) => {
    const connection = connections.open(socket.remoteAddress ?? '')
    if (connection) socket.once('close', connection.close)
    else socket.destroy()
  })
}

const pathOf = ({ url = '' }: IncomingMessage) => url.split('?', 1)[0] ?? ''

/** Responds to bytes that are not HTTP, before there is a request: with fewer headers, in the format of other errors. */
function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex & { _httpMessage?: ServerResponse | null }): void {
  if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) {
    socket.destroy()
    return
  }
  const status = UNREAD_STATUS[error.code ?? ''] ?? 400
  const body = JSON.stringify({ error: STATUS_CODES[status] })
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': newId(),
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

const UNREAD_STATUS: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Only the paths matter there. */
const OPERATOR_ORIGIN = 'http://localhost'

/** A second server, for the operator's machines alone (METRICS_PORT); not listening yet. */
export function createOperatorServer(fetch: (request: Request) => Promise<Response>): Server {
  const listener = routingListener({ baseUrl: OPERATOR_ORIGIN }, fetch)
  const server = createServer(SERVER_OPTIONS, (incoming, outgoing) => {
    if (sendRefusal(incoming, outgoing, { name: DEFAULT_NAME }) === undefined) listener(incoming, outgoing)
  })
  server.on('clientError', refuseUnread)
  return server
}

/** Stops taking connections and resolves when the last request is answered; after `graceMilliseconds` the rest is cut off. */
export async function stopServer(server: Server, graceMilliseconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A connection is idle once its last request got its response.
  const closing = setInterval(() => server.closeIdleConnections(), 50)
  const cutting = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
  await closed
  clearInterval(closing)
  clearTimeout(cutting)
}
