// Subscriptions of agents to events: used to reach inside, to flood an address that wants nothing, to end or take those of others, to hear on after the
// rights have gone, and to fill the server.

import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, hold, holdEach } from './attack.ts'
import { bearer, handedOn, register, signIn } from './oauth-client.ts'
import type { Person } from './person.ts'
import type { Target } from './target.ts'
import { BUG } from './things.ts'

const CLAUSE = 'events'
const MODERN = '2026-07-28'
const TOLD_MILLISECONDS = 20_000
const fixture = (name: string) => readFileSync(new URL(`../test/fixtures/loopback/${name}`, import.meta.url), 'utf8')
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 3).toString('base64')}`

interface Reply {
  result?: Record<string, unknown>
  error?: { code: number; data?: { reason?: string } }
}

async function asked(agent: Person, method: string, params: object): Promise<Reply> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'attack', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }
  const headers = {
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': MODERN,
    'Mcp-Method': method,
  }
  const reply = await agent.post('/api/mcp', message, headers)
  return JSON.parse(reply.text) as Reply
}

const agentOf = async (target: Target, owner: Person) => {
  const { accessToken } = await signIn(target, owner, {
    clientId: await register(target),
    scope: 'community:read community:write',
  })
  return { agent: bearer(target, accessToken), accessToken }
}

const subscribe = (agent: Person, url: string, secret = secretOf(32)) =>
  asked(agent, 'events/subscribe', { name: 'bug.created', delivery: { mode: 'webhook', url, secret } })

interface Receiver {
  url: string
  bodies: string[]
  echoes: boolean
  server: Server
}

async function receiver(echoes: boolean): Promise<Receiver> {
  const made = {
    url: '',
    bodies: [] as string[],
    echoes,
    server: createServer({ key: fixture('key.pem'), cert: fixture('certificate.pem') }),
  }
  made.server.on('request', async (request, response) => {
    const body = await text(request)
    made.bodies.push(body)
    const { challenge } = JSON.parse(body) as { challenge?: string }
    response.end(made.echoes && challenge !== undefined ? JSON.stringify({ challenge }) : 'ok')
  })
  await new Promise<void>((resolve) => made.server.listen(0, '127.0.0.1', resolve))
  made.url = `https://localhost:${(made.server.address() as { port: number }).port}/hook`
  return made
}

async function withReceiver(
  target: Target,
  echoes: boolean,
  run: (receiver: Receiver) => Promise<string>,
): Promise<string> {
  const one = await receiver(echoes)
  await target.own.reachHome(fixture('certificate.pem'))
  try {
    return await run(one)
  } finally {
    await target.own.reachHome(null)
    one.server.closeAllConnections()
    one.server.close()
  }
}

async function arrives({ bodies }: Receiver, words: string): Promise<boolean> {
  for (const until = Date.now() + TOLD_MILLISECONDS; Date.now() < until; await sleep(100)) {
    if (bodies.some((body) => body.includes(words))) return true
  }
  return false
}

const inner = [
  ...['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '127.1', '2130706433', '0x7f000001', 'localhost'],
  ...['169.254.169.254', '10.0.0.1', '192.168.0.1', '172.16.0.1', '100.64.0.1', '[fd00::1]', '[fe80::1]'],
]

export const subscriptions: readonly Attack[] = [
  {
    name: 'a subscription to an address inside is refused, and tells nothing of what is there',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const { agent } = await agentOf(target, await target.newcomer())
      return holdEach(inner, String, async (host) => {
        const { error } = await subscribe(agent, `https://${host}:9/hook`)
        const isTold = error?.data?.reason !== undefined && error.data.reason !== 'connection_refused'
        hold((error?.code === -32602 || error?.code === -32027) && !isTold, JSON.stringify(error))
      })
    },
  },
  {
    name: 'an address that does not answer the challenge gets one request a try, and no event',
    clause: CLAUSE,
    needs: ['newcomers', 'process'],
    run: (target) =>
      withReceiver(target, false, async (victim) => {
        const { agent } = await agentOf(target, await target.newcomer())
        const { error } = await subscribe(agent, victim.url)
        hold(error?.code === -32027, JSON.stringify(error))
        await (await target.newcomer()).api.bugs.create({ ...BUG, title: 'Flood' })
        await sleep(4_000)
        hold(victim.bodies.length === 1, `${victim.bodies.length} requests came`)
        return 'one request, and no event'
      }),
  },
  {
    name: 'the subscription of another account is not ended, taken over or read',
    clause: CLAUSE,
    needs: ['newcomers', 'process'],
    run: (target) =>
      withReceiver(target, true, async (honest) => {
        const { agent } = await agentOf(target, await target.newcomer())
        const owned = await subscribe(agent, honest.url)
        hold(owned.result, JSON.stringify(owned.error))
        const thief = await target.newcomer()
        const other = await agentOf(target, thief)
        const params = { name: 'bug.created', delivery: { url: honest.url } }
        const ended = await asked(other.agent, 'events/unsubscribe', params)
        hold(ended.error?.code === -32023, `it is ended: ${JSON.stringify(ended)}`)
        // The address says yes to anybody, so the other has one of its own there, by another id.
        const taken = await subscribe(other.agent, honest.url, secretOf(24))
        hold(taken.result?.['id'] !== owned.result['id'], 'it has the same id')
        const seen = (await thief.api.itemWebhooks.list({})).items.length
        hold(seen === 1, `${seen} are seen`)
        return 'each has its own'
      }),
  },
  {
    name: 'a subscription whose agent has lost its access hears of nothing more',
    clause: CLAUSE,
    needs: ['newcomers', 'process'],
    run: (target) =>
      withReceiver(target, true, async (one) => {
        const owner = await target.newcomer()
        const { agent } = await agentOf(target, owner)
        hold((await subscribe(agent, one.url)).result, 'it cannot subscribe')
        const { items } = await owner.api.signIns.list({})
        for (const { id } of items) await owner.api.signIns.end({ id })
        await (await target.newcomer()).api.bugs.create({ ...BUG, title: 'After the end' })
        hold(await arrives(one, 'terminated'), 'it is not told that it has ended')
        hold(!one.bodies.some((body) => body.includes('After the end')), 'it hears of a later bug')
        return 'told that it has ended, and of nothing else'
      }),
  },
  {
    name: 'a helper subscribes to nothing, so that nothing hears on after its end',
    clause: CLAUSE,
    needs: ['newcomers', 'process'],
    run: (target) =>
      withReceiver(target, true, async (one) => {
        const { accessToken } = await signIn(target, await target.newcomer())
        const helper = bearer(target, await handedOn(target, accessToken))
        const { error } = await subscribe(helper, one.url)
        hold(error?.code === -32024, JSON.stringify(error))
        hold(one.bodies.length === 0, 'its address was asked')
        hold((await subscribe(bearer(target, accessToken), one.url)).result, 'the agent itself cannot subscribe')
        return 'the agent alone subscribes'
      }),
  },
  {
    name: 'secrets of another length, long names and places, and addresses without TLS are refused',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const { agent } = await agentOf(target, await target.newcomer())
      const url = 'https://a.example/hook'
      const delivery = { mode: 'webhook', url, secret: secretOf(32) }
      const variants: object[] = [
        { delivery: { ...delivery, secret: secretOf(23) } },
        { delivery: { ...delivery, secret: secretOf(65) } },
        { delivery: { ...delivery, secret: 'x'.repeat(100_000) } },
        { delivery: { ...delivery, url: 'http://a.example/hook' } },
        { delivery: { ...delivery, url: `${url}/${'x'.repeat(3_000)}` } },
        { name: 'x'.repeat(50_000) },
        { cursor: '9'.repeat(50_000) },
        { arguments: { board: 'x'.repeat(50_000) } },
        { arguments: { __proto__: null, constructor: 1 } },
        { ttlMs: -1 },
        { ttlMs: 1e300 },
      ]
      return holdEach(
        variants,
        (one) => JSON.stringify(one).slice(0, 60),
        async (one) => {
          const { error } = await asked(agent, 'events/subscribe', { name: 'bug.created', delivery, ...one })
          hold(error, 'it is taken')
        },
      )
    },
  },
]
