// The part of the fixture that asks its client back (multi round-trip requests of 2026-07-28): tools by the names that the
// conformance suite knows.
import {
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

export const requestStates = createRequestStateCodec<{ step: number }>({ key: 'a key of thirty-two bytes or more' })

const ask = (message: string, field: string, type: 'string' | 'boolean' = 'string') => ({
  method: 'elicitation/create' as const,
  params: {
    message,
    requestedSchema: { type: 'object' as const, properties: { [field]: { type } }, required: [field] },
  },
})
const sample = (text: string, maxTokens: number) => ({
  method: 'sampling/createMessage' as const,
  params: { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }], maxTokens },
})
const roots = { method: 'roots/list' as const, params: {} }

const done = (text: string) => ({ content: [{ type: 'text' as const, text }] })

interface Asking {
  name: string
  /** What is asked for in the first round. */
  requests: Record<string, object>
  /** Whether the rounds are held together by a sealed state. */
  stateful?: boolean
  answer(responses: Record<string, unknown>): string
}

const askings: Asking[] = [
  {
    name: 'test_input_required_result_elicitation',
    requests: { user_name: ask('What is your name?', 'name') },
    answer: ({ user_name }) => `Hello, ${(user_name as { content?: { name?: string } }).content?.name}!`,
  },
  {
    name: 'test_input_required_result_sampling',
    requests: { capital_question: sample('What is the capital of France?', 100) },
    answer: ({ capital_question }) => JSON.stringify(capital_question),
  },
  {
    name: 'test_input_required_result_list_roots',
    requests: { client_roots: roots },
    answer: ({ client_roots }) => JSON.stringify(client_roots),
  },
  {
    name: 'test_input_required_result_request_state',
    requests: { confirm: ask('Please confirm', 'ok', 'boolean') },
    stateful: true,
    answer: () => 'state-ok',
  },
  {
    name: 'test_input_required_result_multiple_inputs',
    requests: {
      user_name: ask('What is your name?', 'name'),
      greeting: sample('Generate a greeting', 50),
      client_roots: roots,
    },
    stateful: true,
    answer: (responses) => JSON.stringify(responses),
  },
  {
    name: 'test_input_required_result_tampered_state',
    requests: { confirm: ask('Please confirm', 'ok', 'boolean') },
    stateful: true,
    answer: () => 'state-ok',
  },
  {
    name: 'test_streaming_elicitation',
    requests: { user_name: ask('What is your name?', 'name') },
    answer: () => 'thank you',
  },
  { name: 'test_missing_capability', requests: { sampled: sample('Anything', 10) }, answer: () => 'thank you' },
]

export function addAskingTools(server: McpServer): void {
  const tool = (name: string, run: (context: ServerContext) => unknown) =>
    server.registerTool(
      name,
      { description: name, inputSchema: z.object({}) },
      (_input, context) => run(context) as never,
    )
  for (const { name, requests, stateful, answer } of askings) {
    tool(name, async (context) => {
      const { inputResponses } = context.mcpReq
      if (inputResponses && Object.keys(requests).every((key) => key in inputResponses)) {
        return done(answer(inputResponses))
      }
      const requestState = stateful ? { requestState: await requestStates.mint({ step: 1 }, context) } : {}
      return inputRequired({ inputRequests: requests as InputRequests, ...requestState })
    })
  }
  tool('test_input_required_result_multi_round', async (context) => {
    const { inputResponses = {}, requestState } = context.mcpReq
    const step = requestState<{ step: number }>()?.step ?? 0
    if (step === 2 && 'step2' in inputResponses) return done('All steps are done')
    const next = step === 1 && 'step1' in inputResponses ? 2 : 1
    const question: Record<string, object> =
      next === 2
        ? { step2: ask('Step 2: What is your favorite color?', 'color') }
        : { step1: ask('Step 1: What is your name?', 'name') }
    const minted = await requestStates.mint({ step: next }, context)
    return inputRequired({ inputRequests: question as InputRequests, requestState: minted })
  })
  tool('test_input_required_result_capabilities', ({ mcpReq }) => {
    const envelope = mcpReq.envelope as Record<string, { sampling?: object; elicitation?: object }> | undefined
    const { sampling, elicitation } = envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {}
    const requests = {
      ...(sampling && { sampled: sample('Anything', 10) }),
      ...(elicitation && { asked: ask('What is your name?', 'name') }),
    }
    return inputRequired({ inputRequests: requests as InputRequests })
  })
  tool('test_logging_tool', async ({ mcpReq }) => {
    await mcpReq.log('info', 'a message for whoever asked for messages')
    return done('logged')
  })
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, (context) => {
    const asked = context.mcpReq.inputResponses
    const question = { user_context: ask('What context should the prompt use?', 'context') }
    if (!asked) return inputRequired({ inputRequests: question as InputRequests }) as never
    return { messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(asked) } }] }
  })
}
