// Subscriptions to resources with the SDK's own client: a change is heard within a second, whichever process made it, by those alone who may
// read it, and only as long as their token is good.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type McpSubscription, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { MAX_OF_ANONYMOUS } from '../../src/surfaces/mcp/stream-turns.ts'
import { MAX_OF_ACCOUNT, MAX_URIS } from '../../src/surfaces/mcp/subscriptions.ts'
import { agentOf } from '../agents.ts'
import { exchangeRun, gitHub, issuerFor, letRun } from '../ci.ts'
import { workflowFile } from '../library.ts'
import { verified } from '../pending.ts'
import { SITE, siteOf } from '../widget.ts'
import { onEveryEngine, type World } from '../world.ts'
import { ask, LEGACY, MODERN, requestTo, tokenOf } from './caller.ts'
import { serve } from './serve.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

interface Subscriber {
  /** The addresses that it was told of, as paths. */
  heard: string[]
  listen(...paths: string[]): Promise<McpSubscription>
  /** Resolves when it was told of this address, again. */
  hears(path: string): Promise<void>
  close(): Promise<void>
}

/** A client that speaks 2026-07-28; its requests are answered in process. */
async function subscriber({ app, dependencies }: World, token?: string): Promise<Subscriber> {
  const { baseUrl } = dependencies.config
  const client = new Client({ name: 'a-client', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  const heard: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.push(params.uri.slice(baseUrl.length))
  })
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/api/mcp`), {
    fetch: async (url, init) => app.fetch(new Request(url, init)),
    ...(token && { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
  })
  await client.connect(transport)
  return {
    heard,
    listen: (...paths) => client.listen({ resourceSubscriptions: paths.map((path) => baseUrl + path) }),
    async hears(path) {
      const until = performance.now() + 8_000
      while (!heard.includes(path)) {
        assert.ok(performance.now() < until, `${path} is not heard of`)
        await sleep(20)
      }
      heard.splice(0)
    },
    close: () => client.close(),
  }
}

/** Longer than a turn takes, with what is read in it. */
const aWhile = () => sleep(1_200)

onEveryEngine('a subscription', (it) => {
  it('tells of a thing, its thread and the inbox when they change', async (world) => {
    const { alice, bob, app } = world
    const { id } = await alice.bugs.create(crash)
    const one = await subscriber(world, await tokenOf(world, alice))
    const [bug, thread, inbox] = [
      `/api/community/bugs/${id}`,
      `/api/community/bugs/${id}/comments`,
      '/api/community/notifications',
    ]
    await one.listen(bug, thread, inbox)
    await alice.bugs.edit({ id, title: 'Crash on start' })
    await one.hears(bug)
    await bob.bugs.comment({ id, body: 'Here too' })
    await one.hears(thread)
    await app.deliver()
    await one.hears(inbox)
    await aWhile()
    one.heard.splice(0)
    await bob.bugs.create({ ...crash, title: 'Another one' })
    await aWhile()
    assert.deepEqual(one.heard, [])
    await one.close()
  })

  it('tells an agent what became of a write that waits for a yes', async (world) => {
    const { alice } = world
    const more = { authorization_details: JSON.stringify([{ type: 'guildhall_bounds', calls: 3, ask: ['posts'] }]) }
    const agent = await agentOf(world, alice, { more })
    await assert.rejects(agent.bugs.create(crash), { status: 202 })
    const [act] = (await alice.pendingActs.list({ state: 'waiting' })).items
    const path = `/api/account/pending-acts/${act?.id}`
    const one = await subscriber(world, agent.accessToken)
    await one.listen(path)
    await alice.pendingActs.approve({ id: act?.id ?? '' })
    await one.hears(path)
    // Two calls of its three were made: the write, and the first look. What the server looks at by itself is none.
    await agent.news.list({})
    await assert.rejects(agent.news.list({}), { status: 429 })
    await one.close()
  })

  it('says nothing of what its subscriber may not read, and nothing that tells whether it is there', async (world) => {
    const { alice, bob } = world
    const file = (n: number) => workflowFile({ name: 'Secret', n })
    const { id } = await alice.library.publish({ kind: 'workflow', visibility: 'private', file: file(0) })
    const path = `/api/library/items/${id}`
    const nothing = '/api/library/items/00000000-0000-7000-8000-000000000000'
    const [mine, others] = [
      await subscriber(world, await tokenOf(world, alice)),
      await subscriber(world, await tokenOf(world, bob)),
    ]
    const anonymous = await subscriber(world)
    const opened = [
      await mine.listen(path, nothing),
      await others.listen(path, nothing),
      await anonymous.listen(path, nothing),
    ]
    for (const { honoredFilter } of opened) assert.deepEqual(honoredFilter, opened[0]?.honoredFilter)
    await alice.library.publishVersion({ id, version: '2.0.0', file: file(1) })
    await mine.hears(path)
    await aWhile()
    assert.deepEqual([others.heard, anonymous.heard], [[], []])
    await alice.library.update({ id, visibility: 'public' })
    for (const one of [mine, others, anonymous]) await one.hears(path)
    await alice.library.update({ id, visibility: 'private' })
    for (const one of [mine, others, anonymous]) await one.hears(path)
    await alice.library.publishVersion({ id, version: '3.0.0', file: file(2) })
    await mine.hears(path)
    await aWhile()
    assert.deepEqual([others.heard, anonymous.heard], [[], []])
    for (const one of [mine, others, anonymous]) await one.close()
  })

  it('ends with its grant, with a block and when the server stops', async (world) => {
    const { alice, bob, admin, app } = world
    const { id } = await alice.bugs.create(crash)
    const path = `/api/community/bugs/${id}`
    const all = [await tokenOf(world, alice), await tokenOf(world, bob), undefined]
    const [first, second, third] = await Promise.all(all.map((token) => subscriber(world, token)))
    const streams = [await first!.listen(path), await second!.listen(path), await third!.listen(path)]
    await alice.signIns.endAll()
    assert.equal(await streams[0]!.closed, 'graceful')
    await admin.admin.block({ id: (await bob.account()).id, blocked: true })
    assert.equal(await streams[1]!.closed, 'graceful')
    assert.deepEqual([first!.heard, second!.heard], [[], []])
    await assert.rejects(first!.listen(path))
    await assert.rejects(second!.listen(path))
    app.drain()
    assert.equal(await streams[2]!.closed, 'graceful')
    await assert.rejects(third!.listen(path), /stops/)
  })

  it('ends when its account is no reader of the instance any more, and begins no more then', async (world) => {
    const { alice, moderator, admin } = world
    const { id } = await alice.bugs.create(crash)
    await verified(world)
    const path = `/api/community/bugs/${id}`
    const [own, other] = [
      await subscriber(world, await tokenOf(world, alice)),
      await subscriber(world, await tokenOf(world, moderator)),
    ]
    await admin.settings.change({ changes: { READERS: 'members', READER_DOMAINS: 'example.com' } })
    const stream = await own.listen(path)
    await other.listen(path)
    await admin.settings.change({ changes: { READER_DOMAINS: 'lab.example' } })
    // A process of a test looks for its settings when it is asked.
    for (let n = 0; n < 2; n++) await assert.rejects(own.listen(path), /may not read this community/)
    assert.equal(await stream.closed, 'graceful')
    await admin.bugs.triage({ id, status: 'in_progress' })
    await other.hears(path)
    for (const one of [own, other]) await one.close()
  })

  it('is for no token that has another use: of the widget, or of publishing', async (world) => {
    const { id } = await world.alice.bugs.create(crash)
    await world.admin.settings.change({ changes: { WIDGET_SITES: SITE } })
    const { token: ofWidget } = await (await siteOf(world)).person()
    const issuer = await issuerFor(world)
    await letRun(world.alice, issuer, { kind: 'workflow', slug: 'a-run' })
    const { access_token: ofRun } = await exchangeRun(world, await issuer.token(gitHub()), 'workflow/a-run')
    for (const [token, words] of [
      [ofWidget, /of the widget, and does nothing else/],
      [ofRun, /publishes one item, and does nothing else/],
    ] as const) {
      const one = await subscriber(world, token)
      await assert.rejects(one.listen(`/api/community/bugs/${id}`), words)
      await assert.rejects(one.listen('/api/community/notifications'), /does nothing else|no resource/)
      await one.close()
    }
  })

  it(`is one of at most ${MAX_OF_ACCOUNT} of an account, and names at most ${MAX_URIS} resources of this server`, async (world) => {
    const { alice, bob, dependencies } = world
    const { id } = await alice.bugs.create(crash)
    const path = `/api/community/bugs/${id}`
    // Each process counts its own.
    const processes =
      process.env['TEST_PROCESSES'] === '2' && dependencies.config.databaseUrl.startsWith('postgres') ? 2 : 1
    for (const [token, most] of [
      [await tokenOf(world, bob), MAX_OF_ACCOUNT],
      [undefined, MAX_OF_ANONYMOUS],
    ] as const) {
      const one = await subscriber(world, token)
      const open = await Promise.allSettled(Array.from({ length: (most + 1) * processes }, () => one.listen(path)))
      const streams = open.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      assert.equal(streams.length, most * processes)
      for (const stream of streams) await stream.close()
      await sleep(50)
      const again = await one.listen(path)
      await again.close()
      const many = Array.from({ length: MAX_URIS + 1 }, (_, n) => `${path}${n}`)
      await assert.rejects(one.listen(...many), /at most 20/)
      for (const other of ['/api/admin/users', '/settings', '/api/community/bugs', '.evil.example/'])
        await assert.rejects(one.listen(other), /no resource/)
      await one.close()
    }
  })

  it('watches at most 200 resources together with others of its network', async (world) => {
    const { alice, bob, dependencies } = world
    const processes =
      process.env['TEST_PROCESSES'] === '2' && dependencies.config.databaseUrl.startsWith('postgres') ? 2 : 1
    const paths = Array.from({ length: MAX_URIS }, (_, n) => `/api/community/bugs/${n}`)
    for (const person of [alice, bob]) {
      const one = await subscriber(world, await tokenOf(world, person))
      for (let n = 0; n < MAX_OF_ACCOUNT * processes; n++) await one.listen(...paths)
    }
    const third = await subscriber(world, await tokenOf(world, world.person('carol')))
    await assert.rejects(third.listen('/api/community/bugs/1'), /limit reached/)
  })

  it('is cut off where its reader takes nothing', async (world) => {
    const { alice, app, dependencies } = world
    const bugs = await Promise.all(Array.from({ length: 15 }, () => alice.bugs.create(crash)))
    const { baseUrl } = dependencies.config
    const uris = bugs.map(({ id }) => `${baseUrl}/api/community/bugs/${id}`)
    const params = { notifications: { resourceSubscriptions: uris } }
    const response = await app.fetch(requestTo('subscriptions/listen', params, { era: MODERN }))
    assert.match(response.headers.get('content-type') ?? '', /event-stream/)
    for (let round = 0; round < 4; round++) {
      for (const { id } of bugs) await alice.bugs.edit({ id, title: `Crash ${round}` })
      await aWhile()
    }
    await assert.rejects(response.text(), /takes too little/)
  })

  it('comes through a port as it happens, and counts no more once its client has gone', async (world) => {
    const { alice, app, dependencies } = world
    const { id } = await alice.bugs.create(crash)
    const uri = `${dependencies.config.baseUrl}/api/community/bugs/${id}`
    const token = await tokenOf(world, alice)
    const server = await serve(app)
    const open = async () => {
      const leaving = new AbortController()
      const params = { notifications: { resourceSubscriptions: [uri] } }
      const request = requestTo('subscriptions/listen', params, { era: MODERN, token })
      const { headers } = request
      const body = await request.text()
      const init = { method: 'POST', headers, body, signal: leaving.signal }
      const reader = (await fetch(`${server.url}/api/mcp`, init)).body!.getReader()
      const next = async () => new TextDecoder().decode((await reader.read()).value)
      return { first: await next(), next, leave: () => leaving.abort() }
    }
    try {
      for (let round = 0; round < 2; round++) {
        const streams = []
        for (let n = 0; n < MAX_OF_ACCOUNT; n++) streams.push(await open())
        for (const { first } of streams) assert.match(first, /acknowledged/)
        await alice.bugs.edit({ id, title: `Crash ${round}` })
        for (const { next } of streams) assert.match(await next(), /resources\/updated/)
        for (const { leave } of streams) leave()
        await sleep(300)
      }
    } finally {
      await server.close()
    }
  })

  it('is offered where the revision has it', async (world) => {
    const offered = async (era: string, method: string, given: object) => {
      const { messages } = await ask(world.app, method, given, { era })
      const result: object = messages.at(-1)?.result ?? {}
      return 'capabilities' in result && result.capabilities
    }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } }
    assert.partialDeepStrictEqual(await offered(MODERN, 'server/discover', {}), { resources: { subscribe: true } })
    assert.doesNotMatch(JSON.stringify(await offered(LEGACY, 'initialize', params)), /subscribe/)
  })
})
