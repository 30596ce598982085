// The introspection endpoint in OpenAPI, for services of the operator.
import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { challenged, form, json, refused, tooManyRequests } from './protocol-fields.ts'

const ACCOUNT = '01a1fb4e-bb9a-7544-87a4-2785318c8f22'
const TOKEN = 'gha_8Yk2vJ0mQm7Xb0cG1u3tqfZk5n9rWdLs'

const Introspected = z.object({
  active: z.boolean().meta({ description: 'false, and nothing else, for a token that is not good' }),
  scope: z.string().optional(),
  client_id: z.string().optional(),
  sub: z.string().optional().meta({ description: 'The id of the account' }),
  username: z.string().optional(),
  token_type: z.enum(['Bearer', 'DPoP']).optional(),
  iat: z.int().optional(),
  exp: z.int().optional(),
  iss: z.string().optional(),
  aud: z.array(z.string()).optional(),
  cnf: z
    .object({ jkt: z.string() })
    .optional()
    .meta({ description: 'The key that it is bound to (RFC 9449, 6.2): the service checks the proof' }),
  act: z
    .looseObject({ sub: z.string() })
    .optional()
    .meta({ description: 'The client that handed it on (RFC 8693, 4.1)' }),
})

const introspect: ZodOpenApiOperationObject = {
  operationId: 'oauth.introspect',
  summary: 'Ask what an access token is good for (RFC 7662)',
  description:
    'For services that the operator declares (`RESOURCE_SERVERS`), with their id and secret in Basic credentials or in the form. Without such services it is not there: 404.',
  tags: ['oauth'],
  security: [],
  requestBody: form(
    z.object({
      token: z.string(),
      token_type_hint: z.string().optional(),
      client_id: z.string().optional(),
      client_secret: z.string().optional(),
    }),
    { example: { token: TOKEN, client_id: 'reports', client_secret: '0123456789abcdef0123456789abcdef' } },
  ),
  responses: {
    '200': {
      description: 'What it is good for',
      content: json(Introspected, {
        active: true,
        scope: 'library:read',
        client_id: 'https://agent.example/client.json',
        sub: ACCOUNT,
        token_type: 'Bearer',
        iat: 1_795_000_000,
        exp: 1_795_003_600,
        iss: 'https://guildhall.example/api/auth',
        aud: ['https://guildhall.example/api'],
      }),
    },
    '400': refused('A parameter is missing', ['invalid_request', 'Send one token']),
    '401': challenged(refused('Not a declared service', ['invalid_client', 'client authentication failed'])),
    '404': refused('No service is declared', ['invalid_request', 'There is nothing here']),
    '429': tooManyRequests,
  },
}

export const introspectPaths: ZodOpenApiPathsObject = { '/auth/oauth2/introspect': { post: introspect } }
