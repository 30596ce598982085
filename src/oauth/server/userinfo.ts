// The userinfo endpoint (OpenID Connect Core, 5.3), for opaque tokens and JWTs alike.

import type { Config } from '../../config/config.ts'
import type { KeyFault } from '../../contract/problem.ts'
import { getUser, type User } from '../../identity/account-queries.ts'
import { avatarUrl } from '../../identity/rules.ts'
import { challengeFor, type PresentedToken, presentedToken } from '../../request/credentials.ts'
import type { EndpointResponse, Serve } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { json, nonceHeader, protocolError } from '../area.ts'
import type { AuthenticateToken } from '../bearer/bearer.ts'

export function userinfoEndpoint({ db, config }: Dependencies, authenticate: AuthenticateToken): Serve {
  return async ({ request, now }) => {
    const token = presentedToken(request)
    const found = token && (await authenticate(token, now))
    if (!found?.caller || found.blocked)
      return refusal('invalid_token', token, found && 'fault' in found ? found.fault : undefined)
    const { scopes } = found.caller.via
    if (!scopes.includes('openid')) return refusal('insufficient_scope', token)
    const { email, email_verified, ...profile } = claimsOf(await getUser(db, found.caller.id), config)
    const claims = {
      sub: found.caller.id,
      ...(scopes.includes('profile') && profile),
      ...(scopes.includes('email') && { email, email_verified }),
    }
    return json(200, claims, nonceHeader(found.nonce))
  }
}

/** RFC 6750, 3.1: a request without any credential is not told of an error. */
function refusal(error: keyof typeof refusals, token: PresentedToken | undefined, fault?: KeyFault): EndpointResponse {
  const { status, description, parameters } = refusals[error]
  const challenge = token ? `Bearer error="${error}"${parameters}` : 'Bearer'
  const { headers, ...reply } = protocolError(status, fault?.error ?? error, fault?.message ?? description)
  return {
    ...reply,
    headers: {
      ...headers,
      'WWW-Authenticate': challengeFor(challenge, token?.scheme ?? 'Bearer', fault),
      ...nonceHeader(fault?.nonce),
    },
  }
}

const refusals = {
  invalid_token: { status: 401, description: 'The access token is not valid', parameters: '' },
  insufficient_scope: { status: 403, description: 'The token lacks the scope openid', parameters: ', scope="openid"' },
}

/** OpenID Connect Core, 5.1. */
export function claimsOf(user: User, { baseUrl }: Pick<Config, 'baseUrl'>) {
  const picture = avatarUrl(user)
  return {
    ...(user.name && { name: user.name }),
    ...(user.username && { preferred_username: user.username }),
    ...(picture && { picture: `${baseUrl}${picture}` }),
    email: user.email,
    email_verified: user.emailVerifiedAt !== null,
  }
}
