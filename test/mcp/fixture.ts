// The tools, resources and prompts by name that the conformance suites ask every server for. Only tests load this: it is
// served by Guildhall's own endpoint, in place of Guildhall's own tools.
import { completable, McpServer, type McpServerFactory, ResourceTemplate } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { tasksCapability } from '../../src/surfaces/mcp/tasks.ts'
import { addAskingTools, requestStates } from './fixture-input.ts'
import { addTaskTools } from './fixture-tasks.ts'

/** The smallest PNG there is: one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** A WAV header without samples. */
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=='

const text = (value: string) => ({ type: 'text' as const, text: value })
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }
const embedded = (uri: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: 'This is an embedded resource content.' },
})
const said = (content: ReturnType<typeof text> | typeof image | ReturnType<typeof embedded>) => ({
  role: 'user' as const,
  content,
})

export const suiteServer: McpServerFactory = () => {
  const server = new McpServer(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      capabilities: { logging: {}, resources: { subscribe: true }, extensions: tasksCapability },
      requestState: { verify: (state, context) => requestStates.verify(state, context) },
    },
  )
  addTools(server)
  addAskingTools(server)
  addTaskTools(server)
  addResources(server)
  addPrompts(server)
  return server
}

function addTools(server: McpServer): void {
  const tool = (name: string, content: object[], more = {}) =>
    server.registerTool(name, { description: name, inputSchema: z.object({}) }, () => ({ content, ...more }) as never)
  tool('test_simple_text', [text('This is a simple text response for testing.')])
  tool('test_image_content', [image])
  tool('test_audio_content', [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }])
  tool('test_embedded_resource', [embedded('test://embedded-resource')])
  tool('test_multiple_content_types', [
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource'),
  ])
  tool('test_error_handling', [text('This tool intentionally returns an error for testing')], { isError: true })
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Says how far it is', inputSchema: z.object({}) },
    async (_input, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        const params = { progressToken: progressToken!, progress, total: 100 }
        await mcpReq.notify({ method: 'notifications/progress', params })
      }
      return { content: [text(String(progressToken))] }
    },
  )
}

function addResources(server: McpServer): void {
  const read = (uri: string, type: string, body: object) => ({ contents: [{ uri, mimeType: type, ...body }] }) as never
  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, ({ href }) =>
    read(href, 'text/plain', { text: 'This is the content of the static text resource.' }),
  )
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href }) =>
    read(href, 'image/png', { blob: PNG }),
  )
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href }, { id }) =>
    read(href, 'application/json', { text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }),
  )
  server.server.setRequestHandler('resources/subscribe', () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', () => ({}))
}

function addPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'A prompt' }, () => ({
    messages: [said(text('This is a simple prompt for testing.'))],
  }))
  const twoArguments = z.object({
    arg1: completable(z.string().describe('The first'), (value) => [`${value}-completed`]),
    arg2: z.string().describe('The second'),
  })
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'A prompt with arguments', argsSchema: twoArguments },
    ({ arg1, arg2 }) => ({ messages: [said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A prompt with a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [said(embedded(resourceUri)), said(text('Please process the embedded resource above.'))],
    }),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'A prompt with an image' }, () => ({
    messages: [said(image), said(text('Please analyze the image above.'))],
  }))
}
