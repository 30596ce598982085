// The part of the fixture that answers with tasks, by the names that the conformance suite knows. They are kept in memory, behind the same methods as
// those of Guildhall (src/surfaces/mcp/tasks.ts).
import { type CallToolResult, inputRequired, type McpServer, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { newId } from '../../src/runtime/ids.ts'
import { addTasks, createdResult, knowsTasks, requireTasks, type Task } from '../../src/surfaces/mcp/tasks.ts'

/** Of all servers: each request has one of its own. */
const tasks = new Map<string, { task: Task; answers: Record<string, unknown>; onAnswer?: () => void }>()

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] })
const ask = (message: string) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } } } },
})

type Ending =
  | { status: 'completed'; result: CallToolResult }
  | { status: 'failed'; error: { code: number; message: string } }

/** A task that ends after so many seconds as `end` says, unless it is taken back before. */
function begin(seconds: number, end: () => Ending): Task {
  const now = new Date().toISOString()
  const head = { taskId: newId(), createdAt: now, lastUpdatedAt: now, ttlMs: 600_000, pollIntervalMs: 200 }
  const kept = { task: { ...head, status: 'working' } as Task, answers: {} }
  tasks.set(head.taskId, kept)
  const finish = () => {
    if (kept.task.status === 'working') kept.task = { ...head, ...end() }
  }
  setTimeout(finish, seconds * 1000).unref()
  return kept.task
}

/** A task that waits until each of these is answered. */
function beginAsking(names: readonly string[]): Task {
  const now = new Date().toISOString()
  const head = { taskId: newId(), createdAt: now, lastUpdatedAt: now, ttlMs: 600_000, pollIntervalMs: 200 }
  const asked = (left: readonly string[]): Task => ({
    ...head,
    status: 'input_required',
    inputRequests: Object.fromEntries(left.map((name) => [name, ask(`${name}?`)])),
  })
  const kept = {
    task: asked(names),
    answers: {} as Record<string, unknown>,
    onAnswer() {
      const left = names.filter((name) => !(name in kept.answers))
      kept.task = left.length > 0 ? asked(left) : { ...head, status: 'completed', result: said(`All of ${names}`) }
    },
  }
  tasks.set(head.taskId, kept)
  return kept.task
}

export function addTaskTools(server: McpServer): void {
  addTasks(server.server, {
    get: async (taskId) => tasks.get(taskId)?.task,
    async answer(taskId, responses) {
      const kept = tasks.get(taskId)
      if (kept?.task.status === 'input_required') Object.assign(kept.answers, responses)
      if (kept?.task.status === 'input_required') kept.onAnswer?.()
      return kept !== undefined
    },
    async cancel(taskId) {
      const kept = tasks.get(taskId)
      const { status } = kept?.task ?? {}
      if (kept && (status === 'working' || status === 'input_required')) {
        const { taskId: id, createdAt, lastUpdatedAt, ttlMs } = kept.task
        kept.task = { taskId: id, createdAt, lastUpdatedAt, ttlMs, status: 'cancelled' }
      }
      return kept !== undefined
    },
  })
  const tool = <Shape extends z.ZodRawShape>(
    name: string,
    shape: Shape,
    call: (input: z.infer<z.ZodObject<Shape>>, context: ServerContext) => unknown,
  ) => server.registerTool(name, { description: name, inputSchema: z.object(shape) }, call as never)
  tool('greet', { name: z.string() }, ({ name }) => said(`Hello, ${name}!`))
  tool('slow_compute', { seconds: z.number(), label: z.string().optional() }, ({ seconds }, context) => {
    const result = said(`Computed for ${seconds} s`)
    return knowsTasks(context) ? createdResult(begin(seconds, () => ({ status: 'completed', result }))) : result
  })
  tool('failing_job', {}, (_, context) => {
    requireTasks(context)
    const result = { ...said('It does not work'), isError: true }
    return createdResult(begin(1, () => ({ status: 'completed', result })))
  })
  tool('protocol_error_job', {}, () =>
    createdResult(begin(0.2, () => ({ status: 'failed', error: { code: -32603, message: 'Broken' } }))),
  )
  tool('confirm_delete', { filename: z.string().optional() }, () => createdResult(beginAsking(['confirm'])))
  tool('multi_input', {}, () => createdResult(beginAsking(['first', 'second'])))
  tool('test_tool_with_task', {}, (_, context) => {
    requireTasks(context)
    const { user_name } = (context.mcpReq.inputResponses ?? {}) as { user_name?: { content?: { name?: string } } }
    if (!user_name) return inputRequired({ inputRequests: { user_name: ask('What is your name?') as never } })
    const result = said(`Hello, ${JSON.stringify(user_name.content)}!`)
    return createdResult(begin(0.2, () => ({ status: 'completed', result })))
  })
}
