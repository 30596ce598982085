// Polling (RFC 8628, 3.4 and 3.5): what a client gets before the decision, and once the tokens.

import { tokenActions } from '../../identity/audit-actions.ts'
import { findGrant, holdGrantOf } from '../../identity/grant-queries.ts'
import { recordTokenUse } from '../../identity/grants.ts'
import type { EndpointRequest, EndpointResponse } from '../../request/endpoint.ts'
import { sha256 } from '../../runtime/hash.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { json, nonceHeader, orRefused, protocolError, RefusalError, tokenReply } from '../area.ts'
import { withDetails } from '../bounds.ts'
import { requireAuthenticatedId } from '../client-authentication.ts'
import type { Client } from '../clients.ts'
import type { Proof } from '../dpop/dpop.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { type DeviceCode, findDeviceCode, updatePoll } from '../queries.ts'
import { ACCESS_SECONDS, REFRESH_SECONDS } from '../rules.ts'
import { within } from '../storage.ts'
import { INTERVAL_SECONDS, isTooSoon, MAX_INTERVAL_SECONDS } from './user-codes.ts'

interface Poll {
  received: EndpointRequest
  form: URLSearchParams
  headers: Record<string, string>
  proof: Proof | undefined
  authenticated: Client | undefined
}

/** The response to a poll. The library makes the tokens, once an account allowed it. */
export async function exchangeDeviceCode(parts: OAuthContext, poll: Poll): Promise<EndpointResponse> {
  const { db } = parts.dependencies
  const code = await findDeviceCode(db, sha256(poll.form.get('device_code') ?? ''))
  if (!code || code.clientId !== poll.form.get('client_id'))
    return protocolError(400, 'invalid_grant', 'the device code is not known')
  await requireAuthenticatedId(parts, code.clientId, poll.authenticated)
  const { now } = poll.received
  if (code.consumedAt) return protocolError(400, 'invalid_grant', 'the device code was used')
  if (code.decision === 'denied') return protocolError(400, 'access_denied', 'the request was declined')
  if (code.expiresAt <= now) return protocolError(400, 'expired_token', 'the device code has expired')
  if (code.decision === null) return waiting(parts, code, now)
  return orRefused(() => issue(parts, poll, code))
}

/** Of two polls at once one is too soon. */
async function waiting(
  { dependencies: { db } }: OAuthContext,
  code: DeviceCode,
  now: string,
): Promise<EndpointResponse> {
  const { intervalSeconds } = code
  const tooSoon = isTooSoon(code, now)
  const longer = Math.min(intervalSeconds + INTERVAL_SECONDS, MAX_INTERVAL_SECONDS)
  const noted = await updatePoll(db, code, { polledAt: now, intervalSeconds: tooSoon ? longer : intervalSeconds })
  if (tooSoon || !noted)
    return protocolError(400, 'slow_down', `poll at most once in ${tooSoon ? longer : intervalSeconds} seconds`)
  return protocolError(400, 'authorization_pending', 'there is no decision yet')
}

function issue({ dependencies: { db }, server }: OAuthContext, poll: Poll, { grantId }: DeviceCode) {
  const { received, form, headers, proof } = poll
  return db.transaction().execute((transaction) =>
    within(transaction, async () => {
      const { call } = await server()
      const grant = grantId === null ? undefined : await findGrant(transaction, { id: grantId })
      if (!grant) throw new RefusalError(protocolError(400, 'invalid_grant', 'the sign-in was revoked'))
      // Locks are taken in one order everywhere: account, grant, token.
      await holdGrantOf(transaction, { userId: grant.userId, grantId: grant.id })
      const { status, text } = await call({ method: 'POST', path: '/oauth2/token', headers, body: form.toString() })
      if (status !== 200) {
        const refusal = parseJson<{ error: string; error_description?: string }>(text)
        throw new RefusalError(json(status, refusal, nonceHeader(proof?.nonce)))
      }
      const { refresh_token: refreshToken, scope } = parseJson<{ refresh_token?: string; scope: string }>(text)
      await recordTokenUse(transaction, received, {
        ...{ grantId: grant.id, userId: grant.userId, clientId: grant.clientId },
        ...{ action: tokenActions.issue, scope, forSeconds: refreshToken ? REFRESH_SECONDS : ACCESS_SECONDS },
      })
      return tokenReply(withDetails(text, grant, received.now), proof?.nonce)
    }),
  )
}
