// Work that goes on in the background, as a task: what its contract declares as one (contract/task.ts). It is read and ended by the operations of REST
// with the caller's own token, so a task is there for exactly those who could read it so, and outlives every process.
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Operation } from '../../contract/operation.ts'
import type { LongTask } from '../../contract/task.ts'
import type { Core } from '../../core/call-request.ts'
import { visibleLine } from '../../formats/visible.ts'
import { type CallAnswer, callOperation, type Exchange, type Outcome, protocolErrorOf, recordIn } from './call.ts'
import { refusedResult, resultOf } from './result.ts'
import type { Task, TaskSource } from './tasks.ts'
import type { Toolbox } from './toolbox.ts'
import { isRecord } from './tools.ts'

const POLL_MILLISECONDS = 5_000

export interface JobTaskOptions {
  toolbox: Pick<Toolbox, 'operation' | 'resources'>
  core: Core
  exchange: Exchange
}

/** The id of a task: the operation that began it, and the id of what that made. */
const SEPARATOR = '/'

export const isOfJob = (taskId: string): boolean => taskId.includes(SEPARATOR)

interface Started {
  task: LongTask
  id: string
}

function startedIn({ toolbox }: JobTaskOptions, taskId: string): Started | undefined {
  const [name = '', id = '', ...more] = taskId.split(SEPARATOR)
  const task = toolbox.operation(name)?.operation.task
  return task && id !== '' && more.length === 0 ? { task, id } : undefined
}

/** What an operation on it gives; undefined where there is no such thing. @throws ProtocolError where it is refused */
async function called(name: string, { id }: Started, options: JobTaskOptions): Promise<CallAnswer | undefined> {
  const { toolbox, core, exchange } = options
  const bound = toolbox.operation(name)
  const outcome: Outcome | undefined =
    bound && (await callOperation({ bound, input: { id } }, { core, caller: exchange.caller }))
  if (!outcome || 'result' in outcome) return outcome
  if ('refusal' in outcome) throw new ProtocolError(ProtocolErrorCode.InvalidParams, outcome.refusal)
  if (outcome.refused.status === 404) return undefined
  exchange.challenge ??= outcome.refused.challenge
  throw protocolErrorOf(outcome.refused)
}

/** The jobs of the caller. */
export function jobTasks(options: JobTaskOptions): TaskSource {
  const read = async (taskId: string) => {
    const started = startedIn(options, taskId)
    const answer = started && (await called(started.task.get, started, options))
    return started && answer && { started, answer }
  }
  const get = async (taskId: string) => {
    const found = await read(taskId)
    return found && taskOf(taskId, found.started.task, { ...options, answer: found.answer })
  }
  return {
    get,
    look: get,
    answer: async (taskId) => (await read(taskId)) !== undefined,
    async cancel(taskId) {
      const found = await read(taskId)
      if (!found) return false
      const isWorking = statusIn(found.started.task, recordIn(found.answer) ?? {})[0] === 'working'
      // It may have ended between the two calls: that is no fault of who cancels.
      if (isWorking) await called(found.started.task.cancel, found.started, options).catch(orEnded)
      return true
    },
  }
}

function orEnded(error: unknown): void {
  if (!(error instanceof ProtocolError && isRecord(error.data) && error.data['status'] === 409)) throw error
}

/** The task that a call has become; undefined for one that is over already, was only tried, or has none. */
export function taskOfAnswer(name: string, operation: Operation, answer: CallAnswer): Task | undefined {
  const record = recordIn(answer)
  if (!operation.task || !record || answer.result.reply.has('dry-run')) return undefined
  const [status] = statusIn(operation.task, record)
  if (status !== 'working') return undefined
  return { ...headOf(`${name}${SEPARATOR}${record['id']}`, operation.task, record), status }
}

type Work = Readonly<Record<string, unknown>>

const statusIn = ({ states }: LongTask, work: Work) => states[String(work['state'])] ?? (['failed', ''] as const)

const momentIn = (work: Work, ...names: string[]): string | undefined =>
  names.map((name) => work[name]).find((value): value is string => typeof value === 'string')

function headOf(taskId: string, task: LongTask, work: Work) {
  const createdAt = momentIn(work, 'createdAt', 'requestedAt') ?? ''
  const lastUpdatedAt = momentIn(work, 'endedAt') ?? createdAt
  const head = { taskId, createdAt, lastUpdatedAt, ttlMs: null, pollIntervalMs: POLL_MILLISECONDS }
  return { ...head, statusMessage: messageOf(task, work) }
}

/** What is done, with its numbers, and why it failed. */
function messageOf(task: LongTask, work: Work): string {
  const [, words] = statusIn(task, work)
  const { error } = work
  const counted = countedIn(task, work)
  const why = typeof error === 'string' ? `: ${visibleLine(error)}` : ''
  return `${words}${counted ? ` (${counted.done} of ${counted.total})` : ''}${why}`
}

function countedIn({ counts }: LongTask, work: Work): { done: number; total: number } | undefined {
  const part = counts && work[counts.part]
  if (!counts || !isRecord(part)) return undefined
  return {
    done: counts.names.reduce((sum, name) => sum + Number(part[name] ?? 0), 0),
    total: Number(work[counts.total]),
  }
}

async function taskOf(
  taskId: string,
  task: LongTask,
  { answer, ...options }: JobTaskOptions & { answer: CallAnswer },
): Promise<Task> {
  const work = recordIn(answer) ?? {}
  const head = headOf(taskId, task, work)
  const [status] = statusIn(task, work)
  const operation = options.toolbox.operation(task.get)?.operation
  if (status === 'working' || status === 'cancelled') return { ...head, status }
  if (status === 'failed' || !operation)
    return { ...head, status: 'completed', result: refusedResult(head.statusMessage) }
  return { ...head, status, result: await resultOf(answer, operation, options.toolbox.resources) }
}
