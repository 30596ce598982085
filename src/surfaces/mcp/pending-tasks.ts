// A write that waits for the yes of its account, as a task. It asks for one thing: that a person opens the page where the account decides. What a
// client sends in answer decides nothing.
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { PendingActOperations } from '../../contract/pending.ts'
import type { Core } from '../../core/call-request.ts'
import { visibleLine } from '../../formats/visible.ts'
import { callOperation, type Exchange, messageOf as messageIn, protocolErrorOf, recordIn } from './call.ts'
import { refusedResult, resultOf } from './result.ts'
import type { Task, TaskSource } from './tasks.ts'
import type { Toolbox } from './toolbox.ts'
import { isRecord } from './tools.ts'

/** How often a client should look: people take their time. */
const POLL_MILLISECONDS = 10_000
/** It is listed so long after it has expired. */
const LISTED_MILLISECONDS = 30 * 86_400_000

export interface PendingTaskOptions {
  toolbox: Pick<Toolbox, 'operation' | 'resources'>
  core: Core
  exchange: Exchange
  acts: PendingActOperations
}

/** The pending acts of the caller: the id of a task is that of its act. */
export function pendingTasks(options: PendingTaskOptions): TaskSource {
  const find = (id: string) => called(options.acts.get, id, options)
  return {
    get: async (taskId) => {
      const act = await find(taskId)
      return act && taskOf(act, options)
    },
    look: async (taskId) => {
      const act = recordIn(await call(options.acts.get, taskId, { ...options, isLooking: true }))
      return act && taskOf(act, options)
    },
    answer: async (taskId) => (await find(taskId)) !== undefined,
    async cancel(taskId) {
      const act = await find(taskId)
      if (act?.['state'] === 'waiting') await called(options.acts.withdraw, taskId, options)
      return act !== undefined
    },
  }
}

async function call(
  name: string,
  id: string,
  { toolbox, core, exchange, isLooking }: PendingTaskOptions & { isLooking?: true },
) {
  const bound = toolbox.operation(name)
  return (
    bound && callOperation({ bound, input: { id } }, { core, caller: exchange.caller, ...(isLooking && { isLooking }) })
  )
}

/** What an operation on an act gives; undefined where there is no such act. @throws ProtocolError where it is refused */
async function called(name: string, id: string, options: PendingTaskOptions) {
  const outcome = await call(name, id, options)
  if (outcome && 'refusal' in outcome) throw new ProtocolError(ProtocolErrorCode.InvalidParams, outcome.refusal)
  if (outcome && 'refused' in outcome && outcome.refused.status !== 404) {
    options.exchange.challenge ??= outcome.refused.challenge
    throw protocolErrorOf(outcome.refused)
  }
  return recordIn(outcome)
}

type Act = Readonly<Record<string, unknown>>

const textIn = (act: Act, name: string): string => (typeof act[name] === 'string' ? act[name] : '')

async function taskOf(act: Act, options: PendingTaskOptions): Promise<Task> {
  const { baseUrl } = options.core.dependencies.config
  const [taskId, createdAt, decidedAt] = [textIn(act, 'id'), textIn(act, 'createdAt'), textIn(act, 'decidedAt')]
  const state = textIn(act, 'state')
  const head = {
    ...{ taskId, createdAt, lastUpdatedAt: decidedAt || createdAt, pollIntervalMs: POLL_MILLISECONDS },
    ttlMs: Date.parse(textIn(act, 'expiresAt')) - Date.parse(createdAt) + LISTED_MILLISECONDS,
    statusMessage: messageOf(act),
  }
  switch (state) {
    case 'waiting':
      return { ...head, status: 'input_required', inputRequests: { approval: approvalOf(act, baseUrl) } }
    case 'approved':
      return { ...head, status: 'working' }
    case 'withdrawn':
      return { ...head, status: 'cancelled' }
    default:
      return { ...head, status: 'completed', result: await resultOfAct(act, options) }
  }
}

const messages: Readonly<Record<string, string>> = {
  waiting: 'It waits for the yes of the account',
  approved: 'The account has agreed: it is being made',
  made: 'The account has agreed, and it is made',
  failed: 'The account has agreed, and a check has refused it',
  refused: 'The account has refused it',
  withdrawn: 'It was taken back',
  expired: 'There was no decision on it within a week',
  ended: 'The access of this agent has ended',
}

function messageOf(act: Act): string {
  const reason = textIn(act, 'reason')
  const words = messages[textIn(act, 'state')] ?? textIn(act, 'state')
  return reason === '' ? words : `${words}: ${visibleLine(reason)}`
}

/** Where a person decides, and nothing else. */
const approvalOf = (act: Act, baseUrl: string) => ({
  method: 'elicitation/create',
  params: {
    ...{ mode: 'url', elicitationId: textIn(act, 'id'), url: `${baseUrl}${textIn(act, 'url')}` },
    message: 'The account decides on this page. No answer of a program does.',
  },
})

/** What the tool would have answered, had it not waited. */
async function resultOfAct(act: Act, { toolbox, core }: PendingTaskOptions) {
  const { answer } = act
  const operation = toolbox.operation(textIn(act, 'operation'))?.operation
  const { baseUrl } = core.dependencies.config
  if (textIn(act, 'state') !== 'made' || !operation || !isRecord(answer)) {
    const said = isRecord(answer) ? messageIn(answer['body']) : undefined
    return refusedResult(said === undefined ? messageOf(act) : `${messageOf(act)}: ${said}`)
  }
  const { status, body: output } = answer
  const result = { status: Number(status), output, text: JSON.stringify(output), reply: new Headers(), isShared: false }
  return resultOf({ result, url: `${baseUrl}/api` }, operation, toolbox.resources)
}
