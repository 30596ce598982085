// The endpoints of OAuth and of MCP in OpenAPI: other specifications say what they are, so they are no operations of ours.
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'

const FORM = 'application/x-www-form-urlencoded'
const CLIENT = 'https://agent.example/client.json'

const texts = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))

const errorSchema = {
  type: 'object' as const,
  properties: texts(['error', 'error_description']),
  required: ['error'],
}
const refused = (description: string, error: string) => ({
  description,
  content: { 'application/json': { schema: errorSchema, example: { error, error_description: description } } },
})

const tokenAnswer = {
  type: 'object' as const,
  properties: {
    ...texts(['access_token', 'token_type', 'scope', 'refresh_token', 'id_token']),
    expires_in: { type: 'integer' as const, description: 'Seconds' },
  },
  required: ['access_token', 'token_type', 'expires_in', 'scope'],
}

const document = (summary: string, operationId: string, properties: Record<string, object>) => ({
  get: {
    operationId,
    summary,
    tags: ['oauth'],
    security: [],
    responses: {
      '200': {
        description: 'The document',
        content: {
          'application/json': { schema: { type: 'object' as const, properties, required: Object.keys(properties) } },
        },
      },
      '404': refused('There is nothing here', 'not_found'),
    },
  },
})

const token = {
  operationId: 'oauth.token',
  summary: 'Exchange a code or a refresh token (RFC 6749, 3.2)',
  tags: ['oauth'],
  security: [],
  requestBody: {
    required: true,
    content: {
      [FORM]: {
        schema: {
          type: 'object' as const,
          properties: {
            grant_type: { type: 'string' as const, enum: ['authorization_code', 'refresh_token'] },
            ...texts(['client_id', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope', 'resource']),
          },
          required: ['grant_type', 'client_id'],
        },
        example: {
          grant_type: 'refresh_token',
          client_id: CLIENT,
          refresh_token: 'ghr_4Tn8cPz6Hs1Vd9bJ2k7xQwRm3f5yLaEu',
        },
      },
    },
  },
  responses: {
    '200': { description: 'Tokens', content: { 'application/json': { schema: tokenAnswer } } },
    '400': refused('The code or refresh token is not good (RFC 6749, 5.2)', 'invalid_grant'),
  },
}

const register = {
  operationId: 'oauth.register',
  summary: 'Register a public client (RFC 7591); open to anybody',
  tags: ['oauth'],
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object' as const,
          properties: {
            redirect_uris: { type: 'array' as const, items: { type: 'string' as const } },
            grant_types: { type: 'array' as const, items: { type: 'string' as const } },
            ...texts(['client_name', 'token_endpoint_auth_method', 'scope']),
          },
          required: ['redirect_uris'],
        },
        example: {
          client_name: 'Morning agent',
          redirect_uris: ['http://127.0.0.1/callback'],
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
        },
      },
    },
  },
  responses: {
    '201': {
      description: 'The client, with its client_id',
      content: { 'application/json': { schema: { type: 'object' as const, properties: texts(['client_id']) } } },
    },
    '400': refused('The metadata is not good (RFC 7591, 3.2.2)', 'invalid_redirect_uri'),
  },
}

const revoke = {
  operationId: 'oauth.revoke',
  summary: 'Revoke a token (RFC 7009); a refresh token ends its sign-in',
  tags: ['oauth'],
  security: [],
  requestBody: {
    required: true,
    content: {
      [FORM]: {
        schema: {
          type: 'object' as const,
          properties: texts(['token', 'token_type_hint', 'client_id']),
          required: ['token', 'client_id'],
        },
        example: { token: 'ghr_4Tn8cPz6Hs1Vd9bJ2k7xQwRm3f5yLaEu', client_id: CLIENT },
      },
    },
  },
  responses: {
    '200': { description: 'Done, whatever the token was' },
    '400': refused('A parameter is missing', 'invalid_request'),
  },
}

const userinfo = {
  operationId: 'oauth.userinfo',
  summary: 'Who a token with openid speaks for (OpenID Connect Core, 5.3)',
  tags: ['oauth'],
  security: [{ bearer: ['openid'] }],
  responses: {
    '200': {
      description: 'Claims, as the scopes allow',
      content: {
        'application/json': {
          schema: {
            type: 'object' as const,
            properties: texts(['sub', 'name', 'preferred_username', 'email']),
            required: ['sub'],
          },
        },
      },
    },
    '401': refused('No valid token', 'invalid_token'),
  },
}

const jsonRpc = {
  type: 'object' as const,
  properties: {
    ...texts(['jsonrpc', 'method']),
    id: {},
    params: { type: 'object' as const, additionalProperties: true },
  },
  required: ['jsonrpc', 'method'],
}

const mcp: ZodOpenApiOperationObject = {
  operationId: 'mcp',
  summary: 'The same operations as MCP tools (Streamable HTTP, without sessions)',
  description: 'One JSON-RPC message a request, of any revision from 2025-03-26 to 2026-07-28.',
  tags: ['mcp'],
  security: [{}, { bearer: [] }],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: jsonRpc,
        example: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_feed', arguments: {} } },
      },
    },
  },
  responses: {
    '200': {
      description: 'The answer, or a stream that ends with it',
      content: {
        'application/json': { schema: { type: 'object' as const, properties: {} } },
        'text/event-stream': { schema: { type: 'string' as const } },
      },
    },
    '401': refused('The tool needs a token; WWW-Authenticate says where to get one', 'unauthorized'),
    '403': refused('The token lacks a scope, or the request came from another site', 'insufficient_scope'),
  },
}

export const protocolPaths: ZodOpenApiPathsObject = {
  '/auth/oauth2/token': { post: token },
  '/auth/oauth2/register': { post: register },
  '/auth/oauth2/revoke': { post: revoke },
  '/auth/oauth2/userinfo': { get: userinfo },
  '/auth/jwks': document('The public keys of JWT access tokens (RFC 7517)', 'oauth.jwks', {
    keys: { type: 'array', items: { type: 'object' } },
  }),
  '/auth/.well-known/oauth-authorization-server': document(
    'Metadata of the authorization server (RFC 8414)',
    'oauth.metadata',
    texts(['issuer', 'authorization_endpoint', 'token_endpoint']),
  ),
  '/mcp': { post: mcp },
}
