// Tasks (the Tasks extension, SEP-2663): a call whose answer is not there yet is answered with a task, which its client asks for again. The extension
// is of 2026-07-28: earlier revisions have no capabilities in a request, and are answered as before.
import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { isRecord } from './tools.ts'

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'
export const tasksCapability = { [TASKS_EXTENSION]: {} }

/** Times are ISO 8601, durations in milliseconds; null for no end. */
interface TaskHead {
  taskId: string
  statusMessage?: string | undefined
  createdAt: string
  lastUpdatedAt: string
  ttlMs: number | null
  pollIntervalMs?: number
}

/** What `tasks/get` gives. `failed` is an error of the protocol; what a tool refused is a result. */
export type Task = TaskHead &
  (
    | { status: 'working' | 'cancelled' }
    | { status: 'input_required'; inputRequests: Record<string, object> }
    | { status: 'completed'; result: object }
    | { status: 'failed'; error: { code: number; message: string } }
  )

/** Where the tasks of a caller are. What is not the caller's is not there. */
export interface TaskSource {
  get(taskId: string): Promise<Task | undefined>
  /** The same while the server looks by itself: nothing is counted, and what is refused is not there. */
  look(taskId: string): Promise<Task | undefined>
  /** Takes what a client says to requests of a task; false where there is no such task. */
  answer(taskId: string, responses: Readonly<Record<string, unknown>>): Promise<boolean>
  /** Ends a task if that can be; false where there is no such task. */
  cancel(taskId: string): Promise<boolean>
}

/** Whether the client of a request takes tasks. */
export function knowsTasks({ mcpReq }: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope }
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY]
  const extensions = isRecord(capabilities) ? capabilities['extensions'] : undefined
  return isRecord(extensions) && extensions[TASKS_EXTENSION] !== undefined
}

/** @throws MissingRequiredClientCapabilityError */
export function requireTasks(context: ServerContext): void {
  if (!knowsTasks(context))
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: tasksCapability } })
}

/** The answer to a call that has become a task. */
export function createdResult(task: Task): { content: [] } {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task
  const head = {
    taskId,
    status,
    createdAt,
    lastUpdatedAt,
    ttlMs,
    ...(pollIntervalMs !== undefined && { pollIntervalMs }),
  }
  // The library wants every answer of a tool to have content.
  return Object.assign({ resultType: 'task', ...head, ...(statusMessage && { statusMessage }) }, { content: [] as [] })
}

const Named = z.looseObject({ taskId: z.string().max(200) })

/** Adds the methods of the extension to a server. */
export function addTasks(server: Server, source: Omit<TaskSource, 'look'>): void {
  const params = Named
  const unknown = () => new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such task')
  server.setRequestHandler('tasks/get', { params }, async ({ taskId }, context) => {
    requireTasks(context)
    const task = await source.get(taskId)
    if (!task) throw unknown()
    return { ...task }
  })
  server.setRequestHandler('tasks/update', { params }, async ({ taskId, inputResponses }, context) => {
    requireTasks(context)
    const responses = context.mcpReq.inputResponses ?? inputResponses
    if (!(await source.answer(taskId, isRecord(responses) ? responses : {}))) throw unknown()
    return {}
  })
  server.setRequestHandler('tasks/cancel', { params }, async ({ taskId }, context) => {
    requireTasks(context)
    if (!(await source.cancel(taskId))) throw unknown()
    return {}
  })
}
