// The authorization server, as the rest of Guildhall sees it (interface.md, section 5).

import type { Scope } from '../../contract/operation.ts'
import type { TrustedPublishers } from '../../identity/ci-run.ts'
import { ScopeUse } from '../../identity/grant-life.ts'
import type { Endpoint, Serve } from '../../request/endpoint.ts'
import type { Caller, Dependencies, Handlers } from '../../request/handler.ts'
import { lazily } from '../../request/lazily.ts'
import { once } from '../../runtime/once.ts'
import { oauth, refuse } from '../area.ts'
import { bearer, tokenReader } from '../bearer/bearer.ts'
import { claims } from '../claim-contract.ts'
import { clientKeySets } from '../client-authentication.ts'
import { discoveryEndpoints } from '../discovery.ts'
import { proofReader } from '../dpop/dpop.ts'
import { HelperUse } from '../exchange/exchange.ts'
import { jwtReader } from '../jwt.ts'
import { openKeys } from '../keys/keys.ts'
import { inTime } from '../library-time.ts'
import { apiCaller, type OAuthContext, type Operations } from '../oauth-context.ts'
import { personalTokenHandlers } from '../personal-tokens/personal-tokens.ts'
import { secretClientHandlers } from '../secret-clients/secret-clients.ts'
import { signIns } from '../sign-ins-contract.ts'
import { errorPage } from '../view.ts'
import { workloadHandlers } from '../workloads/workloads.ts'
import type { Serving } from './serving.ts'

export { oauth } from '../area.ts'
export { hasStoredKey, newSigningKey, openKeys, openSecrets } from '../keys/keys.ts'
export { ACCESS_SECONDS } from '../rules.ts'

/**
 * Puts the authorization server together. Its keys, the library and what answers at its endpoints (serving.ts) are loaded when they are first
 * needed.
 */
export function createOAuth(dependencies: Dependencies, operations: Operations, publishers: TrustedPublishers) {
  const clientKeys = clientKeySets(dependencies)
  const keys = once(() => openKeys(dependencies.config))
  const rsaKey = once(async () => (await import('../rsa-key.ts')).openRsaKey(dependencies, await keys()))
  const server = once(async () => {
    const [{ openServer }, { pages }] = await Promise.all([import('./provider.ts'), import('../consent/consent.ts')])
    const opened = await keys()
    const consent = pages(dependencies, opened.secretFor('consent'))
    return openServer({ dependencies, keys: opened, rsaKey: await rsaKey(), pages: consent, clientKeys })
  })
  const parts: OAuthContext = {
    dependencies,
    keys,
    server,
    readProof: proofReader(dependencies, keys),
    readJwt: jwtReader(dependencies, keys),
    callApi: apiCaller(operations),
    publishers,
    clientKeys,
  }
  const read = tokenReader(parts)
  const authenticate = bearer(parts, read)
  const loaded = once(async () => (await import('./serving.ts')).servingOf(parts, { read, authenticate }))
  const serve =
    (name: keyof Serving): Serve =>
    async (received) =>
      (await loaded())[name](received)
  const endpoints: readonly Endpoint[] = [
    ...discoveryEndpoints(parts, rsaKey),
    ...protocolEndpoints(serve),
    ...(dependencies.config.resourceServers.length > 0 ? [introspectionEndpoint(serve)] : []),
    ...(dependencies.config.resourceServers.some(({ signals }) => signals) ? streamEndpoints(serve) : []),
    ...pageEndpoints(serve),
  ].map((endpoint) => inServersTime(endpoint, dependencies))
  return {
    handlers: {
      claims: lazily(claims, () => timedClaims(parts)),
      signIns: lazily(signIns, async () => (await import('./sign-ins-handlers.ts')).handlers),
      personalTokens: personalTokenHandlers,
      workloads: workloadHandlers,
      secretClients: secretClientHandlers,
    },
    bearer: authenticate,
    used: usesOf(dependencies),
    endpoints,
    /** Reads the signing key, or makes it: a start that cannot have one should fail, not the first request. */
    open: keys,
    /** Sends a signal that waits. */
    sendSignal: async (id: string) => (await import('../signals/signals.ts')).sendSignal(parts, id),
    /** Pushes what waits on a stream. */
    sendDelivery: async (id: string) => (await import('../signals/signals.ts')).sendDelivery(parts, id),
    /** Removes what has expired by this moment. */
    cleanUp: async (now: string) => (await import('../clean-up.ts')).cleanUp(dependencies.db, now),
  }
}

function inServersTime({ methods, ...endpoint }: Endpoint, { clock }: Dependencies): Endpoint {
  const timed = inTime(clock)
  return {
    ...endpoint,
    methods: Object.fromEntries(Object.entries(methods).map(([name, serve]) => [name, timed(serve)])),
  }
}

/** Notes which scopes grants use and when helpers act, for their accounts to see. */
function usesOf(dependencies: Dependencies) {
  const [scopeUse, helperUse] = [new ScopeUse(), new HelperUse()]
  return ({ via }: Caller, scope: Scope | undefined, now: string): void => {
    if (!('grantId' in via) || via.grantId === null) return
    if (via.handedOn) helperUse.note(dependencies, via.handedOn.tokenHash, now)
    if (scope !== undefined) scopeUse.note(dependencies, { grantId: via.grantId, scope }, now)
  }
}

async function timedClaims(parts: OAuthContext): Promise<Handlers<typeof claims>> {
  const timed = inTime(parts.dependencies.clock)
  const { claim, verify } = (await import('../claim-handlers.ts')).claimHandlers(parts)
  return { claim: timed(claim), verify: timed(verify) }
}

/** What answers at an endpoint, by its name. */
type ServeNamed = (name: keyof Serving) => Serve

function protocolEndpoints(serve: ServeNamed): Endpoint[] {
  const open: Pick<Endpoint, 'otherSites' | 'refuse'> = { otherSites: 'read', refuse }
  return [
    { ...open, path: '/api/auth/oauth2/token', methods: { POST: serve('token') } },
    { ...open, path: '/api/auth/oauth2/par', methods: { POST: serve('push') } },
    { ...open, path: '/api/auth/oauth2/device_authorization', methods: { POST: serve('deviceAuthorization') } },
    { ...open, path: '/api/auth/oauth2/revoke', methods: { POST: serve('revoke') } },
    { ...open, otherSites: 'keep out', path: '/api/auth/signals', methods: { POST: serve('signals') } },
    { ...open, path: '/api/auth/oauth2/register', methods: { POST: serve('register') } },
    { ...open, path: '/api/auth/oauth2/userinfo', methods: { GET: serve('userinfo'), POST: serve('userinfo') } },
  ]
}

/** There is none where the operator declares no resource server. */
const introspectionEndpoint = (serve: ServeNamed): Endpoint => ({
  ...{ otherSites: 'keep out', refuse, path: '/api/auth/oauth2/introspect', methods: { POST: serve('introspect') } },
})

/** The management of streams (SSF 1.0, 8.1), where a resource server may have one. */
function streamEndpoints(serve: ServeNamed): Endpoint[] {
  const server: Pick<Endpoint, 'otherSites' | 'refuse'> = { otherSites: 'keep out', refuse }
  const stream = { GET: serve('readStream'), POST: serve('createStream'), PATCH: serve('patchStream') }
  const path = '/api/auth/ssf'
  return [
    {
      ...{ ...server, path: `${path}/stream` },
      methods: { ...stream, PUT: serve('putStream'), DELETE: serve('deleteStream') },
    },
    { ...server, path: `${path}/status`, methods: { GET: serve('readStatus'), POST: serve('updateStatus') } },
    { ...server, path: `${path}/verify`, methods: { POST: serve('verifyStream') } },
    { ...server, path: `${path}/poll`, methods: { POST: serve('pollStream') } },
  ]
}

function pageEndpoints(serve: ServeNamed): Endpoint[] {
  const person: Pick<Endpoint, 'otherSites' | 'refuse'> = {
    otherSites: 'keep out',
    refuse: (problem) => errorPage(oauth.statusOf(problem.code), `${problem.message}.`),
  }
  const authorize = { GET: serve('authorize'), POST: serve('postedAuthorize') }
  // A client's form may start a request from its own site (OpenID Connect Core, 3.1.2.1); it only leads to a page.
  return [
    { ...person, otherSites: 'send', path: '/api/auth/oauth2/authorize', methods: authorize },
    { ...person, refuse, path: '/api/auth/oauth2/consent', methods: { POST: serve('consent') } },
    { ...person, path: '/oauth/consent', methods: { GET: serve('consentPage') } },
    { ...person, path: '/oauth/device', methods: { GET: serve('devicePage'), POST: serve('deviceDecision') } },
    { ...person, path: '/oauth/sign-in', methods: { GET: serve('signInPage'), POST: serve('signIn') } },
    { ...person, path: '/oauth/sign-out', methods: { POST: serve('signOut') } },
    { ...person, path: '/oauth/username', methods: { POST: serve('username') } },
  ]
}
