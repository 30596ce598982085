// The authorization endpoint in OpenAPI: the one that people, not programs, are sent to.
import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { CLIENT, ClientId, FORM, Resource, ScopeText } from './protocol-fields.ts'

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

const responses: ZodOpenApiOperationObject['responses'] = {
  '303': {
    description: 'To the pages where the person signs in and agrees, or back to the client with a code or an error',
    headers: { Location: { schema: { type: 'string' } } },
  },
  '400': {
    description: 'The client or its redirect URI is not known: a page for the person, since nobody can be told',
    content: { 'text/html': { schema: { type: 'string' } } },
  },
  default: {
    description: 'A page that tells the person what went wrong',
    content: { 'text/html': { schema: { type: 'string' } } },
  },
}

const authorize = (method: 'GET' | 'POST'): ZodOpenApiOperationObject => ({
  operationId: method === 'GET' ? 'oauth.authorize' : 'oauth.authorizeByForm',
  summary: 'Ask a person for a code (RFC 6749, 3.1); PKCE is required',
  description: 'For a browser: send the person here. The code comes to the redirect URI and lasts five minutes.',
  tags: ['oauth'],
  security: [{}, { session: [] }],
  ...(method === 'GET'
    ? { requestParams: { query: AuthorizationRequest } }
    : {
        requestBody: {
          required: true,
          content: { [FORM]: { schema: AuthorizationRequest, example } },
        },
      }),
  responses,
})

export const authorizePaths: ZodOpenApiPathsObject = {
  '/auth/oauth2/authorize': { get: authorize('GET'), post: authorize('POST') },
}
