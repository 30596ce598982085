// What is refused when there is too much to do, on a clock of the test's own and through a real server.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createNodeServer } from './listen.ts'
import { Connections, Overload, type ShedPolicy, sheddingOf } from './overload.ts'

const TICK = 100

/** An overload on a clock that the test moves, with `inFlight` requests that wait. */
function loaded(inFlight: number) {
  let now = 0
  const overload = new Overload(() => now)
  const waiting: (() => void)[] = []
  const add = (count: number, address = '::1') => {
    for (let n = 0; n < count; n++) {
      void overload.count(address, () => new Promise<void>((resolve) => waiting.push(resolve)))
    }
  }
  add(inFlight)
  return {
    /** Whether a request is refused; it comes from this machine unless told otherwise. */
    refuses: (shedding: ShedPolicy, address = '::1') => overload.refuses(shedding, address),
    overload,
    add,
    answer: (count: number) => Promise.all(Array.from({ length: count }, () => overload.count('::1', () => {}))),
    /** Answers so many of those that wait. */
    async finish(count: number) {
      for (const resolve of waiting.splice(0, count)) resolve()
      await new Promise(setImmediate)
    },
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    /** Ticks on time; before each, so many requests are answered and as many arrive. */
    async tick(times: number, answered = 0) {
      for (let n = 0; n < times; n++) {
        for (const resolve of waiting.splice(0, answered)) resolve()
        await new Promise(setImmediate)
        add(answered)
        now += TICK
        overload.tick()
      }
    },
  }
}

describe('overload', () => {
  it('is not 256 requests that wait for a long time, but 257 of which none is answered', async () => {
    const few = loaded(256)
    await few.tick(3)
    assert.equal(few.refuses('early'), false)
    const many = loaded(257)
    await many.tick(3)
    assert.equal(many.refuses('early'), true)
  })

  it('is not a burst: many at once pass until they have stayed for two ticks', async () => {
    const burst = loaded(500)
    assert.equal(burst.refuses('early'), false)
    await burst.tick(1)
    assert.equal(burst.refuses('early'), false)
    await burst.tick(1)
    assert.equal(burst.refuses('early'), true)
  })

  it('is more than are answered in 0.4 s, and for sign-in twice as much', async () => {
    // 100 responses in each tick are 1,000 a second.
    const steady = loaded(401)
    await steady.tick(40, 100)
    assert.equal(steady.refuses('early'), true)
    assert.equal(steady.refuses('late'), false)
    assert.equal(steady.refuses('never'), false)
    const less = loaded(399)
    await less.tick(40, 100)
    assert.equal(less.refuses('early'), false)
    const double = loaded(802)
    await double.tick(40, 100)
    assert.equal(double.refuses('late'), true)
    assert.equal(double.refuses('never'), false)
  })

  it('is an event loop that stands still for longer than 250 ms with 256 requests, and not with 255', async () => {
    const slow = loaded(0)
    await slow.answer(255)
    slow.pass(TICK + 251)
    assert.equal(slow.refuses('early'), false)
    await slow.answer(1)
    assert.equal(slow.refuses('early'), true)
    assert.equal(slow.refuses('late'), false)
    slow.pass(250)
    assert.equal(slow.refuses('late'), true)
    assert.equal(slow.refuses('never'), false)
    slow.overload.tick()
    assert.equal(slow.refuses('early'), false)
    const onTime = loaded(0)
    await onTime.answer(256)
    onTime.pass(TICK + 250)
    assert.equal(onTime.refuses('early'), false)
  })

  it('is 100 requests of one network, for sign-in 200, and leaves the rest to others', async () => {
    const { add, refuses, finish } = loaded(0)
    const [own, near, far] = ['192.0.2.1', '192.0.2.200', '198.51.100.1']
    add(99, own)
    assert.equal(refuses('early', near), false)
    add(1, near)
    assert.deepEqual([refuses('early', own), refuses('early', near)], [true, true])
    assert.deepEqual([refuses('late', own), refuses('never', own), refuses('early', far)], [false, false, false])
    add(99, own)
    assert.equal(refuses('late', own), false)
    add(1, own)
    assert.deepEqual([refuses('late', own), refuses('never', own), refuses('early', far)], [true, false, false])
    await finish(101)
    assert.equal(refuses('early', own), false)
  })

  it('of this machine has no share: a proxy on it connects for everyone', () => {
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      const { add, refuses } = loaded(0)
      add(999, address)
      assert.equal(refuses('early', address), false)
      add(1, address)
      assert.equal(refuses('early', address), true)
    }
  })

  it('never refuses health, and sign-in last', () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) assert.equal(sheddingOf(path), 'never')
    for (const path of ['/sign-in', '/api/auth/sign-in/email', '/api/auth/oauth2/token'])
      assert.equal(sheddingOf(path), 'late')
    for (const path of ['/', '/api/community/feed', '/healthz/more']) assert.equal(sheddingOf(path), 'early')
  })
})

describe('connections', () => {
  it('of one network are at most 2,000; a closed one makes room, and other networks have their own', () => {
    const connections = new Connections()
    const open = Array.from({ length: 2_000 }, (_, n) => connections.open(`192.0.2.${n % 250}`))
    assert.ok(open.every(Boolean))
    assert.equal(connections.open('192.0.2.77'), undefined)
    assert.ok(connections.open('198.51.100.1'))
    assert.ok(connections.open('127.0.0.1'))
    open[0]!.close()
    assert.ok(connections.open('192.0.2.77'))
    assert.equal(connections.open('192.0.2.77'), undefined)
  })
})

/** A server whose requests wait until `finish`, except for health. */
async function blockedServer(t: TestContext, trustProxy = 0) {
  const finish = Promise.withResolvers<void>()
  const app = async (request: Request) => {
    if (!request.url.endsWith('/healthz')) await finish.promise
    return new Response('ok')
  }
  const seen: [string, number][] = []
  const observe = (operation: string, status: number) => void seen.push([operation, status])
  const server = createNodeServer({
    app,
    config: { readers: 'everyone' as const, trustProxy, baseUrl: 'http://localhost:3000', name: 'Guildhall' },
    observe,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const agent = new Agent({ keepAlive: true })
  t.after(() => {
    agent.destroy()
    server.close().closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const ask = async (path: string, by = agent, from = '127.0.0.1') => {
    const headers = { 'X-Forwarded-For': from }
    const sent = get({ port, host: '127.0.0.1', path, agent: by, headers })
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: Buffer.concat(await answer.toArray()).toString(),
    }
  }
  /** Asks until the first is refused: those before it wait. */
  const fill = async () => {
    const asked: ReturnType<typeof ask>[] = []
    while (seen.length === 0) {
      for (let n = 0; n < 10; n++) asked.push(ask('/api/community/feed'))
      await setTimeout(20)
    }
    return asked
  }
  return { ask, fill, seen, finish: finish.resolve }
}

describe('a server with too much to do', () => {
  it('refuses a request behind many that are not answered, in the form of its area, and still says that it runs', async (t) => {
    const { ask, fill, seen, finish } = await blockedServer(t)
    const asked = await fill()
    assert.deepEqual(seen[0], ['overload', 503])
    assert.equal((await ask('/healthz')).status, 200)
    finish()
    const answers = await Promise.all(asked)
    assert.ok(answers.filter(({ status }) => status === 200).length >= 256)
    for (const { status, headers, body } of answers.filter((answer) => answer.status !== 200)) {
      assert.equal(status, 503)
      assert.match(headers['retry-after'] ?? '', /^\d+$/)
      assert.deepEqual(Object.keys(JSON.parse(body)), ['error'])
    }
  })

  it('refuses the 101st request of a network that a trusted proxy names, and answers other networks', async (t) => {
    const { ask, finish } = await blockedServer(t, 1)
    const asked = Array.from({ length: 100 }, (_, n) => ask('/api/community/feed', undefined, `192.0.2.${n}`))
    await setTimeout(500)
    assert.equal((await ask('/api/community/feed', undefined, '192.0.2.254')).status, 503)
    asked.push(ask('/api/community/feed', undefined, '198.51.100.1'))
    assert.equal((await ask('/healthz', undefined, '192.0.2.254')).status, 200)
    finish()
    assert.deepEqual(new Set((await Promise.all(asked)).map(({ status }) => status)), new Set([200]))
  })

  it('lets a connection rest that was refused: what it sends next is not read for 600 ms', async (t) => {
    const { ask, fill, finish } = await blockedServer(t)
    const asked = await fill()
    const refused = new Agent({ keepAlive: true, maxSockets: 1 })
    t.after(() => refused.destroy())
    const begun = performance.now()
    assert.equal((await ask('/api/community/feed', refused)).status, 503)
    assert.equal((await ask('/healthz', refused)).status, 200)
    assert.ok(performance.now() - begun >= 590)
    finish()
    await Promise.all(asked)
  })
})
