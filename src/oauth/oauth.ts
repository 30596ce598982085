// The authorization server, as the rest of Guildhall sees it (interface.md, section 5).
import type { Endpoint } from '../request/endpoint.ts'
import type { Ground } from '../request/handler.ts'
import { oauth, refuse } from './area.ts'
import { bearer } from './bearer.ts'
import { claimHandlers } from './claim/claim.ts'
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
import { discoveryEndpoints } from './discovery.ts'
import { proofReader } from './dpop/dpop.ts'
import { type Keys, openKeys } from './keys.ts'
import { pushEndpoint } from './par.ts'
import { type Application, apiCaller, type Parts } from './parts.ts'
import { openServer } from './provider.ts'
import { registrationEndpoint } from './registration/registration.ts'
import { openRsaKey } from './rsa-key.ts'
import { signInHandlers } from './sign-ins/sign-ins.ts'
import { revokeEndpoint, tokenEndpoint } from './token/token.ts'
import { userinfoEndpoint } from './userinfo.ts'

export { oauth } from './area.ts'
export { newSigningKey } from './keys.ts'
export { openSecrets } from './secrets.ts'

/** Puts the authorization server together. Its keys and the library are loaded when they are first needed. */
export function createOAuth(ground: Ground, application: Application) {
  const keys = once(() => openKeys(ground.config))
  const rsaKey = once(async () => openRsaKey(ground, await keys()))
  const server = once(async () => {
    const opened = await keys()
    return openServer({ ground, keys: opened, rsaKey: await rsaKey(), pages: pages({ ground, keys: opened }) })
  })
  const parts: Parts = { ground, keys, server, callApi: apiCaller(application, ground.config.baseUrl) }
  const identify = bearer(ground, keys)
  return {
    handlers: { claims: claimHandlers({ server, read: proofReader(ground, keys) }), signIns: signInHandlers },
    bearer: identify,
    endpoints: [
      ...discoveryEndpoints(ground, { keys, rsaKey }),
      ...protocolEndpoints(parts, identify),
      ...pageEndpoints(parts),
    ] as readonly Endpoint[],
    /** Reads the signing key, or makes it: a start that cannot have one should fail, not the first request. */
    open: async (): Promise<Keys> => keys(),
    cleanUp: alone(() => cleanUp(ground)),
  }
}

/** Runs `make` at the first call; a failure is tried again at the next. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

/** Runs `task`, unless it is running: then its end is awaited. */
function alone(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= task().finally(() => {
      running = undefined
    })
    return running
  }
}

function protocolEndpoints(parts: Parts, identify: ReturnType<typeof bearer>): Endpoint[] {
  const { ground, keys, server } = parts
  const userinfo = userinfoEndpoint(ground, identify)
  const open: Pick<Endpoint, 'otherSites' | 'refuse'> = { otherSites: 'read', refuse }
  return [
    { ...open, path: '/api/auth/oauth2/token', methods: { POST: tokenEndpoint({ ground, keys, server }) } },
    { ...open, path: '/api/auth/oauth2/par', methods: { POST: pushEndpoint({ ground, keys, server }) } },
    { ...open, path: '/api/auth/oauth2/revoke', methods: { POST: revokeEndpoint(ground) } },
    { ...open, path: '/api/auth/oauth2/register', methods: { POST: registrationEndpoint(ground, server) } },
    { ...open, path: '/api/auth/oauth2/userinfo', methods: { GET: userinfo, POST: userinfo } },
  ]
}

function pageEndpoints(parts: Parts): Endpoint[] {
  const person: Pick<Endpoint, 'otherSites' | 'refuse'> = {
    otherSites: 'keep out',
    refuse: (problem) => errorPage(oauth.statusOf(problem.code), `${problem.message}.`),
  }
  // A client's form may begin a request from its own site (OpenID Connect Core, 3.1.2.1); it only leads to a page.
  return [
    { ...person, otherSites: 'send', path: '/api/auth/oauth2/authorize', methods: authorizeEndpoint(parts) },
    { ...person, refuse, path: '/api/auth/oauth2/consent', methods: { POST: consentEndpoint(parts) } },
    { ...person, path: '/oauth/consent', methods: { GET: consentPageEndpoint(parts) } },
    { ...person, path: '/oauth/sign-in', methods: signInEndpoint(parts) },
    { ...person, path: '/oauth/sign-out', methods: { POST: signOutEndpoint(parts) } },
    { ...person, path: '/oauth/username', methods: { POST: usernameEndpoint(parts) } },
  ]
}
