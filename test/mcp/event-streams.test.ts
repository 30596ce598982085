// Streams of events by MCP (events/stream): what comes on them, and what ends them.
import assert from 'node:assert/strict'
import { agentOf, type TestAgent } from '../agents.ts'
import { bug } from '../pending.ts'
import { onEveryEngine, type World } from '../world.ts'
import { MODERN, requestTo } from './caller.ts'

interface Message {
  method?: string
  params?: {
    cursor?: string
    truncated?: boolean
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

async function open({ app }: World, token: string | undefined, params: object = {}): Promise<Stream> {
  const answer = await app.fetch(requestTo('events/stream', { name: 'bug.created', ...params }, { era: MODERN, token }))
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
