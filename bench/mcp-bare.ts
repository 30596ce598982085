// The limit for anything on the SDK: its own server with one trivial tool, over the same HTTP as ours.
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' })
  server.registerTool('trivial', { description: 'Says hello', inputSchema: z.object({}) }, () => ({
    content: [{ type: 'text', text: 'hello' }],
  }))
  return server
})

createServer(
  getRequestListener((request) => (request.method === 'GET' ? new Response('ready') : handler.fetch(request))),
).listen(Number(process.env['PORT']), '127.0.0.1')
