// Streams of events by MCP (events/stream): what comes on them, and what ends them.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { agentOf, type TestAgent } from '../agents.ts'
import { bug } from '../pending.ts'
import { BASE_URL, onEveryEngine, type World } from '../world.ts'
import { ask, MODERN, requestTo } from './caller.ts'
import { serve } from './serve.ts'

interface Message {
  method?: string
  params?: {
    cursor?: string
    truncated?: boolean
    eventId?: string
    data?: { target: { title: string } }
    _meta?: object
    error?: object
  }
  result?: object
  error?: { code: number; data?: object }
}

interface Stream {
  status: number
  /** The next message that is no heartbeat. */
  next(): Promise<Message | undefined>
  leave(): Promise<void>
}

async function open({ app }: World, token: string | undefined, params: object = {}, port?: string): Promise<Stream> {
  const request = requestTo('events/stream', { name: 'bug.created', ...params }, { era: MODERN, token })
  const init = { method: 'POST', headers: request.headers, body: await request.clone().text() }
  const answer = await (port === undefined ? app.fetch(request) : fetch(`${port}/api/mcp`, init))
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    const only = (await answer.json()) as Message
    return { status: answer.status, next: async () => only, leave: async () => {} }
  }
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    status: answer.status,
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const data = /^data: (\{.*\})$/m.exec(text.slice(0, end))?.[1]
          text = text.slice(end + 2)
          if (data && !data.includes('events/heartbeat')) return JSON.parse(data) as Message
          continue
        }
        const { value, done } = await reader.read()
        if (done) return undefined
        text += value
      }
    },
    leave: () => reader.cancel(),
  }
}

/** Tells the one event that was told so often in all, each with an id of its own. */
async function copyTold({ db }: World, count: number): Promise<void> {
  const told = await db.selectFrom('toldEvent').selectAll().executeTakeFirstOrThrow()
  const copies = Array.from({ length: count - 1 }, (_, at) => {
    const id = `${told.id.slice(0, -4)}${String(at).padStart(4, '0')}`
    return { ...told, id, payload: told.payload.replace(told.id, id), position: Number(told.position) + at + 1 }
  })
  await db.insertInto('toldEvent').values(copies).execute()
}

const now = performance.now.bind(performance)
let passed = 0

/** Lets time pass for all that looks at how much has: then the next turns come. */
async function passing(seconds: number): Promise<void> {
  passed += seconds * 1_000
  performance.now = () => now() + passed
  await sleep(700)
}

const titleOf = (message: Message | undefined) => message?.params?.data?.target.title

const end = async ({ alice }: World, { clientId }: TestAgent) => {
  const { items } = await alice.signIns.list({})
  await alice.signIns.end({ id: items.find((one) => one.clientId === clientId)?.id ?? '' })
}

onEveryEngine(
  'a stream of events',
  (it) => {
    it('says first that it stands, then what happens, and goes on from a cursor', async (world) => {
      const { bob, app } = world
      const stream = await open(world, undefined)
      const active = await stream.next()
      assert.equal(active?.method, 'notifications/events/active')
      assert.deepEqual(
        [active.params?.truncated, active.params?._meta],
        [false, { 'io.modelcontextprotocol/subscriptionId': 1 }],
      )
      await bob.bugs.create({ ...bug, title: 'One' })
      await app.deliver()
      const one = await stream.next()
      assert.deepEqual([one?.method, titleOf(one)], ['notifications/events/event', 'One'])
      await stream.leave()
      await bob.bugs.create({ ...bug, title: 'Two' })
      await app.deliver()
      const again = await open(world, undefined, { cursor: one?.params?.cursor })
      assert.equal((await again.next())?.params?.cursor, one?.params?.cursor)
      assert.equal(titleOf(await again.next()), 'Two')
      await again.leave()
    })

    it('brings all that was missed to a reader who takes it, however much that is', async (world) => {
      const { bob, app } = world
      const before = await open(world, undefined)
      const cursor = (await before.next())?.params?.cursor
      await before.leave()
      await bob.bugs.create(bug)
      await app.deliver()
      await copyTold(world, 200)
      const server = await serve(app)
      const stream = await open(world, undefined, { cursor }, server.url)
      await stream.next()
      const ids = new Set<unknown>()
      while (ids.size < 200) {
        const message = await stream.next()
        assert.equal(message?.method, 'notifications/events/event')
        ids.add(message.params?.eventId)
      }
      await bob.bugs.create({ ...bug, title: 'The last one' })
      await app.deliver()
      assert.equal(titleOf(await stream.next()), 'The last one')
      await stream.leave()
      await server.close()
    })

    it('holds no more for a slow reader than it may leave, and is cut off where nothing is taken', async (world) => {
      const { bob, app } = world
      const before = await open(world, undefined)
      const cursor = (await before.next())?.params?.cursor
      await before.leave()
      await bob.bugs.create(bug)
      await app.deliver()
      await copyTold(world, 200)
      const stream = await open(world, undefined, { cursor })
      await stream.next()
      // It takes one at a time, and misses none.
      for (let taken = 0; taken < 3; taken++) {
        await passing(20)
        assert.equal((await stream.next())?.method, 'notifications/events/event')
      }
      await passing(1)
      await passing(31)
      await assert.rejects(async () => {
        for (let left = 100; left > 0; left--) await stream.next()
      }, /takes too little/)
    })

    it('counts with all others of its network, whatever they tell of', async (world) => {
      const streams: Stream[] = []
      for (let n = 0; n < 5; n++) {
        const { accessToken } = await agentOf(world, world.person(`reader${n}`))
        for (let one = 0; one < 10; one++) streams.push(await open(world, accessToken))
      }
      for (const stream of streams) assert.ok((await stream.next())?.params)
      const { error } = (await (await open(world, undefined)).next()) ?? {}
      assert.deepEqual([error?.code, error?.data], [-32025, { limit: 'streams' }])
      const params = { notifications: { resourceSubscriptions: [`${BASE_URL}/api/community/notifications`] } }
      const { messages } = await ask(world.app, 'subscriptions/listen', params, { era: MODERN })
      assert.match(messages[0]?.error?.message ?? '', /limit reached/)
      for (const stream of streams) await stream.leave()
    })

    it('ends with the token that it came with, which it says', async (world) => {
      const agent = await agentOf(world, world.alice)
      const stream = await open(world, agent.accessToken)
      await stream.next()
      await end(world, agent)
      const last = await stream.next()
      assert.equal(last?.method, 'notifications/events/terminated')
      assert.deepEqual(last.params?.error, { code: -32024, message: 'Access revoked' })
      assert.ok((await stream.next())?.result)
      assert.equal(await stream.next(), undefined)
    })

    it('is refused with an error, and no stream is opened', async (world) => {
      for (const [params, code] of [
        [{ name: 'bug.exploded' }, -32023],
        [{ arguments: { colour: 'red' } }, -32602],
        [{ cursor: '?' }, -32602],
      ] as const) {
        assert.equal((await (await open(world, undefined, params)).next())?.error?.code, code)
      }
      assert.equal((await open(world, 'nonsense')).status, 401)
    })

    it('is one of five for callers without an account, and of ten for an account', async (world) => {
      const agent = await agentOf(world, world.alice)
      for (const [token, most] of [
        [undefined, 5],
        [agent.accessToken, 10],
      ] as const) {
        const streams = await Promise.all(Array.from({ length: most }, () => open(world, token)))
        for (const stream of streams) assert.ok((await stream.next())?.params)
        const { error } = (await (await open(world, token)).next()) ?? {}
        assert.deepEqual([error?.code, error?.data], [-32025, { limit: 'streams' }])
        for (const stream of streams) await stream.leave()
        // The place is free when the server has seen that its client left.
        for (;;) {
          const stream = await open(world, token)
          const first = await stream.next()
          await stream.leave()
          if (first?.params) break
        }
      }
    })
  },
  // A process counts its own streams.
  { TEST_PROCESSES: '1' },
)
