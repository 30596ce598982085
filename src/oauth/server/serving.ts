// What answers at the endpoints of the authorization server. It is loaded by the first request to one of them: a start is spared that.
import type { Serve } from '../../request/endpoint.ts'
import type { AuthenticateToken, ReadToken } from '../bearer/bearer.ts'
import {
  authorizeEndpoint,
  consentEndpoint,
  consentPageEndpoint,
  signInEndpoint,
  signOutEndpoint,
  usernameEndpoint,
} from '../consent/consent.ts'
import { deviceAuthorizationEndpoint, devicePageEndpoint } from '../device/device.ts'
import { introspectionEndpoint } from '../introspection/introspection.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { pushEndpoint } from '../par.ts'
import { registrationEndpoint } from '../registration/registration.ts'
import { streamEndpoints, takeSignals } from '../signals/signals.ts'
import { revokeEndpoint, tokenEndpoint } from '../token/token.ts'
import { userinfoEndpoint } from './userinfo.ts'

/** By the names by which oauth.ts mounts them. */
export type Serving = ReturnType<typeof servingOf>

export function servingOf(
  parts: OAuthContext,
  { read, authenticate }: { read: ReadToken; authenticate: AuthenticateToken },
) {
  const authorize = authorizeEndpoint(parts)
  const device = devicePageEndpoint(parts)
  const signIn = signInEndpoint(parts)
  return {
    token: tokenEndpoint(parts),
    push: pushEndpoint(parts),
    deviceAuthorization: deviceAuthorizationEndpoint(parts),
    revoke: revokeEndpoint(parts),
    register: registrationEndpoint(parts),
    userinfo: userinfoEndpoint(parts.dependencies, authenticate),
    introspect: introspectionEndpoint(parts, read),
    signals: takeSignals(parts),
    ...streamEndpoints(parts),
    authorize: authorize.GET,
    postedAuthorize: authorize.POST,
    consent: consentEndpoint(parts),
    consentPage: consentPageEndpoint(parts),
    devicePage: device.GET,
    deviceDecision: device.POST,
    signInPage: signIn.GET,
    signIn: signIn.POST,
    signOut: signOutEndpoint(parts),
    username: usernameEndpoint(parts),
  } satisfies Record<string, Serve>
}
