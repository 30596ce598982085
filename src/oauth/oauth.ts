// The authorization server, as the rest of Guildhall sees it (interface.md, section 5).

import type { Scope } from '../contract/operation.ts'
import { ScopeUse } from '../identity/grant-life.ts'
import type { Endpoint } from '../request/endpoint.ts'
import type { Caller, Dependencies } from '../request/handler.ts'
import { once } from '../runtime/once.ts'
import { oauth, refuse } from './area.ts'
import { bearer, type ReadToken, tokenReader } from './bearer.ts'
import { claimHandlers } from './claim-handlers.ts'
import { cleanUp } from './clean-up.ts'
import {
  authorizeEndpoint,
  consentEndpoint,
  consentPageEndpoint,
  errorPage,
  pages,
  signInEndpoint,
  signOutEndpoint,
  usernameEndpoint,
} from './consent/consent.ts'
import { deviceAuthorizationEndpoint, devicePageEndpoint } from './device/device.ts'
import { discoveryEndpoints } from './discovery.ts'
import { proofReader } from './dpop/dpop.ts'
import { introspectionEndpoint } from './introspection/introspection.ts'
import { jwtReader } from './jwt.ts'
import { type Keys, openKeys } from './keys.ts'
import { inTime } from './library-time.ts'
import { apiCaller, type OAuthContext, type Operations } from './oauth-context.ts'
import { pushEndpoint } from './par.ts'
import { personalTokenHandlers } from './personal-tokens/personal-tokens.ts'
import { openServer } from './provider.ts'
import { registrationEndpoint } from './registration/registration.ts'
import { openRsaKey } from './rsa-key.ts'
import { handlers as signIns } from './sign-ins-handlers.ts'
import { revokeEndpoint, tokenEndpoint } from './token/token.ts'
import { userinfoEndpoint } from './userinfo.ts'

export { oauth } from './area.ts'
export { hasStoredKey, newSigningKey, openKeys, openSecrets } from './keys.ts'
export { ACCESS_SECONDS } from './rules.ts'

/** Puts the authorization server together. Its keys and the library are loaded when they are first needed. */
export function createOAuth(dependencies: Dependencies, operations: Operations) {
  const keys = once(() => openKeys(dependencies.config))
  const rsaKey = once(async () => openRsaKey(dependencies, await keys()))
  const server = once(async () => {
    const opened = await keys()
    return openServer({
      dependencies,
      keys: opened,
      rsaKey: await rsaKey(),
      pages: pages(dependencies, opened.secretFor('consent')),
    })
  })
  const parts: OAuthContext = {
    dependencies,
    keys,
    server,
    readProof: proofReader(dependencies, keys),
    readJwt: jwtReader(dependencies, keys),
    callApi: apiCaller(operations),
  }
  const timed = inTime(dependencies.clock)
  const { claim, verify } = claimHandlers(parts)
  const read = tokenReader(parts)
  const scopeUse = new ScopeUse()
  const authenticate = bearer(parts, read)
  const endpoints: readonly Endpoint[] = [
    ...discoveryEndpoints(parts, rsaKey),
    ...protocolEndpoints(parts, authenticate),
    ...introspectionEndpoints(dependencies, read),
    ...pageEndpoints(parts),
  ].map(({ methods, ...endpoint }) => ({
    ...endpoint,
    methods: Object.fromEntries(Object.entries(methods).map(([name, serve]) => [name, timed(serve)])),
  }))
  return {
    handlers: {
      claims: { claim: timed(claim), verify: timed(verify) },
      signIns,
      personalTokens: personalTokenHandlers,
    },
    bearer: authenticate,
    /** Notes which scopes grants use, for their accounts to see. */
    used({ via }: Caller, scope: Scope | undefined, now: string) {
      if (scope === undefined || !('grantId' in via) || via.grantId === null) return
      scopeUse.note(dependencies, { grantId: via.grantId, scope }, now)
    },
    endpoints,
    /** Reads the signing key, or makes it: a start that cannot have one should fail, not the first request. */
    open: async (): Promise<Keys> => keys(),
    /** Removes what has expired by this moment. */
    cleanUp: (now: string) => cleanUp(dependencies.db, now),
  }
}

function protocolEndpoints(parts: OAuthContext, authenticate: ReturnType<typeof bearer>): Endpoint[] {
  const userinfo = userinfoEndpoint(parts.dependencies, authenticate)
  const open: Pick<Endpoint, 'otherSites' | 'refuse'> = { otherSites: 'read', refuse }
  return [
    { ...open, path: '/api/auth/oauth2/token', methods: { POST: tokenEndpoint(parts) } },
    { ...open, path: '/api/auth/oauth2/par', methods: { POST: pushEndpoint(parts) } },
    { ...open, path: '/api/auth/oauth2/device_authorization', methods: { POST: deviceAuthorizationEndpoint(parts) } },
    { ...open, path: '/api/auth/oauth2/revoke', methods: { POST: revokeEndpoint(parts) } },
    { ...open, path: '/api/auth/oauth2/register', methods: { POST: registrationEndpoint(parts) } },
    { ...open, path: '/api/auth/oauth2/userinfo', methods: { GET: userinfo, POST: userinfo } },
  ]
}

/** There is none where the operator declares no resource server. */
function introspectionEndpoints(dependencies: Dependencies, read: ReadToken): Endpoint[] {
  if (dependencies.config.resourceServers.length === 0) return []
  const methods = { POST: introspectionEndpoint(dependencies, read) }
  return [{ otherSites: 'keep out', refuse, path: '/api/auth/oauth2/introspect', methods }]
}

function pageEndpoints(parts: OAuthContext): Endpoint[] {
  const person: Pick<Endpoint, 'otherSites' | 'refuse'> = {
    otherSites: 'keep out',
    refuse: (problem) => errorPage(oauth.statusOf(problem.code), `${problem.message}.`),
  }
  // A client's form may start a request from its own site (OpenID Connect Core, 3.1.2.1); it only leads to a page.
  return [
    { ...person, otherSites: 'send', path: '/api/auth/oauth2/authorize', methods: authorizeEndpoint(parts) },
    { ...person, refuse, path: '/api/auth/oauth2/consent', methods: { POST: consentEndpoint(parts) } },
    { ...person, path: '/oauth/consent', methods: { GET: consentPageEndpoint(parts) } },
    { ...person, path: '/oauth/device', methods: devicePageEndpoint(parts) },
    { ...person, path: '/oauth/sign-in', methods: signInEndpoint(parts) },
    { ...person, path: '/oauth/sign-out', methods: { POST: signOutEndpoint(parts) } },
    { ...person, path: '/oauth/username', methods: { POST: usernameEndpoint(parts) } },
  ]
}
