// Streams of signals that their receivers manage (SSF 1.0, 8.1). A receiver is a resource server of the operator that may have one: it shows its secret,
// has one stream, and sees no other.

import { countTry } from '../../budgets/budgets.ts'
import type { ResourceServer } from '../../config/signing-key.ts'
import * as queries from '../../identity/signal-queries.ts'
import type { EndpointRequest, EndpointResponse, Serve } from '../../request/endpoint.ts'
import { after } from '../../runtime/clock.ts'
import { newId } from '../../runtime/ids.ts'
import { objectIn } from '../../runtime/json.ts'
import { seal } from '../../runtime/seal.ts'
import { json, orRefused, protocolError, RefusalError } from '../area.ts'
import { receiverOf } from '../introspection/introspection.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { authUrl } from '../rules.ts'
import { deliveryToken } from './sending.ts'
import * as rules from './stream-rules.ts'

const CALLS = { tries: 6_000, windowSeconds: 3_600 }
const NO_STORE = { 'Cache-Control': 'no-store' }

const refused = (status: number, error: string, description: string) =>
  new RefusalError(protocolError(status, error, description))
const missing = () => refused(404, 'not_found', 'There is no such stream')

type Parts = Pick<OAuthContext, 'dependencies' | 'keys'>

/** A call of a receiver. */
interface Call {
  parts: Parts
  receiver: ResourceServer
  received: EndpointRequest
}

/** The endpoints, by the names by which they are mounted. */
export function streamEndpoints(parts: Parts) {
  const of =
    (answer: (call: Call) => Promise<EndpointResponse>): Serve =>
    (received) =>
      orRefused(async () => {
        const receiver = await receiverOf(parts.dependencies, received)
        const { config, db } = parts.dependencies
        if (config.rateLimits) await countTry(db, { key: `ssf ${receiver.id}`, limit: CALLS, now: received.now })
        return answer({ parts, receiver, received })
      })
  return {
    createStream: of(create),
    readStream: of(read),
    patchStream: of((call) => change(call, 'patch')),
    putStream: of((call) => change(call, 'put')),
    deleteStream: of(remove),
    readStatus: of(readStatus),
    updateStatus: of(updateStatus),
    verifyStream: of(verify),
    pollStream: of(poll),
  } satisfies Record<string, Serve>
}

/** The body, as it has to be. */
function bodyOf<Body>(type: { safeParse(value: unknown): { data?: Body } }, { received }: Call): Body {
  const { data } = type.safeParse(objectIn(received.body))
  if (data === undefined) throw refused(400, 'invalid_request', 'The body is not what this endpoint takes')
  return data
}

/** The stream of the receiver, where that is the one that it names. */
async function streamOf({ parts, receiver }: Call, id: string | null | undefined): Promise<queries.SignalStream> {
  const stream = await queries.findStreamOf(parts.dependencies.db, receiver.id)
  if (!stream || stream.id !== id) throw missing()
  return stream
}

const idIn = ({ received }: Call) => received.url.searchParams.get('stream_id')

const shown = ({ parts: { dependencies } }: Call, stream: queries.SignalStream) => {
  const { config } = dependencies
  return rules.shownStream(stream, { issuer: config.issuer, pollUrl: `${authUrl(config)}/ssf/poll` })
}

/** The header that we are to send, sealed. */
async function sealedHeader({ parts }: Call, { delivery }: rules.StreamRequest): Promise<string | null> {
  const header = delivery?.method === rules.PUSH ? delivery.authorization_header : undefined
  return header === undefined ? null : seal((await parts.keys()).secretFor('signal streams'), header)
}

async function create(call: Call): Promise<EndpointResponse> {
  const { parts, receiver, received } = call
  const request = bodyOf(rules.StreamRequest, call)
  const stream = {
    ...{ id: newId(), receiverId: receiver.id, ...rules.storedRequest(request) },
    ...{ authorization: await sealedHeader(call, request), status: 'enabled' as const, reason: null },
    ...{ createdAt: received.now, verifiedAt: null },
  }
  if (!(await queries.insertStream(parts.dependencies.db, stream)))
    throw refused(409, 'conflict', 'A receiver has one stream')
  return json(201, shown(call, stream), NO_STORE)
}

async function read(call: Call): Promise<EndpointResponse> {
  const id = idIn(call)
  if (id !== null) return json(200, shown(call, await streamOf(call, id)), NO_STORE)
  const stream = await queries.findStreamOf(call.parts.dependencies.db, call.receiver.id)
  return json(200, stream ? [shown(call, stream)] : [], NO_STORE)
}

/** PATCH leaves what it does not name, PUT takes it away. */
async function change(call: Call, how: 'patch' | 'put'): Promise<EndpointResponse> {
  const { parts } = call
  const request = bodyOf(rules.StreamRequest, call)
  const stream = await streamOf(call, request.stream_id)
  const wrong = rules.wrongOurs(request, shown(call, stream))
  if (wrong !== undefined) throw refused(400, 'invalid_request', `${wrong} is not changed by the receiver`)
  const stored = rules.storedRequest(how === 'put' ? request : rules.changedRequest(stream, request))
  const { method, endpointUrl, ...rest } = stored
  const keepsDelivery = how === 'patch' && request.delivery === undefined
  const delivery = keepsDelivery ? {} : { method, endpointUrl, authorization: await sealedHeader(call, request) }
  await queries.updateStream(parts.dependencies.db, stream.id, { ...rest, ...delivery })
  return json(200, shown(call, await streamOf(call, stream.id)), NO_STORE)
}

async function remove(call: Call): Promise<EndpointResponse> {
  const { id } = await streamOf(call, idIn(call))
  await queries.deleteStream(call.parts.dependencies.db, id)
  return { status: 204, headers: NO_STORE, body: null }
}

const readStatus = async (call: Call) => json(200, rules.shownStatus(await streamOf(call, idIn(call))), NO_STORE)

/** What a stream that is disabled would have sent is not kept. */
async function updateStatus(call: Call): Promise<EndpointResponse> {
  const { db } = call.parts.dependencies
  const { stream_id: named, status, reason = null } = bodyOf(rules.StatusRequest, call)
  const { id } = await streamOf(call, named)
  await queries.updateStream(db, id, { status, reason })
  if (status === 'disabled') await queries.deleteDeliveries(db, id)
  return json(200, rules.shownStatus(await streamOf(call, id)), NO_STORE)
}

async function verify(call: Call): Promise<EndpointResponse> {
  const { db } = call.parts.dependencies
  const { now } = call.received
  const { stream_id: named, state } = bodyOf(rules.VerificationRequest, call)
  const { id: streamId, status } = await streamOf(call, named)
  if (status === 'disabled') throw refused(400, 'invalid_request', 'Nothing is sent over a stream that is disabled')
  await db.transaction().execute(async (transaction) => {
    const since = after(now, -rules.VERIFICATION_SECONDS)
    if (!(await queries.noteVerified(transaction, streamId, { now, since })))
      throw refused(429, 'too_many_requests', `Ask every ${rules.VERIFICATION_SECONDS} seconds at most`)
    const delivery = { id: `${newId()}.${streamId}`, streamId, userId: null, state: state ?? null }
    await queries.insertDelivery(transaction, { ...delivery, createdAt: now, givenUpAt: null })
  })
  return { status: 204, headers: NO_STORE, body: null }
}

/** RFC 8936, 2.4: takes what was acknowledged away, and gives what waits. */
async function poll(call: Call): Promise<EndpointResponse> {
  const { parts, receiver } = call
  const { db, log } = parts.dependencies
  const { maxEvents, ack, setErrs } = bodyOf(rules.PollRequest, call)
  const stream = await queries.findStreamOf(db, receiver.id)
  if (stream?.method !== 'poll') throw missing()
  const wrong = Object.keys(setErrs).slice(0, 1_000)
  if (wrong.length > 0) log.warn({ receiver: receiver.id, count: wrong.length }, 'a receiver refuses signals')
  await queries.deleteTaken(db, stream.id, [...ack, ...wrong])
  const most = Math.min(maxEvents, rules.MOST_EVENTS)
  const waiting = stream.status === 'enabled' ? await queries.listDeliveries(db, stream.id, most + 1) : []
  const sets = await Promise.all(
    waiting.slice(0, most).map(async (one) => [one.id, await deliveryToken(parts, one, receiver.id)] as const),
  )
  return json(200, { sets: Object.fromEntries(sets), ...(waiting.length > most && { moreAvailable: true }) }, NO_STORE)
}
