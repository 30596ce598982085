// What this server sends, signed with its key: signals to the receiver that the operator set, and what waits on streams that receivers manage. It is
// pushed (RFC 8935) until it is taken. A repeat carries the same `jti`.

import {
  deleteDelivery,
  deleteSignal,
  deleteStream,
  findDelivery,
  findSignal,
  findStream,
  type SignalDelivery,
} from '../../identity/signal-queries.ts'
import { reachOf, sendGuarded } from '../../outgoing/guarded-request.ts'
import type { Dependencies } from '../../request/handler.ts'
import { unseal } from '../../runtime/seal.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { SESSION_REVOKED, SET_TYPE, VERIFICATION } from './events.ts'

type Parts = Pick<OAuthContext, 'dependencies' | 'keys'>

const TIMEOUT_MILLISECONDS = 5_000
const ANSWER_BYTES = 16_384

/** Sends a signal that waits, once. Rejects where the receiver does not take it: then it is sent again. */
export async function sendSignal(parts: Parts, id: string): Promise<void> {
  const { db, config } = parts.dependencies
  const signal = await findSignal(db, id)
  if (!signal) return
  const { signalStream: stream } = config
  if (stream) {
    const header = stream.token === undefined ? undefined : `Bearer ${stream.token}`
    await push(parts.dependencies, { url: stream.url, header }, await tokenOf(parts, signal, stream.url))
  }
  await deleteSignal(db, id)
}

/** Pushes what waits on a stream, once. */
export async function sendDelivery(parts: Parts, id: string): Promise<void> {
  const { db } = parts.dependencies
  const delivery = await findDelivery(db, id)
  const stream = delivery && (await findStream(db, delivery.streamId))
  if (!stream) return
  // The operator took the receiver back since.
  if (!isReceiver(parts, stream.receiverId)) return deleteStream(db, stream.id)
  if (stream.status !== 'enabled' || stream.endpointUrl === null) return
  const key = (await parts.keys()).secretFor('signal streams')
  const header = stream.authorization === null ? undefined : unseal(key, stream.authorization)
  const token = await deliveryToken(parts, delivery, stream.receiverId)
  await push(parts.dependencies, { url: stream.endpointUrl, header }, token)
  await deleteDelivery(db, id)
}

const isReceiver = ({ dependencies: { config } }: Parts, receiverId: string): boolean =>
  config.resourceServers.some(({ id, signals }) => signals && id === receiverId)

/** The token of what waits on a stream; a verification is about the stream itself (SSF 1.0, 8.1.4.1). */
export function deliveryToken(parts: Parts, delivery: SignalDelivery, audience: string): Promise<string> {
  const { id, userId, createdAt, streamId, state } = delivery
  if (userId !== null) return tokenOf(parts, { id, userId, createdAt }, audience)
  return signed(parts, {
    ...{ jti: id, aud: audience, sub_id: { format: 'opaque', id: streamId } },
    events: { [VERIFICATION]: state === null ? {} : { state } },
  })
}

interface Signal {
  id: string
  userId: string
  createdAt: string
}

/** RFC 8417, 2.2; the subject by RFC 9493, 3.2.3. `txn` is the same on every stream: they tell of one event (SSF 1.0, 4.1.9). */
const tokenOf = (parts: Parts, { id, userId, createdAt }: Signal, audience: string): Promise<string> =>
  signed(parts, {
    ...{ jti: id, txn: id.split('.', 1)[0], aud: audience },
    sub_id: { format: 'iss_sub', iss: parts.dependencies.config.issuer, sub: userId },
    events: { [SESSION_REVOKED]: { event_timestamp: Math.floor(Date.parse(createdAt) / 1000) } },
  })

async function signed({ dependencies, keys }: Parts, claims: Record<string, unknown>): Promise<string> {
  const { SignJWT, importJWK } = await import('jose')
  const { signing } = await keys()
  const iat = Math.floor(dependencies.clock.now() / 1000)
  return new SignJWT({ iss: dependencies.config.issuer, iat, ...claims })
    .setProtectedHeader({ alg: 'EdDSA', typ: SET_TYPE, kid: signing.kid })
    .sign(await importJWK({ ...signing }, 'EdDSA'))
}

async function push(
  { config, reach }: Pick<Dependencies, 'config' | 'reach'>,
  { url: address, header }: { url: string; header: string | undefined },
  body: string,
): Promise<void> {
  const url = new URL(address)
  const headers = {
    ...{ 'Content-Type': `application/${SET_TYPE}`, Accept: 'application/json' },
    ...(header !== undefined && { Authorization: header }),
  }
  const request = {
    method: 'POST',
    headers,
    body,
    timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    maxBytes: ANSWER_BYTES,
  } as const
  const { status } = await sendGuarded(url, request, reachOf(url, config.privateServices, reach))
  if (status < 200 || status > 299) throw new Error(`The receiver of signals answered with status ${status}`)
}
