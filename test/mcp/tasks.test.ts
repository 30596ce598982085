// A write that waits for the yes of its account is a task (SEP-2663): looked at by the schemas of the extension's own package, and by its client.
import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createTaskSessionFromClient } from '@modelcontextprotocol/ext-tasks/client'
import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2'
import { agentOf, type TestAgent } from '../agents.ts'
import { agentThatAsks, asking, bug, insertWaiting, PUBLISHED } from '../pending.ts'
import { BASE_URL, onEveryEngine, type World } from '../world.ts'
import { ask, LEGACY, MODERN } from './caller.ts'

const TASKS = 'io.modelcontextprotocol/tasks'
const capabilities = { extensions: { [TASKS]: {} } }

type Fields = Record<string, unknown>

/** Sends a message of the current era with a client that takes tasks, and gives its result or its error. */
async function sent({ app }: World, token: string | undefined, method: string, params: object, more: object = {}) {
  const { messages } = await ask(app, method, params, { era: MODERN, token, capabilities, ...more })
  const { result, error } = messages.at(-1) ?? {}
  return { result: result as Fields | undefined, error }
}

const fileBug = async (world: World, agent: TestAgent): Promise<Fields & { taskId: string }> => {
  const { result } = await sent(world, agent.accessToken, 'tools/call', { name: 'create_bug', arguments: bug })
  assert.ok(isCreateTaskResultV2(result as never), JSON.stringify(result))
  return result as Fields & { taskId: string }
}

const taskOf = async (world: World, agent: TestAgent, taskId: string): Promise<Fields> => {
  const { result } = await sent(world, agent.accessToken, 'tasks/get', { taskId })
  assert.ok(isDetailedTaskV2(result as never), JSON.stringify(result))
  return result as Fields
}

onEveryEngine('a write that waits, as a task', (it) => {
  it('asks for the page where the account decides, and for nothing else', async (world) => {
    const agent = await agentThatAsks(world)
    const created = await fileBug(world, agent)
    assert.equal(created['status'], 'input_required')
    assert.equal('inputRequests' in created, false)
    const { inputRequests, ...task } = await taskOf(world, agent, created.taskId)
    assert.deepEqual(inputRequests, {
      approval: {
        method: 'elicitation/create',
        params: {
          ...{ mode: 'url', elicitationId: created.taskId },
          url: `${BASE_URL}/settings/pending/${created.taskId}`,
          message: 'The account decides on this page. No answer of a program does.',
        },
      },
    })
    // A week to decide, and the 30 days in which it is listed after that.
    assert.equal(task['ttlMs'], 37 * 86_400_000)
  })

  it('is decided by no answer that is sent', async (world) => {
    const { alice } = world
    const agent = await agentThatAsks(world)
    const { taskId } = await fileBug(world, agent)
    for (const inputResponses of [
      { approval: { action: 'accept', content: { approved: true } } },
      { approval: { action: 'decline' } },
      { approve: { action: 'accept' } },
      {},
    ]) {
      const { result } = await sent(world, agent.accessToken, 'tasks/update', { taskId, inputResponses })
      assert.equal(result?.['resultType'], 'complete')
      assert.equal((await taskOf(world, agent, taskId))['status'], 'input_required')
    }
    assert.equal((await alice.bugs.list({})).total, 0)
  })

  it('ends with the answer that the tool would have given', async (world) => {
    const { alice } = world
    const agent = await agentThatAsks(world)
    const { taskId } = await fileBug(world, agent)
    await alice.pendingActs.approve({ id: taskId })
    const { status, result } = await taskOf(world, agent, taskId)
    assert.equal(status, 'completed')
    const { structuredContent } = result as { structuredContent: Fields }
    const { items } = await alice.bugs.list({})
    assert.deepEqual([structuredContent['id'], structuredContent['title']], [items[0]?.id, bug.title])
  })

  it('ends as an error of the tool where the account or a check refuses it, and where there is no decision', async (world) => {
    const { alice, db } = world
    const agent = await agentThatAsks(world)
    const failed = async (taskId: string) => {
      const { status, result } = await taskOf(world, agent, taskId)
      const { isError, content } = result as { isError: boolean; content: { text: string }[] }
      assert.deepEqual([status, isError], ['completed', true])
      return content[0]?.text
    }
    const refused = await fileBug(world, agent)
    await alice.pendingActs.refuse({ id: refused.taskId, reason: 'Not on Fridays' })
    assert.equal(await failed(refused.taskId), 'The account has refused it: Not on Fridays')
    const expired = await fileBug(world, agent)
    const past = { expiresAt: '2026-01-01T00:00:00.000Z' }
    await db.updateTable('pendingAct').set(past).where('id', '=', expired.taskId).execute()
    assert.equal(await failed(expired.taskId), 'There was no decision on it within a week')
  })

  it('is taken back, also by an agent that may write nothing of that kind, and is not made then', async (world) => {
    const { alice } = world
    const agent = await agentOf(world, alice, { more: asking(['posts'], { kinds: ['posts'] }) })
    const { taskId } = await fileBug(world, agent)
    for (let times = 0; times < 2; times++) {
      const { result } = await sent(world, agent.accessToken, 'tasks/cancel', { taskId })
      assert.deepEqual(Object.keys(result ?? {}).sort(), ['_meta', 'resultType'])
      assert.equal((await taskOf(world, agent, taskId))['status'], 'cancelled')
    }
    await assert.rejects(alice.pendingActs.approve({ id: taskId }), { status: 409 })
    assert.equal((await alice.bugs.list({})).total, 0)
  })

  it('is either made or taken back, where both are asked for at once', async (world) => {
    const { alice } = world
    for (let round = 0; round < 10; round++) {
      const agent = await agentThatAsks(world)
      const { taskId } = await fileBug(world, agent)
      const before = (await alice.bugs.list({})).total
      const both = [alice.pendingActs.approve({ id: taskId }), agent.pendingActs.withdraw({ id: taskId })]
      const ends = await Promise.allSettled(both)
      assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      const made = (await alice.bugs.list({})).total - before
      assert.equal((await taskOf(world, agent, taskId))['status'], made === 1 ? 'completed' : 'cancelled')
    }
  })

  it('is there for its own agent alone, and for clients that take tasks', async (world) => {
    const agent = await agentThatAsks(world)
    const { taskId } = await fileBug(world, agent)
    const other = await agentThatAsks(world)
    const stranger = await agentOf(world, world.bob)
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const params = { taskId, ...(method === 'tasks/update' && { inputResponses: {} }) }
      for (const token of [other.accessToken, stranger.accessToken]) {
        const { error } = await sent(world, token, method, params)
        assert.equal(error?.code, -32602, method)
      }
      const unknown = await sent(world, agent.accessToken, method, { ...params, taskId: 'none' })
      assert.equal(unknown.error?.code, -32602)
      const undeclared = await sent(world, agent.accessToken, method, params, { capabilities: {} })
      assert.equal(undeclared.error?.code, -32021)
      const legacy = await ask(world.app, method, params, { era: LEGACY, token: agent.accessToken })
      assert.equal(legacy.messages.at(-1)?.error?.code, -32601)
    }
    assert.equal((await taskOf(world, agent, taskId))['status'], 'input_required')
  })

  it('is refused in the words of REST, which is not to say that it is not there', async (world) => {
    // The first call files it, the second one looks.
    const agent = await agentThatAsks(world, PUBLISHED, { calls: 2 })
    const { taskId } = await fileBug(world, agent)
    await taskOf(world, agent, taskId)
    for (const method of ['tasks/get', 'tasks/cancel']) {
      const { error } = await sent(world, agent.accessToken, method, { taskId })
      assert.equal(error?.code, -32600, method)
      assert.match(String(error?.message), /2 calls/)
    }
    assert.equal((await world.alice.pendingActs.get({ id: taskId })).state, 'waiting')
  })

  it('is told in words to a client that takes none, and in the era that has none', async (world) => {
    const agent = await agentThatAsks(world)
    for (const more of [{ capabilities: {} }, { era: LEGACY }]) {
      const { result } = await sent(
        world,
        agent.accessToken,
        'tools/call',
        { name: 'create_bug', arguments: bug },
        more,
      )
      assert.equal('taskId' in (result ?? {}), false)
      assert.ok('pending' in ((result?.['structuredContent'] ?? {}) as Fields))
    }
    for (const [method, era] of [
      ['server/discover', MODERN],
      ['initialize', LEGACY],
    ] as const) {
      const params =
        era === LEGACY ? { protocolVersion: era, capabilities: {}, clientInfo: { name: 'a', version: '1' } } : {}
      const { result } = await sent(world, undefined, method, params, { era })
      const { extensions } = { ...(result?.['capabilities'] as { extensions?: object }) }
      assert.equal(TASKS in (extensions ?? {}), era === MODERN)
    }
  })

  it('is followed and taken back by the client of the extension', async (world) => {
    const agent = await agentThatAsks(world)
    const headers = { Authorization: `Bearer ${agent.accessToken}` }
    const clientInfo = { name: 'a-host', version: '1.0.0' }
    const client = new Client(clientInfo, { versionNegotiation: { mode: 'auto' } })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${BASE_URL}/api/mcp`), {
        requestInit: { headers },
        fetch: async (url, init) => world.app.fetch(new Request(url, init)),
      }),
    )
    const session = createTaskSessionFromClient(client, {
      endpointId: 'guildhall',
      v2RequestFraming: { protocolVersion: MODERN, clientInfo, clientCapabilities: capabilities },
      async rawDispatch(request) {
        const { method, params } = request as { method: string; params: Fields }
        const { result, error } = await sent(world, agent.accessToken, method, params)
        return error ? { kind: 'error', error } : { kind: 'result', result: result as never }
      },
    })
    const execution = await session.callTool('create_bug', bug)
    assert.equal(execution.kind, 'task')
    await execution.cancel()
    const [item] = (await agent.pendingActs.list({})).items
    assert.equal(item?.state, 'withdrawn')
    await session.close()
    await client.close()
  })

  it('is not taken back by the people of an item, who decide on it', async (world) => {
    const { alice, bob } = world
    const agent = await agentOf(world, alice)
    const [grant] = await world.db.selectFrom('grant').select('id').where('clientId', '=', agent.clientId).execute()
    const id = await insertWaiting(world, alice, grant?.id ?? '')
    await assert.rejects(bob.pendingActs.withdraw({ id }), { status: 404 })
    await agent.pendingActs.withdraw({ id })
    await assert.rejects(agent.pendingActs.withdraw({ id }), { status: 409 })
  })
})
