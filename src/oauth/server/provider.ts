// The authorization server's library, configured. It checks authorization requests, codes with PKCE (RFC 7636), rotates
// refresh tokens, signs JWT access tokens (RFC 9068), and registers clients (RFC 7591).
import type { IncomingMessage } from 'node:http'
import type { Configuration, errors as Errors, KoaContextWithOIDC } from 'oidc-provider'
import type { Config } from '../../config/config.ts'
import { allScopes, isScope, scopeNames } from '../../contract/scopes.ts'
import { PHISHING_RESISTANT, strengthClaims, strengthOf } from '../../contract/sign-in-strength.ts'
import * as queries from '../../identity/grant-queries.ts'
import { AUTHORIZATION_CODE_SECONDS } from '../../identity/grants.ts'
import type { KeySets } from '../../outgoing/key-sets.ts'
import { PROOF_ALGORITHMS } from '../../request/credentials.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { newId } from '../../runtime/ids.ts'
import { outageOf } from '../../runtime/outage.ts'
import type { RsaKey } from '../../runtime/rsa-key.ts'
import { required } from '../../runtime/untyped.ts'
import { grantClaims, requireBounds } from '../bounds.ts'
import { bridge } from '../bridge.ts'
import { nonceSecret } from '../dpop/dpop.ts'
import { interactions, type Owner, type Pages } from '../interactions.ts'
import type { Keys } from '../keys/keys.ts'
import { epochTime, importLibrary } from '../library-time.ts'
import type { AuthorizationServer } from '../oauth-context.ts'
import { PUSHED } from '../par.ts'
import { fetchClient } from '../registration/registration.ts'
import {
  ACCESS_SECONDS,
  ACR_ASKED,
  authUrl,
  BOUNDS_ASKED,
  BY_SECRET,
  CLIENT_ALGORITHMS,
  DEVICE_GRANT,
  JWT_BEARER,
  MAX_AGE_ASKED,
  PRIVATE_KEY_JWT,
  REFRESH_SECONDS,
  TOKEN_EXCHANGE,
} from '../rules.ts'
import { current, storageFor } from '../storage.ts'
import { claimsOf } from './userinfo.ts'

type Context = KoaContextWithOIDC
type Library = typeof import('oidc-provider')

export interface ServerOptions {
  dependencies: Dependencies
  keys: Keys
  rsaKey: RsaKey
  pages: Pages
  /** Of clients at their addresses: fetched before the library is asked (client-authentication.ts). */
  clientKeys: KeySets
}

/** Imports and configures the library: 50 MB and a good part of a second, spent when it is first needed. */
export async function openServer(options: ServerOptions): Promise<AuthorizationServer> {
  const library = await importLibrary()
  const { config, log } = options.dependencies
  const owners = new WeakMap<IncomingMessage, Owner>()
  const provider = new library.Provider(config.issuer, configuration(library, options, owners))
  // So that clients can register for them. The exchanges themselves are ours (exchange/, assertions/) and never come here.
  for (const ours of [TOKEN_EXCHANGE, JWT_BEARER])
    provider.registerGrantType(ours, () => Promise.reject(new library.errors.UnsupportedGrantType()))
  const outages = new WeakMap<IncomingMessage, Error>()
  provider.on('server_error', ({ req }, error) => {
    if (outageOf(error)) outages.set(req, error)
    else log.error({ err: error }, 'the authorization server failed')
  })
  const base = authUrl(config)
  const send = bridge(provider.callback(), new URL(base).pathname)
  return {
    provider,
    agentResource: new provider.ResourceServer(config.agentAudience, agentServer(config)),
    async call({ path, owner, headers, ...call }) {
      // The library uses its session storage only for a cookie; the account found there is the owner.
      const cookie = owner && { cookie: '_session=owner' }
      const url = new URL(`${base}${path}`)
      let sent: IncomingMessage | undefined
      const answer = await send(
        { ...call, url, headers: { accept: 'application/json', ...headers, ...cookie } },
        (request) => {
          sent = request
          if (owner) owners.set(request, owner)
        },
      )
      // The library would report a server error; the caller of this function reports the outage.
      const outage = sent && outages.get(sent)
      if (outage) throw outage
      return answer
    },
  }
}

const agentServer = ({ agentAudience }: Config) => ({
  scope: allScopes.join(' '),
  audience: agentAudience,
  accessTokenTTL: ACCESS_SECONDS,
  accessTokenFormat: 'jwt' as const,
  jwt: { sign: { alg: 'EdDSA' as const } },
})

type Owners = WeakMap<IncomingMessage, Owner>

function configuration(library: Library, options: ServerOptions, owners: Owners): Configuration {
  const { config, db } = options.dependencies
  const { errors } = library
  const ownerOf = ({ req }: Context) => owners.get(req)
  return {
    adapter: adapterOf(library, options, owners),
    ...clientConfiguration(options),
    scopes: allScopes,
    acrValues: [PHISHING_RESISTANT],
    claims: {
      openid: ['sub', 'acr', 'amr'],
      profile: ['name', 'preferred_username', 'picture'],
      email: ['email', 'email_verified'],
    },
    // The ID token contains the claims of the scopes: many clients never call the userinfo endpoint.
    conformIdTokenClaims: false,
    features: features(options, errors),
    routes: {
      authorization: '/oauth2/authorize',
      token: '/oauth2/token',
      registration: '/oauth2/register',
      pushed_authorization_request: '/oauth2/par',
    },
    pkce: { required: () => true },
    // Revoking one grant revokes no other (interface.md, section 5).
    loadExistingGrant: (context) => {
      const decision = ownerOf(context)?.decision
      return typeof decision === 'object' ? context.oidc.provider.Grant.find(decision.grantId) : undefined
    },
    ...tokenConfiguration(options),
    interactions: interactions(library, options.pages, { ownerOf, waysIn: () => config.signIn }),
    extraParams: {
      // Runs after client and redirect are validated, so that the error goes to the client.
      scope_check: (context) => {
        const asked = scopeNames(String(context.oidc.params?.['scope'] ?? ''))
        if (!asked.some(isScope)) throw new errors.InvalidScope('none of the requested scopes exists', asked.join(' '))
      },
      // Which pushed request this one came from, for the decision to use it up.
      [PUSHED]: () => {},
      [MAX_AGE_ASKED]: () => {},
      [ACR_ASKED]: () => {},
      // The `authorization_details` of the request: there is one type, and the consent page has the last word (RFC 9396).
      [BOUNDS_ASKED]: (_context, value) => requireBounds(errors, value),
    },
    findAccount: async (_context, userId) => {
      const user = await queries.findUserToIssueTo(current(db), userId)
      return user && { accountId: user.id, claims: () => ({ sub: user.id, ...claimsOf(user, config) }) }
    },
    renderError: (context, out) => {
      context.body = { ...out }
    },
    // It follows no redirect to a document: that tells its two requests apart.
    fetch: async (url, init) =>
      init?.redirect === 'manual' ? fetchClient(options.dependencies, String(url)) : keysAt(options, String(url)),
  }
}

function adapterOf(
  library: Library,
  { dependencies }: ServerOptions,
  owners: Owners,
): NonNullable<Configuration['adapter']> {
  const { db, clock, config } = dependencies
  const { agentClientId, agentAudience } = config
  const alreadyUsed = () => new library.errors.InvalidGrant('already used')
  const replayed = () => new library.errors.InvalidDpopProof('the proof was used before')
  const storage = storageFor({ db, clock, agentClientId, agentAudience, alreadyUsed, replayed })
  return (kind: string) =>
    kind === 'Session' ? sessionOf(storage(kind), () => owners.get(required(library.Provider.ctx).req)) : storage(kind)
}

/**
 * Public clients, and those that authenticate with keys of their own or with a secret. Access tokens are signed by the Ed25519 key alone. ID tokens are RS256 for clients that request no algorithm,
 * as OpenID Connect Dynamic Client Registration, 2 requires; clients that were registered with EdDSA keep it.
 */
function clientConfiguration({ dependencies, keys, rsaKey }: ServerOptions): Configuration {
  return {
    jwks: {
      keys: [
        { ...keys.signing, alg: 'EdDSA', use: 'sig' },
        { ...rsaKey, alg: 'RS256', use: 'sig' },
      ],
    },
    clients: [agentClient(dependencies.config)],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'RS256',
    },
    clientAuthMethods: ['none', PRIVATE_KEY_JWT, ...BY_SECRET],
    responseTypes: ['code'],
    enabledJWA: {
      ...{ idTokenSigningAlgValues: ['RS256', 'EdDSA'], dPoPSigningAlgValues: [...PROOF_ALGORITHMS] },
      clientAuthSigningAlgValues: [...CLIENT_ALGORITHMS],
    },
  }
}

/** Our session identifies the user; the library's own session is built from it for one request and never stored. */
function sessionOf(storage: import('oidc-provider').Adapter, owner: () => Owner | undefined): typeof storage {
  return {
    ...storage,
    async find(id) {
      const found = owner()
      if (!found) return undefined
      const exp = epochTime() + 60
      const { userId: accountId, signedInAt: loginTs } = found
      return { jti: id, uid: newId(), kind: 'Session', accountId, loginTs, exp, ...strengthClaims(strengthOf(found)) }
    },
  }
}

/** The desktop and command-line agent; any port, literal addresses only (interface.md, section 5). */
const agentClient = ({ agentClientId, name }: Pick<Config, 'agentClientId' | 'name'>) => ({
  client_id: agentClientId,
  client_name: `${name} agent`,
  application_type: 'native' as const,
  redirect_uris: ['http://127.0.0.1/callback', 'http://[::1]/callback'],
  grant_types: ['authorization_code', 'refresh_token', DEVICE_GRANT, TOKEN_EXCHANGE],
  id_token_signed_response_alg: 'EdDSA' as const,
})

function features({ dependencies, keys }: ServerOptions, errors: typeof Errors): Configuration['features'] {
  const { agentClientId, agentAudience } = dependencies.config
  return {
    devInteractions: { enabled: false },
    // The library exchanges the code; the endpoint that makes it and the page are ours (device/).
    deviceFlow: { enabled: true },
    dPoP: { enabled: true, nonceSecret: nonceSecret(keys), requireNonce: () => false },
    pushedAuthorizationRequests: { enabled: true },
    rpInitiatedLogout: { enabled: false },
    registration: {
      enabled: true,
      initialAccessToken: false,
      issueRegistrationAccessToken: false,
      idFactory: newId,
    },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02', cacheDuration: { min: 300, max: 86_400 } },
    resourceIndicators: {
      enabled: true,
      ...noDefaultResource,
      getResourceServerInfo: (_context, resource, client) => {
        if (client.clientId !== agentClientId || resource !== agentAudience) throw new errors.InvalidTarget()
        return agentServer(dependencies.config)
      },
    },
  }
}

/** The library takes this; its types want a resource. */
const noDefaultResource: object = { defaultResource: () => undefined }

function tokenConfiguration({ dependencies }: ServerOptions): Configuration {
  const { db, clock, config } = dependencies
  return {
    issueRefreshToken: (_context, client, source) =>
      client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access'),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    ttl: {
      AccessToken: ACCESS_SECONDS,
      AuthorizationCode: AUTHORIZATION_CODE_SECONDS,
      RefreshToken: REFRESH_SECONDS,
      IdToken: ACCESS_SECONDS,
      Grant: REFRESH_SECONDS,
      Interaction: 60,
      Session: 60,
    },
    extraTokenClaims: async (_context, token) => {
      if (!('grantId' in token) || !token.aud) return undefined
      const session = await queries.findSessionOf(current(db), String(token.grantId), timestamp(clock.now()))
      const grant = await grantClaims(current(db), String(token.grantId))
      const claims = { azp: token.clientId, gid: token.grantId, plan: 'free', ...grant }
      return session === undefined ? claims : { ...claims, sid: session }
    },
    formats: {
      bitsOfOpaqueRandomness: 256,
      customizers: {
        jwt: (_context, token, { payload }) => {
          const iat = epochTime(clock.now())
          const userinfo = scopeNames(token.scope ?? '').includes('openid')
            ? [`${authUrl(config)}/oauth2/userinfo`]
            : []
          Object.assign(payload, { aud: [config.agentAudience, ...userinfo], iat, exp: iat + ACCESS_SECONDS })
        },
      },
    },
  }
}

const keysAt = ({ clientKeys }: ServerOptions, url: string) => Response.json(required(clientKeys.kept(url)))
