// The userinfo endpoint (OpenID Connect Core, 5.3), for opaque tokens and JWTs alike.
import { getUser } from '../accounts/accounts.ts'
import type { Reply, Serve } from '../endpoint.ts'
import type { Ground } from '../handler.ts'
import { claimsOf } from './account-claims.ts'
import { json, protocolError } from './area.ts'
import type { Identified } from './bearer.ts'

type Identify = (token: string, now: string) => Promise<Identified | undefined>

export function userinfoEndpoint({ db, config }: Ground, identify: Identify): Serve {
  return async ({ request, now }) => {
    const token = request.headers.get('authorization')?.match(/^bearer +([^ ]+) *$/i)?.[1]
    const found = token ? await identify(token, now) : undefined
    if (!found || found.blocked) return refusal(401, 'invalid_token', 'The access token is not valid', token)
    const { scopes } = found.caller.via
    if (!scopes.includes('openid')) return refusal(403, 'insufficient_scope', 'The token lacks the scope openid', token)
    const { email, email_verified, ...profile } = claimsOf(await getUser(db, found.caller.id), config)
    return json(200, {
      sub: found.caller.id,
      ...(scopes.includes('profile') && profile),
      ...(scopes.includes('email') && { email, email_verified }),
    })
  }
}

/** RFC 6750, 3.1: a request without any credential is not told of an error. */
function refusal(status: number, error: string, description: string, token: string | undefined): Reply {
  const scope = error === 'insufficient_scope' ? ', scope="openid"' : ''
  const challenge = token ? `Bearer error="${error}"${scope}` : 'Bearer'
  return protocolError(status, error, description, { 'WWW-Authenticate': challenge })
}
