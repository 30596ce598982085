// Discovery documents for clients: RFC 8414, OpenID Connect Discovery, RFC 9728, and the public keys (RFC 7517).
import type { Config } from '../config/config.ts'
import { BOUNDS_TYPE } from '../contract/bounds.ts'
import { allScopes, apiScopes } from '../contract/scopes.ts'
import { strengthsOf } from '../contract/sign-in-strength.ts'
import { PROOF_ALGORITHMS } from '../request/credentials.ts'
import type { Endpoint } from '../request/endpoint.ts'
import type { RsaKey } from '../runtime/rsa-key.ts'
import { json, refuse } from './area.ts'
import type { OAuthContext } from './oauth-context.ts'
import {
  authUrl,
  BY_SECRET,
  CLIENT_ALGORITHMS,
  DEVICE_GRANT,
  JWT_BEARER,
  PRIVATE_KEY_JWT,
  TOKEN_EXCHANGE,
} from './rules.ts'

/** The same document, with the same issuer, at every path. */
function serverMetadata(config: Config) {
  const auth = authUrl(config)
  return {
    issuer: config.issuer,
    authorization_endpoint: `${auth}/oauth2/authorize`,
    token_endpoint: `${auth}/oauth2/token`,
    registration_endpoint: `${auth}/oauth2/register`,
    device_authorization_endpoint: `${auth}/oauth2/device_authorization`,
    revocation_endpoint: `${auth}/oauth2/revoke`,
    userinfo_endpoint: `${auth}/oauth2/userinfo`,
    pushed_authorization_request_endpoint: `${auth}/oauth2/par`,
    require_pushed_authorization_requests: false,
    jwks_uri: `${auth}/jwks`,
    scopes_supported: allScopes,
    authorization_details_types_supported: [BOUNDS_TYPE],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: ['authorization_code', 'refresh_token', DEVICE_GRANT, TOKEN_EXCHANGE, JWT_BEARER],
    token_endpoint_auth_methods_supported: ['none', PRIVATE_KEY_JWT, ...BY_SECRET],
    token_endpoint_auth_signing_alg_values_supported: CLIENT_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: ['none', PRIVATE_KEY_JWT, ...BY_SECRET],
    revocation_endpoint_auth_signing_alg_values_supported: CLIENT_ALGORITHMS,
    ...introspectionMetadata(config),
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'EdDSA'],
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
    claims_supported: [
      'sub',
      'name',
      'preferred_username',
      'picture',
      'email',
      'email_verified',
      'auth_time',
      'acr',
      'amr',
    ],
    acr_values_supported: strengthsOf(config),
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    prompt_values_supported: ['none', 'login', 'consent'],
    ...(config.identityProviders.length > 0 && {
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    }),
    agent_auth: agentAuth(config),
    protected_resources: [`${config.baseUrl}/api`, `${config.baseUrl}/api/mcp`],
  }
}

/** SSF 1.0, 7.1. Signals are of all accounts: there are no subjects to add. */
function signalsMetadata(config: Config) {
  const streams = `${authUrl(config)}/ssf`
  return {
    ...{ spec_version: '1_0', issuer: config.issuer, jwks_uri: `${authUrl(config)}/jwks` },
    delivery_methods_supported: ['urn:ietf:rfc:8935', 'urn:ietf:rfc:8936'],
    configuration_endpoint: `${streams}/stream`,
    status_endpoint: `${streams}/status`,
    verification_endpoint: `${streams}/verify`,
    authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:7617' }],
    default_subjects: 'ALL',
  }
}

const introspectionMetadata = (config: Config) =>
  config.resourceServers.length > 0 && {
    introspection_endpoint: `${authUrl(config)}/oauth2/introspect`,
    introspection_endpoint_auth_methods_supported: [...BY_SECRET, PRIVATE_KEY_JWT],
    introspection_endpoint_auth_signing_alg_values_supported: CLIENT_ALGORITHMS,
  }

/**
 * Where agents read how they get in (workos.com/auth-md). The endpoints that it knows are not named: ours for mailed codes takes other bodies
 * (interface.md, section 5), and an identity assertion goes to the token endpoint, which `authorization_grant_profiles_supported` says.
 */
const agentAuth = ({ baseUrl }: Config) => ({ skill: `${baseUrl}/auth.md` })

const resourceMetadata = ({ issuer }: Config, resource: string, name: string) => ({
  resource,
  resource_name: name,
  authorization_servers: [issuer],
  scopes_supported: apiScopes,
  bearer_methods_supported: ['header'],
  dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
  dpop_bound_access_tokens_required: false,
})

const CACHED = { 'Cache-Control': 'public, max-age=300' }

/** The paths that RFC 8414, 3.1 and OpenID Connect Discovery, 4 make of an issuer with a path, and the plain one. */
function metadataPaths(name: string, { issuer, baseUrl }: Config): string[] {
  const { origin, pathname } = new URL(issuer)
  const ofIssuer =
    origin === baseUrl && pathname !== '/' ? [`/.well-known/${name}${pathname}`, `${pathname}/.well-known/${name}`] : []
  const ofHere = [`/api/auth/.well-known/${name}`, `/.well-known/${name}`, `/.well-known/${name}/api/auth`]
  return [...new Set([...ofHere, ...ofIssuer])]
}

export function discoveryEndpoints(parts: OAuthContext, rsaKey: () => Promise<RsaKey>): Endpoint[] {
  const { config } = parts.dependencies
  const api = () => resourceMetadata(config, `${config.baseUrl}/api`, config.name)
  const mcp = () => resourceMetadata(config, `${config.baseUrl}/api/mcp`, `${config.name} tools`)
  const resources = '/.well-known/oauth-protected-resource'
  return [
    ...(config.resourceServers.some(({ signals }) => signals)
      ? metadataPaths('ssf-configuration', config).map((path) => document(path, async () => signalsMetadata(config)))
      : []),
    ...['oauth-authorization-server', 'openid-configuration'].flatMap((name) =>
      metadataPaths(name, config).map((path) => document(path, async () => serverMetadata(config))),
    ),
    document(resources, async () => api()),
    document(`${resources}/api`, async () => api()),
    // A client that was given the address with a slash looks here (RFC 9728, 3.1).
    ...[`${resources}/api/mcp`, `${resources}/api/mcp/`].map((path) => document(path, async () => mcp())),
    document('/api/auth/jwks', async () => ({ keys: await publicKeys(parts, await rsaKey()) })),
  ]
}

/** The Ed25519 keys, and behind them the RSA keys of ID tokens. */
async function publicKeys({ dependencies, keys }: OAuthContext, rsaKey: RsaKey): Promise<unknown[]> {
  const { listPublicRsaKeys } = await import('./rsa-key.ts')
  return [...(await keys()).published, ...(await listPublicRsaKeys(dependencies, rsaKey))]
}

function document(path: string, make: () => Promise<unknown>): Endpoint {
  return { path, otherSites: 'read', refuse, methods: { GET: async () => json(200, await make(), CACHED) } }
}
