// Prompts: what people ask their agents for again and again, with the data it is about. The words are ours; the data is marked.

import { type GetPromptResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Prompt } from '../../contract/prompt.ts'
import { visibleJson, visibleLine } from '../../formats/visible.ts'
import { problemWithNames } from './arguments.ts'
import { callOperation } from './call.ts'
import type { CompletionOptions } from './completion.ts'
import { markedText } from './untrusted.ts'

/** As they are listed. */
export const promptList = (prompts: readonly Prompt[]) =>
  prompts.map(({ name, title, description, arguments: args }) => ({ name, title, description, arguments: args }))

export async function getPrompt(
  name: string,
  given: Record<string, string>,
  { prompts, toolbox, ...options }: CompletionOptions & { prompts: readonly Prompt[] },
): Promise<GetPromptResult> {
  const prompt = prompts.find((one) => one.name === name)
  const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)
  if (!prompt) throw invalid(`There is no prompt called ${visibleLine(name)}`)
  const known = Object.fromEntries(prompt.arguments.map(({ name: argument }) => [argument, {}]))
  const misnamed = problemWithNames(given, { type: 'object', properties: known })
  if (misnamed !== undefined) throw invalid(visibleLine(misnamed))
  const missing = prompt.arguments.find((one) => one.required && !given[one.name])
  if (missing) throw invalid(`${missing.name}: is required`)
  const lines = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, visibleLine(value)]))
  const texts = [prompt.say(lines)]
  for (const { operation, input } of prompt.data?.(given) ?? []) {
    const bound = toolbox.operation(operation)
    const outcome = bound && (await callOperation({ bound, input }, options))
    if (!outcome || 'refusal' in outcome) throw invalid(outcome?.refusal ?? `There is no ${operation}`)
    if ('refused' in outcome) throw invalid(`This cannot be read: HTTP ${outcome.refused.status}`)
    texts.push(markedText(visibleJson(outcome.result.text)))
  }
  return {
    description: prompt.description,
    messages: texts.map((text) => ({ role: 'user', content: { type: 'text', text } })),
  }
}
