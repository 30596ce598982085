// The device authorization endpoint (RFC 8628, 3.1): a program without a browser gets a code to poll with, and one for a person to type.
import { addressKey, ceilingOf, countTry, countUnder, networkOf } from '../../budgets/budgets.ts'
import { BOUNDS_TYPE, isBoundsAsked } from '../../contract/bounds.ts'
import { Problem } from '../../contract/problem.ts'
import { isScope, scopeNames } from '../../contract/scopes.ts'
import { deviceOf, systemOf } from '../../identity/device.ts'
import type { EndpointRequest, Serve } from '../../request/endpoint.ts'
import { after } from '../../runtime/clock.ts'
import { keyedHash, sha256 } from '../../runtime/hash.ts'
import { newToken } from '../../runtime/ids.ts'
import { json, orRefused, protocolError } from '../area.ts'
import { authenticatedClient, requireAuthenticated } from '../client-authentication.ts'
import { challenged, formIn, requireForm } from '../client-form.ts'
import { findClient } from '../clients.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { type DeviceCode, insertDeviceCode } from '../queries.ts'
import { DEFAULT_SCOPE, DEVICE_GRANT, resourceOf } from '../rules.ts'
import { DEVICE_SECONDS, INTERVAL_SECONDS, newUserCode, shownUserCode, userCodeKey } from './user-codes.ts'

export { exchangeDeviceCode } from './exchange.ts'
export { devicePageEndpoint } from './page.ts'

const MAX_BYTES = 4_096
/** Bounds the codes that can be guessed at, too: at most 4,000 are open at once. */
const REQUESTS = {
  ofAddress: { tries: 200, windowSeconds: 3_600 },
  inAll: ceilingOf('device', { tries: 2_000, windowSeconds: DEVICE_SECONDS }),
}
/** Two of the codes to type are alike once in a billion requests. */
const MAX_ATTEMPTS = 3

export function deviceAuthorizationEndpoint(parts: OAuthContext): Serve {
  const { dependencies, server } = parts
  const serve: Serve = async (received) => {
    requireForm(received.request)
    const { form, headers } = formIn(received)
    if (Buffer.byteLength(received.body) > MAX_BYTES)
      throw new Problem('too_large', `A request has at most ${MAX_BYTES} bytes`)
    await countRequest(parts, received)
    const { config } = dependencies
    const { provider } = await server()
    const authenticated = await authenticatedClient(parts, { form, headers }, received)
    const client = authenticated ?? (await findClient(provider, form.get('client_id') ?? ''))
    if (client) requireAuthenticated(client, authenticated)
    if (!client) return challenged(protocolError(401, 'invalid_client', 'The client is not known'), config)
    if (!client.grantTypeAllowed(DEVICE_GRANT))
      return protocolError(400, 'unauthorized_client', `The client did not register for ${DEVICE_GRANT}`)
    if (resourceOf(form.getAll('resource'), client.clientId, config) === 'refused')
      return protocolError(400, 'invalid_target', 'the resource is not for this client')
    const asked = scopeNames(form.get('scope') ?? '')
    const scope = asked.filter(isScope).join(' ')
    if (asked.length > 0 && scope === '')
      return protocolError(400, 'invalid_scope', 'none of the requested scopes exists')
    const bounds = form.get('authorization_details')
    if (bounds !== null && !isBoundsAsked(bounds))
      return protocolError(400, 'invalid_authorization_details', `send a list of at most one ${BOUNDS_TYPE}`)
    const strength = strengthAsked(form)
    if (!strength)
      return protocolError(400, 'invalid_request', 'max_age is a number of seconds, acr_values a list; one each')
    const request = { clientId: client.clientId, scope: scope || DEFAULT_SCOPE, bounds, ...strength }
    return json(200, await open(parts, received, request), { 'Cache-Control': 'no-store' })
  }
  return async (received) => challenged(await orRefused(() => serve(received)), dependencies.config)
}

/** How fresh and how strong the sign-in is to be, as at the authorization endpoint (RFC 9470, 4); undefined for what is neither. */
function strengthAsked(form: URLSearchParams): Pick<DeviceCode, 'maxAge' | 'acrValues'> | undefined {
  if (['max_age', 'acr_values'].some((name) => form.getAll(name).length > 1)) return undefined
  const [maxAge, acrValues] = [form.get('max_age'), form.get('acr_values')]
  if (maxAge !== null && !/^\d{1,9}$/.test(maxAge)) return undefined
  if (acrValues !== null && !/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(acrValues)) return undefined
  return { maxAge: maxAge === null ? null : Number(maxAge), acrValues }
}

async function countRequest({ dependencies: { db, config } }: OAuthContext, { now, address }: EndpointRequest) {
  if (!config.rateLimits) return
  await countTry(db, { key: `device ${addressKey(address)}`, limit: REQUESTS.ofAddress, now })
  await countUnder(db, REQUESTS.inAll, { address, now })
}

/** Stores the request; the answer of RFC 8628, 3.2. */
async function open(
  parts: OAuthContext,
  { now, address, request }: EndpointRequest,
  { clientId, scope, ...asked }: Pick<DeviceCode, 'clientId' | 'scope' | 'bounds' | 'maxAge' | 'acrValues'>,
) {
  const { db, config } = parts.dependencies
  const key = await userCodeKey(parts)
  const userAgent = request.headers.get('user-agent')
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const [deviceCode, userCode] = [newToken(), newUserCode()]
    const stored = await insertDeviceCode(db, {
      ...{ hash: sha256(deviceCode), codeHash: keyedHash(key, userCode), clientId, scope },
      ...{ network: networkOf(address), device: deviceOf(userAgent) ?? systemOf(userAgent) ?? null },
      ...{ createdAt: now, expiresAt: after(now, DEVICE_SECONDS), intervalSeconds: INTERVAL_SECONDS },
      ...{ polledAt: null, decision: null, grantId: null, consumedAt: null, ...asked },
    })
    if (!stored) continue
    const page = `${config.baseUrl}/oauth/device`
    return {
      device_code: deviceCode,
      user_code: shownUserCode(userCode),
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${shownUserCode(userCode)}`,
      expires_in: DEVICE_SECONDS,
      interval: INTERVAL_SECONDS,
    }
  }
  throw new Error('Every code to type was taken')
}
