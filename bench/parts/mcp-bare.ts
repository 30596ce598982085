// The limit for anything on the protocol's own package: a server with one tool that does nothing, behind the same listener.
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { createNodeServer } from '../../src/surfaces/http/listen.ts'

// Made once: compiling it for each request would be what is measured.
const inputSchema = fromJsonSchema({ type: 'object', properties: {} })
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' })
  server.registerTool('nothing', { inputSchema }, () => ({ content: [{ type: 'text', text: 'nothing' }] }))
  return server
})

createNodeServer({
  app: (request) => (request.method === 'GET' ? new Response('here') : handler.fetch(request)),
  config: { readers: 'everyone' as const, trustProxy: 0, name: 'Guildhall', baseUrl: 'http://localhost:3000' },
  observe() {},
}).listen(Number(process.env['PORT']), '127.0.0.1')
