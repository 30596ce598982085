// Work in the background is a task (SEP-2663): imports and exports, read and ended by a client of the extension as REST reads and ends them.
import assert from 'node:assert/strict'
import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2'
import { agentOf, type TestAgent } from '../agents.ts'
import { Authenticator } from '../authenticator.ts'
import { register } from '../passkeys.ts'
import { onEveryEngine, type World } from '../world.ts'
import { ask, MODERN } from './caller.ts'

const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } }

type Fields = Record<string, unknown>

async function sent({ app }: World, token: string, method: string, params: object, more: object = {}) {
  const { messages } = await ask(app, method, params, { era: MODERN, token, capabilities, ...more })
  const { result, error } = messages.at(-1) ?? {}
  return { result: result as Fields | undefined, error }
}

const call = (world: World, { accessToken }: TestAgent, name: string, input: object, more: object = {}) =>
  sent(world, accessToken, 'tools/call', { name: 'call_operation', arguments: { name, input, ...more } })

async function started(
  world: World,
  agent: TestAgent,
  name: string,
  input: object = {},
): Promise<Fields & { taskId: string }> {
  const { result } = await call(world, agent, name, input)
  assert.ok(isCreateTaskResultV2(result as never), JSON.stringify(result))
  return result as Fields & { taskId: string }
}

async function taskOf(world: World, { accessToken }: TestAgent, taskId: string): Promise<Fields> {
  const { result } = await sent(world, accessToken, 'tasks/get', { taskId })
  assert.ok(isDetailedTaskV2(result as never), JSON.stringify(result))
  return result as Fields
}

const contentOf = ({ result }: Fields) => (result as { structuredContent: Fields }).structuredContent
const errorIn = ({ result }: Fields) => result as { isError?: boolean; content: { text: string }[] }

const record = (n: number) =>
  JSON.stringify({
    type: 'thing',
    id: `i${n}`,
    kind: 'bug',
    number: n,
    title: `Bug ${n}`,
    text: '',
    createdAt: '2024-03-01T10:00:00Z',
  })

const staged = ({ admin }: World, count = 3) => {
  const files = [new File([Array.from({ length: count }, (_, n) => record(n + 1)).join('\n')], 'records.jsonl')]
  return admin.imports.read({ source: 'guildhall', name: 'acme/looms', files })
}

onEveryEngine('an import, as a task', (it) => {
  it('tells how far it is, pauses when it is cancelled, goes on, and ends with what REST says', async (world) => {
    const agent = await agentOf(world, world.admin)
    const { id } = await staged(world)
    const task = await started(world, agent, 'imports.start', { id })
    assert.deepEqual([task['status'], task['statusMessage']], ['working', 'It is being written (0 of 3)'])
    assert.equal((await taskOf(world, agent, task.taskId))['status'], 'working')
    for (let times = 0; times < 2; times++) {
      assert.equal((await sent(world, agent.accessToken, 'tasks/cancel', { taskId: task.taskId })).error, undefined)
      assert.equal((await taskOf(world, agent, task.taskId))['status'], 'cancelled')
      assert.equal((await world.admin.imports.get({ id })).state, 'paused')
    }
    const again = await started(world, agent, 'imports.start', { id })
    await world.app.imports()
    const done = await taskOf(world, agent, again.taskId)
    assert.deepEqual([done['status'], done['statusMessage']], ['completed', 'It is written (3 of 3)'])
    const { writtenBy: _, ...told } = contentOf(done)
    assert.deepEqual(told, { ...(await world.admin.imports.get({ id })) })
    await sent(world, agent.accessToken, 'tasks/cancel', { taskId: task.taskId })
    assert.equal((await world.admin.imports.get({ id })).state, 'done')
  })

  it('is of admins alone, as in REST, and only tried it is no task', async (world) => {
    const agent = await agentOf(world, world.admin)
    const { id } = await staged(world)
    const { result } = await call(world, agent, 'imports.start', { id }, { dryRun: true })
    assert.equal('taskId' in result!, false)
    const { taskId } = await started(world, agent, 'imports.start', { id })
    const stranger = await agentOf(world, world.alice)
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const { error } = await sent(world, stranger.accessToken, method, { taskId, inputResponses: {} })
      assert.equal(error?.code, -32600, method)
    }
    assert.equal((await world.admin.imports.get({ id })).state, 'running')
    for (const wrong of [
      `imports.start/none`,
      `imports.pause/${id}`,
      `bugs.create/${id}`,
      `${taskId}/${id}`,
      '/',
      `imports.start/`,
    ]) {
      assert.equal((await sent(world, agent.accessToken, 'tasks/get', { taskId: wrong })).error?.code, -32602, wrong)
    }
  })

  it('is either written or paused, where both are asked for at once', async (world) => {
    const agent = await agentOf(world, world.admin)
    for (let round = 0; round < 10; round++) {
      const { id } = await staged(world, 2 + round)
      const { taskId } = await started(world, agent, 'imports.start', { id })
      const [{ error }] = await Promise.all([
        sent(world, agent.accessToken, 'tasks/cancel', { taskId }),
        world.app.imports(),
      ])
      assert.equal(error, undefined)
      const { state } = await world.admin.imports.get({ id })
      const { status } = await taskOf(world, agent, taskId)
      assert.deepEqual(status, state === 'done' ? 'completed' : 'cancelled', state)
      await world.admin.imports.revert({ id })
      await world.app.imports()
    }
  })
})

onEveryEngine('an export, as a task', (it) => {
  it('is asked for by an agent right after a sign-in, and ends with the address of the page, never with the file', async (world) => {
    const { alice, app } = world
    const agent = await agentOf(world, alice)
    const { taskId, ...head } = await started(world, agent, 'dataExports.request')
    assert.deepEqual([head['status'], head['statusMessage']], ['working', 'The archive is being prepared'])
    await app.work()
    const done = await taskOf(world, agent, taskId)
    const { items } = await alice.dataExports.list()
    assert.equal(done['status'], 'completed')
    const { url, id } = contentOf(done)
    assert.deepEqual([url, id], ['/settings/data', items[0]?.id])
    const file = await world.anonymous.request(`/api/account/exports/${items[0]?.id}/file`, {
      headers: { Authorization: `Bearer ${agent.accessToken}` },
    })
    assert.equal(file.status, 401)
  })

  it('is refused to a token of an older sign-in, without the scope, and to an account with a passkey that was not used', async (world) => {
    const { alice, clock } = world
    const reader = await agentOf(world, alice, { scope: 'community:read' })
    await assert.rejects(reader.dataExports.request(), { status: 403 })
    const agent = await agentOf(world, alice)
    clock.pass(601)
    await assert.rejects(agent.dataExports.request(), { status: 403 })
    assert.deepEqual((await alice.dataExports.list()).items, [])
    await alice.accounts.signIn({ email: alice.email, password: 'alice has a password' })
    const fresh = await agentOf(world, alice)
    await register(alice, new Authenticator())
    await assert.rejects(fresh.dataExports.request(), { status: 403 })
  })

  it('is cancelled while it is prepared, by its own account alone, and not afterwards', async (world) => {
    const { alice, bob, app } = world
    const agent = await agentOf(world, alice)
    const { taskId } = await started(world, agent, 'dataExports.request')
    const other = await agentOf(world, bob)
    for (const method of ['tasks/get', 'tasks/cancel'])
      assert.equal((await sent(world, other.accessToken, method, { taskId })).error?.code, -32602)
    assert.equal((await sent(world, agent.accessToken, 'tasks/cancel', { taskId })).error, undefined)
    await app.work()
    assert.deepEqual((await alice.dataExports.list()).items, [])
    assert.equal((await sent(world, agent.accessToken, 'tasks/get', { taskId })).error?.code, -32602)
    const next = await started(world, agent, 'dataExports.request')
    await app.work()
    const [{ id } = { id: '' }] = (await alice.dataExports.list()).items
    await assert.rejects(alice.dataExports.cancel({ id }), { status: 409 })
    assert.equal((await sent(world, agent.accessToken, 'tasks/cancel', { taskId: next.taskId })).error, undefined)
    assert.equal((await taskOf(world, agent, next.taskId))['status'], 'completed')
  })

  it('that failed is completed with an error', async (world) => {
    const agent = await agentOf(world, world.alice)
    const { taskId } = await started(world, agent, 'dataExports.request')
    const failed = { failedAt: '2026-01-01T00:00:00.000Z' }
    await world.db.updateTable('dataExport').set(failed).execute()
    const task = await taskOf(world, agent, taskId)
    assert.deepEqual([task['status'], errorIn(task).isError], ['completed', true])
    assert.match(errorIn(task).content[0]!.text, /could not be prepared/)
  })
})
