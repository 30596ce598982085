// The endpoints of OAuth in OpenAPI. Other specifications say what they are, so they have no contracts here; a test holds
// that each of them is here.
import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { authorizePaths } from './authorize-path.ts'
import { named } from './components.ts'
import { introspectPaths } from './introspect-path.ts'
import {
  budgetHeaders,
  CLIENT,
  ClientId,
  challenged,
  form,
  json,
  Proof,
  Resource,
  refused,
  retryAfter,
  ScopeText,
  unknownClient,
  unreadableQuery,
} from './protocol-fields.ts'

const REFRESH_TOKEN = 'ghr_4Tn8cPz6Hs1Vd9bJ2k7xQwRm3f5yLaEu'
const ACCOUNT = '01a1fb4e-bb9a-7544-87a4-2785318c8f22'

const TokenRequest = z.discriminatedUnion('grant_type', [
  z.object({
    grant_type: z.literal('authorization_code'),
    client_id: ClientId,
    code: z.string(),
    redirect_uri: z.string().optional().meta({ description: 'Needed where the authorization request named it' }),
    code_verifier: z.string(),
    resource: Resource,
  }),
  z.object({
    grant_type: z.literal('refresh_token'),
    client_id: ClientId,
    refresh_token: z.string(),
    scope: ScopeText.optional(),
    resource: Resource,
  }),
  z.object({
    grant_type: z.literal('urn:ietf:params:oauth:grant-type:device_code'),
    client_id: ClientId,
    device_code: z.string(),
    resource: Resource,
  }),
  z.object({
    grant_type: z.literal('urn:ietf:params:oauth:grant-type:token-exchange'),
    client_id: ClientId.optional(),
    subject_token: z.string().meta({ description: 'An access token of the client, or the ID token of a run of a CI' }),
    subject_token_type: z.enum([
      'urn:ietf:params:oauth:token-type:access_token',
      'urn:ietf:params:oauth:token-type:jwt',
      'urn:ietf:params:oauth:token-type:id_token',
    ]),
    requested_token_type: z.literal('urn:ietf:params:oauth:token-type:access_token').optional(),
    scope: ScopeText.optional(),
    resource: Resource,
    audience: z.string().optional().meta({ description: 'The same as resource' }),
    dpop_jkt: z.string().optional().meta({ description: 'The key of the helper, by its thumbprint' }),
    publisher: z.string().optional().meta({ description: 'Of a run: the id of the publisher, where several let it' }),
  }),
])

const TokenAnswer = z
  .object({
    access_token: z.string(),
    token_type: z.enum(['Bearer', 'DPoP']),
    expires_in: z.int().meta({ description: 'Seconds' }),
    scope: z.string(),
    refresh_token: z.string().optional().meta({ description: 'With offline_access' }),
    id_token: z.string().optional().meta({ description: 'With openid' }),
    item_id: z
      .string()
      .nullish()
      .meta({ description: 'Of a run: the item that it publishes; null where there is none' }),
    issued_token_type: z.string().optional().meta({ description: 'Of a token that is handed on (RFC 8693, 2.2.1)' }),
  })
  .meta({ id: 'TokenAnswer' })

const token: ZodOpenApiOperationObject = {
  operationId: 'oauth.token',
  summary:
    'Exchange a code, a refresh token or a device code, hand a token on, or let a run of a CI publish (RFC 6749, 3.2; RFC 8693)',
  description:
    'A refresh token is used once; sent again within five minutes, it gets the same answer. With a proof of a key the tokens are bound to it: they are good only with proofs of the same key.',
  tags: ['oauth'],
  security: [],
  requestParams: { header: Proof },
  requestBody: form(TokenRequest, {
    examples: {
      code: {
        value: {
          grant_type: 'authorization_code',
          client_id: CLIENT,
          code: 'SplxlOBeZQQYbYS6WxSbIA',
          redirect_uri: 'http://127.0.0.1:49152/callback',
          code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        },
      },
      refresh: { value: { grant_type: 'refresh_token', client_id: CLIENT, refresh_token: REFRESH_TOKEN } },
    },
  }),
  responses: {
    '200': {
      description: 'Tokens',
      content: json(TokenAnswer, {
        access_token: 'gha_8Yk2vJ0mQm7Xb0cG1u3tqfZk5n9rWdLs',
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'community:read community:write offline_access',
        refresh_token: REFRESH_TOKEN,
      }),
    },
    '400': refused(
      'Not exchanged (RFC 6749, 5.2)',
      ['invalid_grant', 'grant request is invalid'],
      ['authorization_pending', 'there is no decision yet'],
      ['slow_down', 'poll at most once in 10 seconds'],
      ['expired_token', 'the device code has expired'],
      ['invalid_scope', 'requested scope is not allowed'],
      ['invalid_target', 'the resource is not for this client'],
      ['invalid_dpop_proof', 'The DPoP proof was used before'],
      ['use_dpop_nonce', 'The proof is not recent; use this nonce'],
    ),
    '401': unknownClient,
  },
}

const ClientMetadata = z.object({
  redirect_uris: z.array(z.string()),
  client_name: z.string().optional().meta({ description: 'Becomes one line of at most 60 characters' }),
  token_endpoint_auth_method: z.string().optional().meta({ description: 'Always becomes none' }),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  scope: ScopeText.optional(),
  id_token_signed_response_alg: z.enum(['RS256', 'EdDSA']).optional().meta({ description: 'RS256 without it' }),
  dpop_bound_access_tokens: z.boolean().optional().meta({ description: 'Whether it always uses a key' }),
})

const register: ZodOpenApiOperationObject = {
  operationId: 'oauth.register',
  summary: 'Register a public client (RFC 7591)',
  description: 'Open to everyone. Metadata that is not supported is replaced; the response says what was registered.',
  tags: ['oauth'],
  security: [],
  requestBody: {
    required: true,
    content: json(ClientMetadata, {
      client_name: 'Morning agent',
      redirect_uris: ['http://127.0.0.1/callback'],
    }),
  },
  responses: {
    '201': {
      description: 'The client',
      headers: budgetHeaders('registrations', 201),
      content: json(z.looseObject({ client_id: z.string(), redirect_uris: z.array(z.string()) }), {
        client_id: 'qLx3QYk9b6kYv2s0',
        redirect_uris: ['http://127.0.0.1/callback'],
      }),
    },
    '400': refused(
      'Not registered (RFC 7591, 3.2.2)',
      ['invalid_redirect_uri', 'redirect_uris must not contain fragments'],
      ['invalid_client_metadata', 'Send the metadata as a JSON object'],
    ),
    '429': {
      ...refused('Too many registrations; Retry-After says how long to wait', ['rate_limited', 'Try again later']),
      headers: { ...retryAfter, ...budgetHeaders('registrations', 429) },
    },
  },
}

const revoke: ZodOpenApiOperationObject = {
  operationId: 'oauth.revoke',
  summary: 'Revoke a token (RFC 7009)',
  description: 'A refresh token ends its whole sign-in. A token of another client is left alone.',
  tags: ['oauth'],
  security: [],
  requestBody: form(z.object({ token: z.string(), token_type_hint: z.string().optional(), client_id: ClientId }), {
    example: { token: REFRESH_TOKEN, client_id: CLIENT },
  }),
  responses: {
    '200': { description: 'Done, also for an unknown token' },
    '400': refused('A parameter is missing', ['invalid_request', 'Send one token and one client_id']),
    '401': unknownClient,
  },
}

const Claims = z.looseObject({
  sub: z.string(),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
  picture: z.string().optional(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
})

const userinfo = (operationId: string): ZodOpenApiOperationObject => ({
  operationId,
  summary: 'Who a token with openid speaks for (OpenID Connect Core, 5.3)',
  description: 'Needs a token with the scope openid; profile and email add claims.',
  tags: ['oauth'],
  requestParams: { header: Proof },
  security: [{ bearer: [] }, { oauth2: ['openid'] }],
  responses: {
    '200': named('Claims', {
      description: 'Claims, as the scopes allow',
      content: json(Claims, { sub: ACCOUNT, name: 'Mira', preferred_username: 'mira' }),
    }),
    '400': named('UnreadableQuery', unreadableQuery),
    '401': named(
      'InvalidToken',
      challenged(refused('No valid token', ['invalid_token', 'The access token is not valid'])),
    ),
    '403': named(
      'WithoutOpenid',
      challenged(refused('The scope is missing', ['insufficient_scope', 'The token lacks the scope openid'])),
    ),
  },
})

const document = (
  operationId: string,
  summary: string,
  { name, schema, example }: { name: string; schema: z.ZodType; example: object },
) => ({
  get: {
    operationId,
    summary,
    description: 'Open to everyone and cacheable for five minutes.',
    tags: ['oauth'],
    security: [],
    responses: {
      '200': named(name, { description: 'The document', content: json(schema, example) }),
      '400': named('UnreadableQuery', unreadableQuery),
      '405': named('ForReading', refused('Another method', ['invalid_request', 'This is for reading'])),
    },
  },
})

const keys = {
  name: 'Keys',
  schema: z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) }),
  example: {
    keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: '2026', alg: 'EdDSA' }],
  },
}

const metadata = {
  name: 'Metadata',
  schema: z.looseObject({ issuer: z.string(), authorization_endpoint: z.string(), token_endpoint: z.string() }),
  example: {
    issuer: 'https://guildhall.example/api/auth',
    authorization_endpoint: 'https://guildhall.example/api/auth/oauth2/authorize',
    token_endpoint: 'https://guildhall.example/api/auth/oauth2/token',
  },
}

export const protocolPaths: ZodOpenApiPathsObject = {
  ...authorizePaths,
  ...introspectPaths,
  '/auth/oauth2/token': { post: token },
  '/auth/oauth2/register': { post: register },
  '/auth/oauth2/revoke': { post: revoke },
  '/auth/oauth2/userinfo': { get: userinfo('oauth.userinfo'), post: userinfo('oauth.userinfoByPost') },
  '/auth/jwks': document('oauth.jwks', 'The public keys of JWT access tokens and ID tokens (RFC 7517)', keys),
  '/auth/.well-known/oauth-authorization-server': document(
    'oauth.metadata',
    'Metadata of the authorization server (RFC 8414)',
    metadata,
  ),
  '/auth/.well-known/openid-configuration': document(
    'oauth.configuration',
    'The same, where OpenID Connect Discovery looks for it',
    metadata,
  ),
}
