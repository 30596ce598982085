// What every request goes through before any route: it gets an id, passes the gate, and is logged and counted
// when there is a response. Security headers are in response.ts, limits of bodies in body.ts.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Hono } from 'hono'
import { addressKey } from '../../budgets/budgets.ts'
import type { Problem } from '../../contract/problem.ts'
import { noteSigner } from '../../request/credentials.ts'
import type { Caller, Dependencies } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import type { Log } from '../../runtime/log.ts'
import { once } from '../../runtime/once.ts'
import { traced } from '../../runtime/tracing.ts'
import { forClient } from '../../runtime/wanted.ts'
import { refuseRequest } from './gate.ts'
import { keepPrivate } from './response.ts'

// One structured line for each request (REQUEST_LOG), when its response is sent or given up. No header, body, address or query is in
// it: the network of the caller is a prefix of the address.

/** What is known of a request besides Node's own objects; filled in on its way. */
export interface RequestRecord {
  requestId?: string
  /** As metrics count it: `ready` for what was cached. */
  operation?: string
  /** As the contract writes it: `/api/community/bugs/{id}`. */
  path?: string
  /** The id of the account behind it. */
  account?: string
  /** The client whose token it has; none for a session of the site. */
  client?: string
  /** The site whose signature the request has (signed-requests.ts): a mark, and no right. */
  signer?: string
  /** The code of the refusal. */
  error?: string
}

interface LoggedRequest {
  record?: RequestRecord
  operation?: string
}

/** Says what a request is counted and logged as, and the template of its path. */
export function nameRequest(exchanged: LoggedRequest, operation: string, path: string): void {
  exchanged.operation = operation
  if (exchanged.record) exchanged.record.path = path
}

/** Notes the caller, where there is one; returns it. */
export function noteCaller<Who extends { caller?: Caller | undefined } | undefined>(
  { record }: LoggedRequest,
  who: Who,
): Who {
  const caller = who?.caller
  if (record && caller) {
    record.account = caller.id
    if ('clientId' in caller.via) record.client = caller.via.clientId
  }
  return who
}

/** Notes why a request is refused. */
export function noteProblem({ record }: LoggedRequest, { code }: Problem): void {
  if (record) record.error = code
}

/** The id that a proxy gave the request: kept in the log beside our own, because its log has it. */
const proxyIdOf = ({ headers }: IncomingMessage): string | undefined => {
  const id = headers['x-request-id']
  return typeof id === 'string' && /^[\w.:=/+-]{1,128}$/.test(id) ? id : undefined
}

interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** Of the caller. */
  address: string
  /** Whether a proxy in front is trusted: then its id of the request is one. */
  isBehindProxy: boolean
}

/** Logs the exchange when it is over; the caller fills in what it finds out. */
export function logRequest(log: Log, { incoming, outgoing, address, isBehindProxy }: Exchange): RequestRecord {
  const record: RequestRecord = {}
  const began = performance.now()
  const { socket } = incoming
  const written = socket.bytesWritten
  const proxyRequestId = isBehindProxy ? proxyIdOf(incoming) : undefined
  outgoing.once('close', () => {
    const line = {
      ...record,
      ...(proxyRequestId && { proxyRequestId }),
      method: incoming.method,
      status: outgoing.statusCode,
      milliseconds: Math.round((performance.now() - began) * 10) / 10,
      bytes: socket.bytesWritten - written,
      network: addressKey(address),
      ...(outgoing.writableFinished ? {} : { isCut: true }),
    }
    log.info(line, 'request')
  })
  return record
}

/** Counts a request; `took` is left out where nothing was done for it. */
export type Observe = (operation: string, status: number, took?: { seconds: number; requestId: string }) => void

/** Caches an answer that is the same for all anonymous users, or, with the moment until then, the same for the session that asked. */
export type KeepAnswer = (body: string, headers: Record<string, string>, until?: number) => void

/** What the server knows of a request beyond the request itself. A test may leave all of it out. */
export interface RequestContext {
  address?: string
  /** The other end of the connection itself, which may be a proxy. */
  peer?: string
  /** Caches an answer until a commit that may change it. */
  keep?: KeepAnswer
  /** Told of each request when it is answered, with how long that took. */
  observe?: Observe
  /** What the line about the request in the log says. */
  record?: RequestRecord
  /** Node's own request and answer: forms are read and files are sent without a web stream in between. */
  incoming?: IncomingMessage
  outgoing?: ServerResponse
}

/** What a surface finds at `c.env`. */
export interface ServedRequest extends RequestContext {
  /** Made here: an id that the caller sends is not taken over. Each surface puts it into its response. */
  readonly requestId: string
  /** What the request is logged and counted as; a request without is neither. Set by the surface. */
  operation?: string
}

export interface Env {
  Bindings: ServedRequest
}

export type Fetch = (request: Request, requestContext: RequestContext) => Response | Promise<Response>

/**
 * The way into `app`; `refuse` has another response for requests that no route may see.
 * It stands around the app: so it also sees what no route takes, and adds no step to the chain of handlers.
 */
export function pipelineOf(
  app: Hono<Env>,
  dependencies: Pick<Dependencies, 'config' | 'settings' | 'log' | 'caughtUp' | 'replicas' | 'clock' | 'reach'>,
  refuse: (request: Request, id: string) => Response | undefined = () => undefined,
): Fetch {
  const { config, settings, log, caughtUp, replicas } = dependencies
  const signers = once(async () => (await import('./signed-requests.ts')).signerReader(dependencies))
  const readSigner = async (request: Request) => (await signers())(request)
  return async (request, requestContext) => {
    const requestId = newId()
    const { record } = requestContext
    if (record) record.requestId = requestId
    // Of what comes from Node's server the gate has seen the target already (listen.ts).
    const refused =
      (requestContext.incoming ? undefined : refuseRequest(request, requestId, config)) ?? refuse(request, requestId)
    if (refused) return refused
    if (caughtUp && hasCredential(request)) await caughtUp()
    await settings.current()
    if (request.headers.has('signature-agent')) {
      const signer = await readSigner(request)
      if (signer) noteSigner(request, signer)
      if (record && signer) record.signer = signer
    }
    const exchanged: ServedRequest = { ...requestContext, requestId }
    const fetch = async () => app.fetch(request, exchanged)
    const answer = () => (replicas && isRead(request) ? replicas.reading(fetch) : fetch())
    const began = performance.now()
    const response = await traced(
      () => ({
        method: request.method,
        headers: trustsTraces(config) ? request.headers : undefined,
        isInner: false,
      }),
      async () => (endsWithClient(request, requestContext) ? forClient(gone(requestContext), answer) : answer()),
      ({ status }) => ({ operation: exchanged.operation, status: statusOf(status, requestContext), requestId }),
    )
    keepPrivate(response, config)
    const { operation, observe } = exchanged
    if (operation === undefined) return response
    if (record && operation) record.operation = operation
    const status = statusOf(response.status, requestContext)
    observe?.(operation, status, { seconds: (performance.now() - began) / 1000, requestId })
    if (log.isLevelEnabled('debug')) log.debug({ requestId, method: request.method, operation, status }, 'request')
    return response
  }
}

/** A file is sent beside the response (send-file.ts). */
const statusOf = (status: number, { outgoing }: RequestContext): number =>
  outgoing?.headersSent ? outgoing.statusCode : status

/** Anyone can send a trace context: it is taken from a proxy, or where no other machine can reach the server. */
const trustsTraces = ({ trustProxy, publicOrigin }: Dependencies['config']) => trustProxy > 0 || !publicOrigin

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD'

/** A form of the site may make several writes: they are all made, whether its client waits or not. */
const endsWithClient = (request: Request, { incoming }: RequestContext): boolean =>
  incoming !== undefined && (isRead(request) || (incoming.url?.startsWith('/api/') ?? false))

const gone =
  ({ incoming }: RequestContext) =>
  () =>
    incoming?.socket.destroyed ?? false

const hasCredential = ({ headers }: Request) => headers.has('cookie') || headers.has('authorization')
