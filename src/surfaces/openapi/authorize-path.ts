// The authorization endpoint in OpenAPI, the one that people, not programs, are sent to, and where requests to it are pushed.
import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { named } from './components.ts'
import {
  CLIENT,
  ClientId,
  challenged,
  form,
  json,
  Proof,
  Resource,
  refused,
  ScopeText,
  tooManyRequests,
  unknownClient,
  unreadableQuery,
} from './protocol-fields.ts'

const AuthorizationRequest = z.object({
  response_type: z.literal('code').meta({ description: 'Authorization code' }),
  client_id: ClientId,
  redirect_uri: z.string().meta({ description: 'Where the code goes; one that the client registered' }),
  code_challenge: z.string().meta({ description: 'Of the verifier (RFC 7636), by S256' }),
  code_challenge_method: z.literal('S256').meta({ description: 'SHA-256 (RFC 7636, 4.2)' }),
  scope: ScopeText.optional().meta({ description: 'Scopes with spaces between them; community:read without it' }),
  state: z.string().optional().meta({ description: 'Comes back unchanged (RFC 6749, 4.1.1)' }),
  resource: Resource,
  nonce: z.string().optional().meta({ description: 'Comes back in the ID token' }),
  prompt: z.string().optional().meta({ description: 'none, login, consent' }),
  dpop_jkt: z
    .string()
    .optional()
    .meta({ description: 'The key that the code is bound to, by its thumbprint (RFC 9449, 10)' }),
})

const example = {
  response_type: 'code',
  client_id: CLIENT,
  redirect_uri: 'http://127.0.0.1:49152/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  scope: 'community:read community:write offline_access',
  state: 'af0ifjsldkj',
}

const tooLarge = named(
  'ProtocolPayloadTooLarge',
  refused('More than 4 KB', ['invalid_request', 'A request has at most 4096 bytes']),
)

const responses: ZodOpenApiOperationObject['responses'] = {
  '303': named('ToSignInOrClient', {
    description: 'To the pages where the person signs in and agrees, or back to the client with a code or an error',
    headers: { Location: { schema: { type: 'string' } } },
  }),
  '400': named('AuthorizationBadRequest', {
    description:
      'A page for the person: the client or its redirect URI is not known, or an error would send a person who is not signed in to another site; JSON where the query cannot be read',
    content: {
      'text/html': { schema: { type: 'string' } },
      ...unreadableQuery.content,
    },
  }),
  default: named<ZodOpenApiResponseObject>('AuthorizationFailed', {
    description: 'A page that tells the person what went wrong',
    content: { 'text/html': { schema: { type: 'string' } } },
  }),
}

const authorize = (method: 'GET' | 'POST'): ZodOpenApiOperationObject => ({
  operationId: method === 'GET' ? 'oauth.authorize' : 'oauth.authorizeByForm',
  summary: 'Ask a person for a code (RFC 6749, 3.1); PKCE is required',
  description: 'For a browser: send the person here. The code comes to the redirect URI and lasts five minutes.',
  tags: ['oauth'],
  security: [{}, { session: [] }],
  ...(method === 'GET'
    ? { requestParams: { query: AuthorizationRequest } }
    : { requestBody: form(AuthorizationRequest, { example }) }),
  responses,
})

const push: ZodOpenApiOperationObject = {
  operationId: 'oauth.push',
  summary: 'Push an authorization request (RFC 9126)',
  description:
    'The answer is a reference, good for five minutes: send the person to the authorization endpoint with client_id and request_uri. With a proof of a key, the code is bound to that key.',
  tags: ['oauth'],
  security: [],
  requestParams: { header: Proof },
  requestBody: form(AuthorizationRequest, { example }),
  responses: {
    '201': {
      description: 'The reference',
      content: json(z.object({ request_uri: z.string(), expires_in: z.int().meta({ description: 'Seconds' }) }), {
        request_uri: 'urn:ietf:params:oauth:request_uri:bwc4JK-ESC0w8acc191e-Y1LTC2',
        expires_in: 300,
      }),
    },
    '400': refused(
      'Not a request that would be granted',
      ['invalid_request', 'redirect_uri is not one of the client'],
      ['invalid_scope', 'none of the requested scopes exists'],
      ['invalid_dpop_proof', 'The DPoP proof names another address'],
    ),
    '401': unknownClient,
    '413': tooLarge,
    '429': refused('Too many requests are pushed; Retry-After says how long to wait', [
      'rate_limited',
      'Try again later',
    ]),
  },
}

const DeviceRequest = z.object({ client_id: ClientId, scope: ScopeText.optional(), resource: Resource })

const deviceAuthorization: ZodOpenApiOperationObject = {
  operationId: 'oauth.device',
  summary: 'Ask by device (RFC 8628, 3.1)',
  description:
    'For programs without a browser: show the person the code and the address, and poll the token endpoint with the device code. For the fixed client, and those that registered the grant type.',
  tags: ['oauth'],
  security: [],
  requestBody: form(DeviceRequest, { example: { client_id: CLIENT, scope: 'library:read offline_access' } }),
  responses: {
    '200': {
      description: 'The codes',
      content: json(
        z.object({
          device_code: z.string().meta({ description: 'For the token endpoint; a secret' }),
          user_code: z.string().meta({ description: 'What the person types' }),
          verification_uri: z.string().meta({ description: 'Where' }),
          verification_uri_complete: z.string().meta({ description: 'The same with the code filled in' }),
          expires_in: z.int().meta({ description: 'Seconds' }),
          interval: z.int().meta({ description: 'Seconds between two polls; five more after each slow_down' }),
        }),
        {
          device_code: 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS',
          user_code: 'WDJB-MJHT',
          verification_uri: 'https://guildhall.example/oauth/device',
          verification_uri_complete: 'https://guildhall.example/oauth/device?user_code=WDJB-MJHT',
          expires_in: 600,
          interval: 5,
        },
      ),
    },
    '400': refused(
      'Not a request that could be granted',
      ['unauthorized_client', 'The client did not register for the grant type'],
      ['invalid_scope', 'none of the requested scopes exists'],
      ['invalid_target', 'the resource is not for this client'],
    ),
    '401': challenged(refused('The client is not known', ['invalid_client', 'The client is not known'])),
    '413': tooLarge,
    '429': tooManyRequests,
  },
}

export const authorizePaths: ZodOpenApiPathsObject = {
  '/auth/oauth2/device_authorization': { post: deviceAuthorization },
  '/auth/oauth2/par': { post: push },
  '/auth/oauth2/authorize': { get: authorize('GET'), post: authorize('POST') },
}
