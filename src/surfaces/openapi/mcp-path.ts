// The endpoint of MCP in OpenAPI: one path for everything, and what it says is JSON-RPC.
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { named } from './components.ts'
import { header, json, refused } from './protocol-fields.ts'

const Message = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).optional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
})

const RpcError = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.int()]).nullable(),
    error: z.looseObject({ code: z.int(), message: z.string() }),
  })
  .meta({ id: 'RpcError' })

const refusedByRpc = (description: string, message: string) => ({
  description,
  content: json(RpcError, { jsonrpc: '2.0', id: null, error: { code: -32600, message } }),
})

const challenge = {
  'WWW-Authenticate': named(
    'TokenAndScopeChallenge',
    header('Where a token comes from, and the scope it needs (RFC 9728, 5.1; RFC 6750, 3)'),
  ),
}

export const mcpPaths: ZodOpenApiPathsObject = {
  '/mcp': {
    post: {
      operationId: 'mcp',
      summary: 'The same operations as MCP tools (Streamable HTTP, without sessions)',
      description:
        'One JSON-RPC message a request, of any revision from 2025-03-26 to 2026-07-28. A request from another site is refused with 403.',
      tags: ['mcp'],
      security: [{}, { bearer: [] }],
      requestBody: {
        required: true,
        content: json(Message, {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'get_feed', arguments: {} },
        }),
      },
      responses: {
        '200': {
          description: 'The answer, or a stream that ends with it',
          content: {
            ...json(z.looseObject({ jsonrpc: z.literal('2.0'), id: z.union([z.string(), z.int()]) }), {
              jsonrpc: '2.0',
              id: 1,
              result: { content: [{ type: 'text', text: '{"items":[]}' }] },
            }),
            'text/event-stream': { schema: { type: 'string' } },
          },
        },
        '202': { description: 'A notification was taken' },
        '400': refusedByRpc('Not a message of the protocol', 'Invalid request'),
        '401': {
          ...refused('The tool needs a token, or the token is not good', ['unauthorized', 'Send a valid bearer token']),
          headers: challenge,
        },
        '403': {
          ...refused('The token lacks a scope', ['insufficient_scope', 'The token lacks the scope community:write']),
          headers: challenge,
        },
        '406': refusedByRpc(
          '`Accept` does not name both JSON and a stream of events',
          'Not Acceptable: Client must accept both application/json and text/event-stream',
        ),
        '413': refusedByRpc('The message is too large', 'The body is larger than 4194304 bytes'),
      },
    },
  },
}
