// Events by MCP (SEP-3415): the client and the receiver of @ai-sdk/mcp, and messages by hand for what a client would not send.
import assert from 'node:assert/strict'
import {
  createMCPClient,
  experimental_createMCPEventWebhook as createWebhook,
  type Experimental_MCPEventStore as EventStore,
  type Experimental_MCPEventSubscription as Subscription,
} from '@ai-sdk/mcp'
import { webhookEvents } from '../../src/contract/webhook-events.ts'
import { agentOf, operatorsAgent, type TestAgent } from '../agents.ts'
import { oauthClient } from '../oauth.ts'
import { bug } from '../pending.ts'
import { home, type Receiver, receiving } from '../webhook-receiver.ts'
import { BASE_URL, onEveryEngine, type World } from '../world.ts'
import { ask, LEGACY, MODERN } from './caller.ts'

const EVENTS = 'io.modelcontextprotocol/events'
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`
const SECRET = secretOf(32)

type Fields = Record<string, unknown>

async function sent({ app }: World, token: string | undefined, method: string, params: object) {
  const { messages, status } = await ask(app, method, params, { era: MODERN, token })
  const { result, error } = messages.at(-1) ?? {}
  return { status, result: result as Fields | undefined, error: error as (Fields & { code: number }) | undefined }
}

/** A receiver that answers the challenge and takes everything. */
function echo({ arrived }: Receiver): Receiver['answer'] {
  return (_request, response) => {
    const { type, challenge } = JSON.parse(arrived.at(-1)?.body ?? '{}')
    if (type === 'verification') response.writeHead(200).end(JSON.stringify({ challenge }))
    else response.writeHead(204).end()
  }
}

const eventsAt = ({ arrived }: Receiver): Fields[] =>
  arrived.map(({ body }) => JSON.parse(body) as Fields).filter((one) => 'eventId' in one)

interface Scene extends World {
  agent: TestAgent
  receiver: Receiver
  subscribe(more?: object): ReturnType<typeof sent>
  /** Lets everything that has happened be told. */
  tell(): Promise<void>
}

const withAgent = (world: World, run: (scene: Scene) => Promise<void>) =>
  receiving(async (receiver) => {
    world.dependencies.reach = home
    receiver.answer = echo(receiver)
    const agent = await agentOf(world, world.alice)
    const delivery = { mode: 'webhook', url: receiver.url, secret: SECRET }
    await run({
      ...{ ...world, agent, receiver },
      subscribe: (more = {}) =>
        sent(world, agent.accessToken, 'events/subscribe', { name: 'bug.created', arguments: {}, delivery, ...more }),
      async tell() {
        await world.app.deliver()
        await world.app.sendWebhooks()
      },
    })
  })

onEveryEngine('events by MCP', (it) => {
  it('are announced in the era that has them, and list every event of webhooks', async (world) => {
    const { result } = await sent(world, undefined, 'server/discover', {})
    const { extensions } = { ...(result?.['capabilities'] as { extensions?: Fields }) }
    assert.deepEqual(extensions?.[EVENTS], {})
    const listed = (await sent(world, undefined, 'events/list', {})).result?.['events'] as Fields[]
    assert.deepEqual(
      listed.map(({ name }) => name),
      webhookEvents,
    )
    assert.equal(listed.length, 33)
    for (const { delivery } of listed) assert.deepEqual(delivery, ['webhook', 'push', 'poll'])
    for (const method of ['events/list', 'events/poll', 'events/stream', 'events/subscribe', 'events/unsubscribe']) {
      const { messages } = await ask(world.app, method, { name: 'bug.created' }, { era: LEGACY })
      assert.equal(messages.at(-1)?.error?.code, -32601, method)
    }
  })

  it('reach the receiver of @ai-sdk/mcp, which its client subscribes, refreshes and ends', (world) =>
    withAgent(world, async ({ agent, receiver, bob, tell, app }) => {
      const kept = new Map<string, Subscription>()
      const store: EventStore = {
        get: async (key) => kept.get(key),
        getById: async (id) => [...kept.values()].find((one) => one.id === id),
        set: async (one) => void kept.set(one.key, one),
        update: async (key, patch) => void kept.set(key, { ...kept.get(key)!, ...patch }),
        delete: async (key) => void kept.delete(key),
      }
      const heard: { name: string; eventId: string; title: unknown }[] = []
      const hook = createWebhook({
        store,
        onEvent: async ({ event }) => {
          const { title } = event.data['target'] as { title: string }
          heard.push({ name: event.name, eventId: event.eventId, title })
        },
        onError: (error) => assert.fail(String(error)),
      })
      receiver.answer = async (_request, response) => {
        const { path, headers, body } = receiver.arrived.at(-1)!
        const url = new URL(path, receiver.url)
        const answer = await hook(
          new Request(url, { method: 'POST', headers: headers as Record<string, string>, body }),
        )
        response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text())
      }
      const client = await createMCPClient({
        transport: {
          ...{ type: 'http' as const, url: `${BASE_URL}/api/mcp` },
          headers: { Authorization: `Bearer ${agent.accessToken}` },
          fetch: async (url, init) => app.fetch(new Request(url, init)),
        },
        experimental_events: { store },
      })
      const events = client.experimental_events
      assert.equal((await events.list()).events.length, 33)
      const { id, refreshBefore } = await events.subscribe({
        name: 'bug.created',
        delivery: { mode: 'webhook', url: receiver.url },
        ttlMs: 600_000,
      })
      assert.ok(refreshBefore !== null)
      await bob.bugs.create({ ...bug, title: 'The door\u200b sticks' })
      await tell()
      assert.deepEqual(
        heard.map(({ name, title }) => [name, title]),
        [['bug.created', 'The door\\u200b sticks']],
      )
      const again = await events.refresh({ id })
      assert.equal(again.id, id)
      assert.ok(again.cursor !== null)
      await events.unsubscribe({ id })
      await bob.bugs.create(bug)
      await tell()
      assert.equal(heard.length, 1)
      await client.close()
    }))

  it('are sent to no address that does not answer the challenge', (world) =>
    withAgent(world, async ({ receiver, subscribe, bob, tell, db }) => {
      const answers: [string, Receiver['answer']][] = [
        ['challenge_failed', (_, response) => response.writeHead(204).end()],
        ['challenge_failed', (_, response) => response.writeHead(200).end('{"challenge":"guess"}')],
        ['challenge_failed', (_, response) => response.writeHead(302, { location: '/other' }).end()],
        ['http_4xx', (_, response) => response.writeHead(404).end()],
        ['http_5xx', (_, response) => response.writeHead(503).end()],
        ['connection_refused', (_, response) => response.destroy()],
      ]
      for (const [reason, answer] of answers) {
        receiver.answer = answer
        const { error } = await subscribe()
        assert.deepEqual([error?.code, error?.['data']], [-32027, { reason }])
      }
      assert.equal((await db.selectFrom('webhook').select('id').execute()).length, 0)
      const before = receiver.arrived.length
      await bob.bugs.create(bug)
      await tell()
      assert.equal(receiver.arrived.length, before)
      // One that has shown that it wants them is not asked again for other events.
      receiver.answer = echo(receiver)
      await subscribe()
      await subscribe({ name: 'comment.created' })
      assert.equal(receiver.arrived.length, before + 1)
    }))

  it('take secrets of 24 to 64 bytes, and https addresses that can be reached', (world) =>
    withAgent(world, async ({ subscribe, receiver }) => {
      const delivery = { mode: 'webhook', url: receiver.url }
      for (const secret of [secretOf(23), secretOf(65), 'whsec_', 'x'.repeat(44), `${SECRET}!`, SECRET.slice(6)]) {
        const { error } = await subscribe({ delivery: { ...delivery, secret } })
        assert.equal(error?.code, -32602, secret)
      }
      for (const size of [24, 64]) {
        const { result } = await subscribe({ delivery: { ...delivery, secret: secretOf(size) } })
        assert.ok(result, String(size))
      }
      for (const url of [
        'http://a.example/',
        'https://10.0.0.1/',
        'https://[fd00::1]/',
        'https://u:p@a.example/',
        'ftp:/',
      ]) {
        const { error } = await subscribe({ delivery: { mode: 'webhook', url, secret: SECRET } })
        assert.equal(error?.code, -32602, url)
      }
      for (const [more, code] of [
        [{ name: 'bug.exploded' }, -32023],
        [{ arguments: { severity: 'high' } }, -32602],
        [{ arguments: { item: 'x' } }, -32602],
        [{ arguments: { board: 'none' } }, -32023],
        [{ delivery: { mode: 'push', url: receiver.url, secret: SECRET } }, -32026],
        [{ cursor: '?' }, -32602],
      ] as const) {
        const { error } = await subscribe(more)
        assert.equal(error?.code, code, JSON.stringify(more))
      }
    }))

  it('end with their time, and last as long as is wished within bounds', (world) =>
    withAgent(world, async ({ subscribe, receiver, bob, tell, db, app }) => {
      const lasts = async (more: object) => {
        const { result } = await subscribe(more)
        return Math.round((Date.parse(String(result?.['refreshBefore'])) - Date.now()) / 1_000)
      }
      for (const [more, seconds] of [
        [{}, 3_600],
        [{ ttlMs: 1 }, 60],
        [{ ttlMs: 120_000 }, 120],
        [{ ttlMs: 1e11 }, 86_400],
        [{ ttlMs: null }, 86_400],
      ] as const) {
        const lasted = await lasts(more)
        assert.ok(Math.abs(lasted - seconds) < 10, `${lasted} s`)
      }
      const past = { expiresAt: new Date(Date.now() - 1).toISOString() }
      await db.updateTable('webhook').set(past).execute()
      await bob.bugs.create(bug)
      await tell()
      assert.deepEqual(eventsAt(receiver), [])
      await app.cleanUp()
      assert.equal((await db.selectFrom('webhook').select('id').execute()).length, 0)
      // What waited for the one that ended is not sent to the one that follows.
      await subscribe()
      await tell()
      assert.deepEqual(eventsAt(receiver), [])
    }))

  it('go on from the place that a client has kept, with the same ids', (world) =>
    withAgent(world, async ({ subscribe, receiver, bob, tell, agent }) => {
      const { result } = await subscribe()
      const { cursor } = result as { cursor: string }
      const params = { name: 'bug.created', arguments: {}, delivery: { url: receiver.url } }
      await sent(world, agent.accessToken, 'events/unsubscribe', params)
      await bob.bugs.create({ ...bug, title: 'Missed' })
      await tell()
      assert.deepEqual(eventsAt(receiver), [])
      const again = await subscribe({ cursor })
      assert.equal(again.result?.['truncated'], false)
      await tell()
      const [webhook, ...none] = eventsAt(receiver)
      assert.deepEqual(none, [])
      const polled = await sent(world, undefined, 'events/poll', { name: 'bug.created', cursor })
      const [event] = (polled.result?.['events'] ?? []) as Fields[]
      const { cursor: reached, ...same } = webhook!
      assert.deepEqual(event, same)
      assert.equal(reached, polled.result?.['cursor'])
      const old = await subscribe({ cursor: '0', name: 'bug.edited' })
      assert.equal(old.result?.['truncated'], true)
    }))

  it('that were missed are sent again up to 500, the last ones, and where older ones are left out the answer says so', (world) =>
    withAgent(world, async ({ subscribe, bob, tell, db }) => {
      const { cursor } = { ...(await sent(world, undefined, 'events/poll', { name: 'bug.created' })).result }
      await bob.bugs.create(bug)
      await tell()
      const told = await db.selectFrom('toldEvent').selectAll().executeTakeFirstOrThrow()
      const first = Number(told.position)
      const more = async (from: number, through: number) => {
        const copies = Array.from({ length: through - from + 1 }, (_, at) => {
          const id = `${told.id.slice(0, -4)}${String(from + at).padStart(4, '0')}`
          const payload = told.payload.replace(told.id, id)
          return { ...told, id, payload, position: first + from + at - 1 }
        })
        await db.insertInto('toldEvent').values(copies).execute()
      }
      const positions = async () => {
        const rows = await db.selectFrom('webhookDelivery').select('position').orderBy('position').execute()
        return rows.map(({ position }) => Number(position) - first + 1)
      }
      await more(2, 500)
      const all = await subscribe({ cursor })
      assert.equal(all.result?.['truncated'], false)
      assert.equal((await positions()).length, 500)
      await db.deleteFrom('webhook').execute()
      await more(501, 501)
      const some = await subscribe({ cursor })
      assert.equal(some.result?.['truncated'], true)
      const queued = await positions()
      assert.deepEqual([queued.length, queued[0], queued.at(-1)], [500, 2, 501])
      // The answer has the place where the sending begins, so a client that goes on there misses nothing more.
      const polled = await sent(world, undefined, 'events/poll', {
        name: 'bug.created',
        cursor: some.result?.['cursor'],
      })
      const [next] = (polled.result?.['events'] ?? []) as Fields[]
      assert.ok(String(next?.['eventId']).endsWith('0002'))
      assert.equal((await subscribe({ cursor })).result?.['truncated'], false)
    }))

  it('are of its own agent alone', (world) =>
    withAgent(world, async ({ subscribe, receiver, bob, tell, agent }) => {
      const { result } = await subscribe()
      const params = { name: 'bug.created', arguments: {}, delivery: { url: receiver.url } }
      for (const other of [await agentOf(world, world.alice), await agentOf(world, world.bob)]) {
        const { error } = await sent(world, other.accessToken, 'events/unsubscribe', params)
        assert.deepEqual([error?.code, error?.['data']], [-32023, { kind: 'subscription' }])
      }
      const anonymous = await sent(world, undefined, 'events/subscribe', {
        ...params,
        delivery: { url: receiver.url, secret: SECRET },
      })
      assert.equal(anonymous.status, 401)
      await bob.bugs.create(bug)
      await tell()
      assert.equal(eventsAt(receiver).length, 1)
      assert.equal(receiver.arrived.at(-1)?.headers['x-mcp-subscription-id'], result?.['id'])
      // The account finds it among its webhooks, with what was sent, and ends it.
      const [listed] = (await world.alice.itemWebhooks.list({})).items
      assert.ok(listed?.expiresAt)
      assert.equal((await world.alice.itemWebhooks.deliveries({ id: listed.id })).items.length, 1)
      await assert.rejects(world.bob.itemWebhooks.delete({ id: listed.id }), { status: 404 })
      await assert.rejects(world.admin.webhooks.delete({ id: listed.id }), { status: 404 })
      assert.deepEqual((await world.admin.webhooks.list({})).items, [])
      await assert.rejects(world.alice.itemWebhooks.rotateSecret({ id: listed.id }), { status: 409 })
      await assert.rejects(world.alice.itemWebhooks.update({ id: listed.id, url: 'https://b.example/' }), {
        status: 409,
      })
      await world.alice.itemWebhooks.delete({ id: listed.id })
      await bob.bugs.create(bug)
      await tell()
      assert.equal(eventsAt(receiver).length, 1)
      assert.equal((await sent(world, agent.accessToken, 'events/unsubscribe', params)).error?.code, -32023)
    }))

  it('are subscribed to by the agent itself, and by no helper of it', (world) =>
    withAgent(world, async ({ receiver }) => {
      const agent = await operatorsAgent(world, world.bob)
      const { access_token: helper } = await oauthClient(world).token({
        ...{ grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', client_id: agent.clientId },
        subject_token: agent.accessToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      })
      const params = { name: 'bug.created', arguments: {} }
      const delivery = { mode: 'webhook', url: receiver.url, secret: SECRET }
      const { error } = await sent(world, helper, 'events/subscribe', { ...params, delivery })
      assert.equal(error?.code, -32024)
      assert.deepEqual(receiver.arrived, [])
      assert.ok((await sent(world, helper, 'events/poll', params)).result?.['events'])
      assert.ok((await sent(world, agent.accessToken, 'events/subscribe', { ...params, delivery })).result)
      const ended = await sent(world, helper, 'events/unsubscribe', { ...params, delivery: { url: receiver.url } })
      assert.equal(ended.error?.code, -32024)
    }))

  it('end with the rights of their agent, of which the receiver is told once', (world) =>
    withAgent(world, async ({ subscribe, receiver, bob, tell, db, alice, agent }) => {
      await subscribe()
      const { items } = await alice.signIns.list({})
      const grant = items.find(({ clientId }) => clientId === agent.clientId)
      await alice.signIns.end({ id: grant?.id ?? '' })
      for (let times = 0; times < 2; times++) {
        await bob.bugs.create(bug)
        await tell()
      }
      const [last, ...none] = receiver.arrived.slice(1).map(({ body }) => JSON.parse(body))
      assert.deepEqual(none, [])
      const error = { code: -32024, message: 'Forbidden', data: { reason: 'Access revoked' } }
      assert.deepEqual(last, { type: 'terminated', error })
      assert.equal((await db.selectFrom('webhook').select('id').execute()).length, 0)
    }))

  it('of closed boards are for those who read them when they are sent', (world) =>
    withAgent(world, async ({ subscribe, receiver, tell, admin, agent, moderator }) => {
      const own = await agentOf(world, moderator)
      const closed = { slug: 'staff', name: 'Staff', readers: 'roles: moderator admin', writers: 'members' }
      const board = await admin.boards.create(closed)
      await subscribe()
      const delivery = { url: `${receiver.url}/moderator`, secret: SECRET }
      await sent(world, own.accessToken, 'events/subscribe', { name: 'bug.created', delivery })
      const cursor = (await sent(world, own.accessToken, 'events/poll', { name: 'bug.created' })).result?.['cursor']
      await admin.bugs.create({ ...bug, title: 'Secret', board: board.slug })
      await tell()
      const arrived = receiver.arrived.filter(({ body }) => body.includes('Secret'))
      assert.deepEqual(
        arrived.map(({ path }) => path),
        ['/hook/moderator'],
      )
      const polled = async (token: string | undefined) => {
        const { result } = await sent(world, token, 'events/poll', { name: 'bug.created', cursor })
        return ((result?.['events'] ?? []) as Fields[]).length
      }
      assert.deepEqual(
        [await polled(own.accessToken), await polled(agent.accessToken), await polled(undefined)],
        [1, 0, 0],
      )
      await admin.admin.setRole({ id: (await moderator.account()).id, role: 'member' })
      assert.equal(await polled(own.accessToken), 0)
      await admin.bugs.create({ ...bug, title: 'Secret too', board: board.slug })
      await tell()
      assert.equal(
        receiver.arrived.some(({ body }) => body.includes('Secret too')),
        false,
      )
    }))

  it('of what is gone, hidden or of a blocked account are told no more', (world) =>
    withAgent(world, async ({ subscribe, receiver, bob, app, admin }) => {
      await subscribe()
      const cursor = (await sent(world, undefined, 'events/poll', { name: 'bug.created' })).result?.['cursor']
      const { id } = await bob.bugs.create({ ...bug, title: 'Gone' })
      await app.deliver()
      await bob.bugs.delete({ id })
      const { id: hidden } = await bob.bugs.create({ ...bug, title: 'Blocked' })
      await app.deliver()
      await admin.admin.block({ id: (await bob.account()).id, blocked: true })
      await app.deliver()
      await app.sendWebhooks()
      assert.ok(hidden)
      assert.deepEqual(eventsAt(receiver), [])
      const { result } = await sent(world, undefined, 'events/poll', { name: 'bug.created', cursor })
      assert.deepEqual(result?.['events'], [])
    }))

  it('are signed with both secrets for a while, and tried again with the same id', (world) =>
    withAgent(world, async ({ subscribe, receiver, bob, tell, db }) => {
      await subscribe()
      const other = secretOf(48)
      await subscribe({ delivery: { mode: 'webhook', url: receiver.url, secret: other } })
      receiver.answer = (_request, response) => response.writeHead(500).end()
      await bob.bugs.create(bug)
      await tell()
      await db.updateTable('webhookDelivery').set({ nextAttemptAt: '2026-01-01T00:00:00.000Z' }).execute()
      await db.updateTable('webhook').set({ dueAt: '2026-01-01T00:00:00.000Z', pausedUntil: '' }).execute()
      receiver.answer = echo(receiver)
      await tell()
      const [first, second, ...none] = receiver.arrived.slice(1)
      assert.deepEqual(none, [])
      assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
      assert.equal(first?.headers['webhook-id'], JSON.parse(first?.body ?? '{}').eventId)
      assert.equal(String(first?.headers['webhook-signature']).split(' ').length, 2)
      const { result } = await subscribe()
      assert.equal(((result?.['deliveryStatus'] ?? {}) as Fields)['lastError'], null)
    }))

  it('that are refused as stale or too long are not tried again, and end nothing', (world) =>
    withAgent(world, async ({ subscribe, receiver, bob, tell, db }) => {
      await subscribe()
      for (const status of [410, 413]) {
        receiver.answer = (_request, response) => response.writeHead(status).end()
        await bob.bugs.create({ ...bug, title: String(status) })
        await tell()
      }
      const states = await db.selectFrom('webhookDelivery').select('state').execute()
      assert.deepEqual(
        states.map(({ state }) => state),
        ['failed', 'failed'],
      )
      receiver.answer = echo(receiver)
      await bob.bugs.create({ ...bug, title: 'Taken' })
      await tell()
      assert.equal(eventsAt(receiver).length, 3)
    }))

  it('are subscribed to 50 times at most', (world) =>
    withAgent(world, async ({ subscribe, receiver, db }) => {
      await subscribe()
      const [row] = await db.selectFrom('webhook').selectAll().execute()
      const rows = Array.from({ length: 48 }, (_, at) => ({
        ...row!,
        id: `${row?.id}${at}`,
        subscriptionId: `sub_${at}`,
      }))
      await db.insertInto('webhook').values(rows).execute()
      const at = (path: string) => ({ delivery: { mode: 'webhook', url: `${receiver.url}/${path}`, secret: SECRET } })
      assert.ok((await subscribe(at('50'))).result)
      const { error } = await subscribe(at('51'))
      assert.deepEqual([error?.code, error?.['data']], [-32025, { limit: 'subscriptions' }])
      assert.ok((await subscribe()).result)
    }))
})
