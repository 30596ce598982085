// One structured line for each request (REQUEST_LOG), when its response is sent or given up. No header, body, address or query is in
// it: the network of the caller is a prefix of the address.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { addressKey } from '../../budgets/budgets.ts'
import type { Problem } from '../../contract/problem.ts'
import type { Caller } from '../../request/handler.ts'
import type { Log } from '../../runtime/log.ts'

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
