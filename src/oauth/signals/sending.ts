// The stream of this server: a signal is pushed to the receiver that the operator set (RFC 8935), signed with our key. A repeat carries the same
// `jti`.

import { deleteSignal, findSignal } from '../../identity/signal-queries.ts'
import { reachOf, sendGuarded } from '../../outgoing/guarded-request.ts'
import type { Dependencies } from '../../request/handler.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { SESSION_REVOKED, SET_TYPE } from './events.ts'

const TIMEOUT_MILLISECONDS = 5_000
const ANSWER_BYTES = 16_384

/** Sends a signal that waits, once. Rejects where the receiver does not take it: then it is sent again. */
export async function sendSignal(parts: Pick<OAuthContext, 'dependencies' | 'keys'>, id: string): Promise<void> {
  const { db, config } = parts.dependencies
  const signal = await findSignal(db, id)
  if (!signal) return
  const { signalStream: stream } = config
  if (stream) await push(parts.dependencies, stream, await tokenOf(parts, signal, stream.url))
  await deleteSignal(db, id)
}

interface Signal {
  id: string
  userId: string
  createdAt: string
}

/** RFC 8417, 2.2; the subject by RFC 9493, 3.2.3. */
async function tokenOf(
  { dependencies, keys }: Pick<OAuthContext, 'dependencies' | 'keys'>,
  { id, userId, createdAt }: Signal,
  audience: string,
): Promise<string> {
  const { SignJWT, importJWK } = await import('jose')
  const { signing } = await keys()
  const { issuer } = dependencies.config
  const claims = {
    ...{ iss: issuer, aud: audience, jti: id, iat: Math.floor(dependencies.clock.now() / 1000) },
    sub_id: { format: 'iss_sub', iss: issuer, sub: userId },
    events: { [SESSION_REVOKED]: { event_timestamp: Math.floor(Date.parse(createdAt) / 1000) } },
  }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', typ: SET_TYPE, kid: signing.kid })
    .sign(await importJWK({ ...signing }, 'EdDSA'))
}

async function push(
  { config, reach }: Pick<Dependencies, 'config' | 'reach'>,
  { url: address, token }: { url: string; token: string | undefined },
  body: string,
): Promise<void> {
  const url = new URL(address)
  const headers = {
    ...{ 'Content-Type': `application/${SET_TYPE}`, Accept: 'application/json' },
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
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
