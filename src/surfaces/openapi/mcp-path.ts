// The endpoint of MCP in OpenAPI: one path for everything, and what it says is JSON-RPC.
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { named } from './components.ts'
import { header, json, ProtocolError, refused } from './protocol-fields.ts'

const Message = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.int()]).optional(),
    method: z.string(),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'RpcMessage' })

const Answer = z
  .looseObject({ jsonrpc: z.literal('2.0'), id: z.union([z.string(), z.int()]) })
  .meta({ id: 'RpcAnswer' })

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

/** The same where the request may also be refused before its message is read, or for its token. */
const refusedByBoth = (
  description: string,
  message: string,
  answer: { error: string; error_description?: string },
) => ({
  description,
  content: {
    'application/json': {
      schema: z.union([RpcError, ProtocolError]),
      examples: {
        message: { value: { jsonrpc: '2.0', id: null, error: { code: -32600, message } } },
        request: { value: answer },
      },
    },
  },
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
        'One JSON-RPC message a request, of any revision from 2025-03-26 to 2026-07-28; in that of 2025-03-26, which is meant where `MCP-Protocol-Version` is missing, also a list of up to 20. A request from another site is refused with 403.',
      tags: ['mcp'],
      security: [{}, { bearer: [] }],
      requestBody: {
        required: true,
        content: json(z.union([Message, z.array(Message).min(1).max(20)]), {
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
            ...json(z.union([Answer, z.array(Answer)]), {
              jsonrpc: '2.0',
              id: 1,
              result: { content: [{ type: 'text', text: '{"items":[]}' }] },
            }),
            'text/event-stream': { schema: { type: 'string' } },
          },
        },
        '202': { description: 'A notification was taken' },
        '400': refusedByBoth('Not a message of the protocol, or a query that is no text', 'Invalid request', {
          error: 'The query is not percent-encoded UTF-8 without NUL',
        }),
        '401': {
          ...refused('The tool needs a token, or the token is not good', ['unauthorized', 'Send a valid bearer token']),
          headers: challenge,
        },
        '403': {
          ...refusedByBoth('The token lacks a scope, or another site sent it', 'This request came from another site', {
            error: 'insufficient_scope',
            error_description: 'The token lacks the scope community:write',
          }),
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
