// The tool that runs a script: each of its calls is the call of `call_operation` with the same name and input, and what it returns is marked
// as what members wrote.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { workerFor } from '../../../budgets/work.ts'
import { contentTypesOf } from '../../../contract/files.ts'
import { isWrite } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { authorize, requireOwnUse } from '../../../core/authorize.ts'
import type { Core } from '../../../core/call-request.ts'
import { visibleJson } from '../../../formats/visible.ts'
import { timestamp } from '../../../runtime/clock.ts'
import { parseJson, required } from '../../../runtime/untyped.ts'
import type { Exchange } from '../call.ts'
import { nextStepOf } from '../next-step.ts'
import { misread, resultOfRefused } from '../result.ts'
import type { Toolbox } from '../toolbox.ts'
import { isRecord } from '../tools.ts'
import { marked, UNTRUSTED } from '../untrusted.ts'
import { SEARCH } from './definitions.ts'
import { MAX_SCRIPT, runScript, type ScriptEnd } from './run.ts'
import type { Reply, Wish } from './sandbox.ts'

export interface ScriptTool {
  core: Core
  toolbox: Toolbox
  exchange: Exchange
  signal: AbortSignal
  /** Calls an operation as the agent would. */
  callTool(input: Record<string, unknown>): Promise<CallToolResult>
}

export async function scriptResult(script: unknown, tool: ScriptTool): Promise<CallToolResult> {
  if (typeof script !== 'string') return misread('script: must be a text')
  if (script.length > MAX_SCRIPT) return misread(`script: must have at most ${MAX_SCRIPT} characters`)
  const { core, exchange, signal } = tool
  const { clock, config } = core.dependencies
  try {
    requireOwnUse({}, exchange.authenticated)
    const caller = authorize(required(tool.toolbox.ofScripts), exchange.authenticated, config)
    const now = clock.now()
    const asking = { caller, address: exchange.caller.address, now: timestamp(now) }
    const worker = workerFor(core.dependencies, asking)()
    return resultOf(await runScript(script, { worker, signal, now: Number(now), call: callerOf(tool) }))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { retryAfterSeconds } = error.details
    const retryAfter = retryAfterSeconds === undefined ? undefined : String(retryAfterSeconds)
    return resultOfRefused({ message: error.message, retryAfter, next: nextStepOf(error) })
  }
}

/**
 * Makes the calls of one script. Where one needs another token, the client gets the challenge and sends the script again: but not after a write,
 * which would then be made twice. Then the script gets the refusal.
 */
function callerOf({ toolbox, exchange, callTool }: ScriptTool) {
  let hasWritten = false
  return async ({ name, input, how }: Wish): Promise<Reply | undefined> => {
    const bound = toolbox.operation(name)
    if (!bound) return { error: `There is no operation called ${name}: ask ${SEARCH}` }
    if (!isRecord(how)) return { error: `${name}: the second argument must be { idempotencyKey, dryRun }` }
    const result = await callTool({ ...how, name, input })
    if (exchange.challenge && !hasWritten) return undefined
    exchange.challenge = undefined
    if (result.isError) return { error: textOf(result) }
    hasWritten ||= isWrite(bound.operation) && how['dryRun'] !== true
    return { value: answerOf(result, contentTypesOf(bound.operation.output) !== undefined) }
  }
}

const textOf = ({ content: [block] }: CallToolResult): string => (block?.type === 'text' ? block.text : '')

/** The structure of an answer; what has none is read from the text: a list alone, nothing, or a file. */
function answerOf({ structuredContent, content }: CallToolResult, isFile: boolean): unknown {
  if (structuredContent && Object.keys(structuredContent).length > 0) return structuredContent
  const data = content.find((block) => block.type === 'text' && block._meta === UNTRUSTED)
  const text = data?.type === 'text' ? data.text : undefined
  if (text === undefined) return content.find(({ type }) => type === 'resource_link') ?? null
  return isFile ? text : parseJson(text)
}

/** What it returned, or why it ended and what it had called by then, which stays done. */
function resultOf(end: ScriptEnd): CallToolResult {
  if ('json' in end) return { content: marked(visibleJson(end.json)) }
  const { made } = end
  const error = 'thrown' in end ? end.thrown : 'The script was stopped'
  return { content: marked(visibleJson(JSON.stringify({ error, called: made }))), isError: true }
}
