// The MCP Registry API through the front door, as its clients ask it. Every answer is held against the description that others wrote.
import assert from 'node:assert/strict'
import {
  askRegistry,
  type Entry,
  type Listed,
  nameIn,
  namesOf,
  officialOf,
  publishServer,
  serverFile,
} from '../../../test/mcp-registry.ts'
import { setReaders } from '../../../test/private-world.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { PAGE_BYTES } from './reading.ts'

const NAME = 'com.example/weather'
const list = async (person: Person, query = '') => (await askRegistry(person, `/v0.1/servers${query}`)).body
const versionsOf = (person: Person, name = NAME, query = '') =>
  askRegistry(person, `/v0.1/servers/${nameIn(name)}/versions${query}`)
const versionOf = (person: Person, version: string, name = NAME, query = '') =>
  askRegistry<Entry>(person, `/v0.1/servers/${nameIn(name)}/versions/${encodeURIComponent(version)}${query}`)
const put = (person: Person, id: string, changes: object) =>
  person.library.publishVersion({ id, file: serverFile(changes) })

/** Every page, as a client goes through them. */
async function pages(person: Person, query: string): Promise<Listed[]> {
  const all: Listed[] = []
  for (let cursor = ''; ; ) {
    const page = await list(person, cursor ? `${query.replace(/&cursor=.*/, '')}&cursor=${cursor}` : query)
    all.push(page)
    if (!page.metadata.nextCursor) return all
    cursor = page.metadata.nextCursor
  }
}

/** Sends a token of alice with a scope. */
async function withToken(
  { alice, app, dependencies }: World,
  scopes: ('library:read' | 'community:read')[],
  path: string,
): Promise<Response> {
  const { token } = await alice.personalTokens.create({ name: 'Mirror', scopes })
  const headers = { Authorization: `Bearer ${token}` }
  return app.fetch(new Request(`${dependencies.config.baseUrl}${path}`, { headers }))
}

onEveryEngine('the MCP registry', (it) => {
  it('lists each version of what everybody sees, with its server.json and what is said of it', async (world) => {
    const { alice, anonymous, dependencies } = world
    const item = await publishServer(alice)
    await publishServer(alice, { name: 'com.example/secret' }, 'private')
    await put(alice, item.id, { version: '1.1.0' })
    const listed = await list(anonymous)
    assert.deepEqual(namesOf(listed), [`${NAME} 1.1.0`, `${NAME} 1.0.0`])
    assert.deepEqual(listed.metadata, { count: 2 })
    const [newest, first] = listed.servers as [Entry, Entry]
    const own = newest._meta['guildhall/item']
    assert.deepEqual(
      [own.url, own.verified],
      [`${dependencies.config.baseUrl}/library/mcp-servers/${item.slug}`, false],
    )
    assert.deepEqual(
      [newest, first].map((one) => officialOf(one).isLatest),
      [true, false],
    )
    assert.deepEqual(new Set(listed.servers.map((one) => officialOf(one).status)), new Set(['active']))
    assert.deepEqual(newest.server, JSON.parse(await serverFile({ version: '1.1.0' }).text()))
    assert.equal(officialOf(first).publishedAt, item.created_at)
  })

  it('answers by name and version, and for the latest release', async ({ alice, anonymous }) => {
    const { id } = await publishServer(alice, { version: '1.0.0+build.7' })
    await put(alice, id, { version: '2.0.0-beta.1' })
    assert.deepEqual(namesOf((await versionsOf(anonymous)).body), [`${NAME} 2.0.0-beta.1`, `${NAME} 1.0.0+build.7`])
    for (const version of ['latest', '1.0.0', '1.0.0+build.7', '1.0.0+other'])
      assert.equal((await versionOf(anonymous, version)).body.server.version, '1.0.0+build.7', version)
    assert.deepEqual(namesOf(await list(anonymous, '?version=latest')), [`${NAME} 1.0.0+build.7`])
    assert.deepEqual(namesOf(await list(anonymous, '?version=2.0.0-beta.1')), [`${NAME} 2.0.0-beta.1`])
    for (const version of ['3.0.0', '1', '^1.0.0', 'newest', '%', "'"])
      assert.deepEqual((await versionOf(anonymous, version)).body as unknown, { error: 'Server not found' }, version)
    for (const name of ['com.example/weather2', 'COM.example/weather', 'com.example_weather', 'x', '%00', '../x/y'])
      assert.equal((await anonymous.request(`/v0.1/servers/${nameIn(name)}/versions`)).status >= 400, true, name)
    assert.equal((await versionsOf(anonymous, 'com.example/other')).status, 404)
    assert.equal((await versionOf(anonymous, '1.0.0', 'COM.example/weather')).status, 404)
  })

  it('answers what VS Code asks, whose next page has a cursor and no search', async ({ alice, bob, anonymous }) => {
    for (let at = 0; at < 52; at++) {
      const name = `com.example/${at === 25 ? 'other' : 'wind'}-${String(at).padStart(2, '0')}`
      await publishServer(at < 26 ? alice : bob, { name, title: 'Air', description: 'Moves.' })
    }
    const all = await pages(anonymous, '?limit=50&version=latest')
    assert.deepEqual(
      all.map(({ servers, metadata }) => [servers.length, metadata.count]),
      [
        [50, 50],
        [2, 2],
      ],
    )
    const first = await list(anonymous, '?limit=20&version=latest&search=WIND-')
    const rest = await pages(anonymous, `?limit=20&version=latest&cursor=${first.metadata.nextCursor}`)
    const found = [first, ...rest].flatMap(({ servers }) => servers.map(({ server }) => server.name))
    assert.deepEqual([found.length, found.filter((name) => name.includes('wind-')).length], [51, 51])
    assert.match(String(first.metadata.nextCursor), /^[\w-]+$/)
  })

  it('searches names without regard to case, and what the library finds items by', async ({ alice, anonymous }) => {
    await publishServer(alice)
    await publishServer(alice, { name: 'com.example/tide', title: 'Gezeiten Ä', description: 'High_water 100%' })
    const found = async (search: string) =>
      (await list(anonymous, `?search=${encodeURIComponent(search)}`)).servers.map(({ server }) =>
        server.name.slice(12),
      )
    assert.deepEqual(await found('WEATH'), ['weather'])
    assert.deepEqual(await found('example/t'), ['tide'])
    assert.deepEqual(await found('gezeiten ä'), ['tide'])
    assert.deepEqual(await found('high_w'), ['tide'])
    assert.deepEqual(await found('100%'), ['tide'])
    assert.deepEqual(await found(''), ['tide', 'weather'])
    for (const nothing of ['%', '_x', "'", 'weather tide', '\\'])
      assert.deepEqual(await found(nothing), nothing === '%' ? ['tide'] : [], nothing)
  })

  it('takes values up to its limits, and refuses others in the words of the protocol', async ({ alice, anonymous }) => {
    await publishServer(alice)
    const status = async (query: string) => (await askRegistry(anonymous, `/v0.1/servers?${query}`)).status
    for (const good of [
      'limit=1',
      'limit=100',
      `search=${'a'.repeat(200)}`,
      'updated_since=2025-08-07T13:15:04.280Z',
      'updated_since=2025-08-07T13:15:04%2B02:00',
      'include_deleted=true',
      'cursor=',
      'version=',
      'other=1',
    ])
      assert.equal(await status(good), 200, good)
    for (const bad of [
      'limit=0',
      'limit=101',
      'limit=-1',
      'limit=1.5',
      'limit=x',
      `search=${'a'.repeat(201)}`,
      'updated_since=yesterday',
      'updated_since=2025-08-07',
      'include_deleted=maybe',
      'cursor=x',
      `cursor=${'a'.repeat(1001)}`,
      'version=1',
      'version=^1',
    ])
      assert.equal(await status(bad), 400, bad)
    const versions = `/v0.1/servers/${nameIn(NAME)}/versions`
    for (const [query, expected] of [
      ['limit=100', 200],
      ['limit=101', 400],
      ['include_deleted=1', 400],
    ] as const)
      assert.equal((await askRegistry(anonymous, `${versions}?${query}`)).status, expected, query)
  })

  it('goes on where a page ended, once for each version, and refuses a cursor of another list', async ({
    alice,
    anonymous,
  }) => {
    const names = ['a', 'b', 'c'].map((name) => `com.example/${name}`)
    for (const name of names) {
      const { id } = await publishServer(alice, { name })
      await put(alice, id, { name, version: '1.0.1' })
    }
    for (const limit of [1, 2, 5, 6, 7]) {
      const all = (await pages(anonymous, `?limit=${limit}`)).flatMap(namesOf)
      assert.deepEqual(
        all,
        names.flatMap((name) => [`${name} 1.0.1`, `${name} 1.0.0`]),
        String(limit),
      )
    }
    const { nextCursor } = (await list(anonymous, '?limit=2&search=example')).metadata
    const status = async (query: string) =>
      (await askRegistry(anonymous, `/v0.1/servers?cursor=${nextCursor}${query}`)).status
    assert.deepEqual(
      await Promise.all(['', '&search=EXAMPLE', '&search=other', '&version=latest', '&limit=9'].map(status)),
      [200, 200, 400, 400, 200],
    )
    const versions = `/v0.1/servers/${nameIn(names[0]!)}/versions`
    const first = (await askRegistry(anonymous, `${versions}?limit=1`)).body
    const second = (await askRegistry(anonymous, `${versions}?limit=1&cursor=${first.metadata.nextCursor}`)).body
    assert.deepEqual([...namesOf(first), ...namesOf(second)], [`${names[0]} 1.0.1`, `${names[0]} 1.0.0`])
    const other = `/v0.1/servers/${nameIn(names[1]!)}/versions?cursor=${first.metadata.nextCursor}`
    assert.equal((await askRegistry(anonymous, other)).status, 400)
  })

  it(`ends a page before its files have more than ${PAGE_BYTES} bytes`, async ({ alice, anonymous }) => {
    const sized = async (name: string, bytes: number) => {
      const empty = await serverFile({ name, padding: '' }).bytes()
      return publishServer(alice, { name, padding: 'x'.repeat(bytes - empty.length) })
    }
    await sized('com.example/a', PAGE_BYTES / 2)
    await sized('com.example/b', PAGE_BYTES / 2)
    const two = await list(anonymous)
    assert.deepEqual([two.servers.length, two.metadata.nextCursor], [2, undefined])
    await sized('com.example/a0', 1 + PAGE_BYTES / 2)
    const counts = (await pages(anonymous, '?limit=9')).map(({ servers }) => servers.length)
    assert.deepEqual(counts, [1, 1, 1])
    await sized('com.example/big', PAGE_BYTES)
    assert.equal((await pages(anonymous, '?limit=9')).flatMap(namesOf).length, 4)
  })

  it('says what was deprecated and yanked, and hides what an admin withholds unless it is asked for', async (world) => {
    const { alice, admin, anonymous, clock } = world
    clock.stop()
    const { id } = await publishServer(alice)
    await put(alice, id, { version: '1.1.0' })
    await put(alice, id, { version: '1.2.0' })
    clock.pass(60)
    await alice.library.yank({ id, version: '1.1.0', yanked: true, reason: 'Breaks on Mondays' })
    const [, yanked] = (await versionsOf(anonymous)).body.servers as [Entry, Entry]
    const now = new Date(clock.now()).toISOString()
    const { status, statusMessage, statusChangedAt, updatedAt } = officialOf(yanked)
    assert.deepEqual([status, statusMessage, statusChangedAt, updatedAt], ['deprecated', 'Breaks on Mondays', now, now])
    assert.equal((await versionOf(anonymous, '1.1.0')).status, 200)
    await admin.library.yank({ id, version: '1.2.0', yanked: true, reason: 'Steals keys' })
    assert.equal((await versionOf(anonymous, '1.2.0')).status, 404)
    assert.equal((await versionOf(anonymous, 'latest')).body.server.version, '1.0.0')
    const withheld = await versionOf(anonymous, '1.2.0', NAME, '?include_deleted=true')
    assert.deepEqual([withheld.status, officialOf(withheld.body).status], [200, 'deleted'])
    assert.equal((await list(anonymous)).servers.length, 2)
    assert.equal((await list(anonymous, '?include_deleted=true')).servers.length, 3)
    assert.equal((await versionsOf(anonymous, NAME, '?include_deleted=true')).body.servers.length, 3)
    assert.equal((await list(anonymous, `?updated_since=${now}`)).servers.length, 3)
    await alice.library.yank({ id, version: '1.0.0', yanked: true })
    assert.equal((await versionOf(anonymous, 'latest')).status, 404)
    assert.deepEqual((await list(anonymous, '?version=latest')).servers, [])
    const long = 'x'.repeat(500)
    await alice.library.yank({ id, version: '1.0.0', yanked: false })
    await alice.library.deprecate({ id, deprecated: true, message: long })
    const [old] = (await list(anonymous, '?version=latest')).servers as [Entry]
    assert.deepEqual([officialOf(old).status, officialOf(old).statusMessage], ['deprecated', long])
  })

  it('tells who copies it what changed since a moment: yanked, deprecated, shown again', async (world) => {
    const { alice, admin, anonymous, clock } = world
    clock.stop()
    const item = await publishServer(alice)
    await publishServer(alice, { name: 'com.example/quiet' })
    const since = async () => {
      clock.pass(10)
      return new Date(clock.now()).toISOString()
    }
    const changed = async (at: string) => [
      ...new Set((await list(anonymous, `?updated_since=${at}`)).servers.map(({ server }) => server.name)),
    ]
    const steps: (() => Promise<unknown>)[] = [
      () => alice.library.yank({ id: item.id, version: '1.0.0', yanked: true }),
      () => alice.library.yank({ id: item.id, version: '1.0.0', yanked: false }),
      () => alice.library.deprecate({ id: item.id, deprecated: true }),
      () => alice.library.deprecate({ id: item.id, deprecated: false }),
      () => put(alice, item.id, { version: '1.1.0' }),
      () => alice.library.deleteVersion({ id: item.id, version: '1.1.0' }),
    ]
    for (const [at, step] of steps.entries()) {
      const before = await since()
      assert.deepEqual(await changed(before), [], String(at))
      await step()
      assert.deepEqual(await changed(before), [NAME], String(at))
      const exact = (await list(anonymous, '?version=latest&search=example/weather')).servers[0]
      if (exact) {
        const { updatedAt } = officialOf(exact)
        assert.deepEqual(await changed(updatedAt), [NAME])
        assert.deepEqual(await changed(new Date(Date.parse(updatedAt) + 1).toISOString()), [])
      }
    }
    const { id } = await alice.account()
    await admin.admin.block({ id, blocked: true })
    await world.app.deliver()
    assert.deepEqual((await list(anonymous)).servers, [])
    const before = await since()
    await admin.admin.block({ id, blocked: false })
    await world.app.deliver()
    assert.deepEqual((await changed(before)).toSorted(), ['com.example/quiet', NAME])
  })

  it('gives nothing of a file that clients take for the word of a registry', async ({ alice, anonymous }) => {
    const official = { status: 'active', isLatest: true }
    const github = { name: 'weather', stargazer_count: 99_999, readme: '# Trust me' }
    await publishServer(alice, {
      _meta: {
        'io.modelcontextprotocol.registry/official': official,
        'io.modelcontextprotocol.registry/publisher-provided': { tool: 'ci', github },
        'x-ms-icon': 'https://evil.example/icon.png',
      },
    })
    const [{ server }] = (await list(anonymous)).servers as [Entry]
    assert.deepEqual(server._meta, { 'io.modelcontextprotocol.registry/publisher-provided': { tool: 'ci' } })
    await publishServer(alice, {
      name: 'com.example/b',
      _meta: { 'io.modelcontextprotocol.registry/publisher-provided': { github } },
    })
    assert.equal((await versionOf(anonymous, 'latest', 'com.example/b')).body.server._meta, undefined)
  })

  it('is for reading, by pages of every origin', async ({ anonymous }) => {
    for (const path of ['/v0.1/servers', `/v0.1/servers/${nameIn(NAME)}/versions/latest`]) {
      const preflight = await anonymous.request(path, { method: 'OPTIONS' })
      assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-origin')], [204, '*'])
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const response = await anonymous.request(path, { method })
        assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
        assert.equal(typeof ((await response.json()) as { error: string }).error, 'string')
      }
    }
    const nothing = await anonymous.request('/v0.1/publish')
    assert.deepEqual([nothing.status, await nothing.json()], [404, { error: 'There is nothing here' }])
    assert.equal((await anonymous.request('/v0.1/servers', { method: 'HEAD' })).status, 200)
  })

  it('of a private instance is for its readers, with a session or a token of the library', async (world) => {
    const { alice, anonymous } = world
    await publishServer(alice)
    await publishServer(alice, { name: 'com.example/own' }, 'private')
    await setReaders(world, 'members')
    for (const path of ['/v0.1/servers', `/v0.1/servers/${nameIn(NAME)}/versions/latest`, '/v0.1/servers/x/versions']) {
      const { status, body, headers } = await askRegistry<{ error: string }>(anonymous, path)
      assert.deepEqual([status, typeof body.error], [401, 'string'])
      assert.match(headers.get('www-authenticate') ?? '', /scope="library:read"/)
      assert.match(headers.get('cache-control') ?? '', /no-store/)
    }
    assert.deepEqual(namesOf(await list(world.bob)), [`${NAME} 1.0.0`])
    const read = await withToken(world, ['library:read'], '/v0.1/servers')
    assert.deepEqual([read.status, namesOf((await read.json()) as Listed)], [200, [`${NAME} 1.0.0`]])
    assert.doesNotMatch(read.headers.get('cache-control') ?? '', /public/)
    assert.equal((await withToken(world, ['community:read'], '/v0.1/servers')).status, 403)
    assert.equal((await world.blocked.request('/v0.1/servers')).status, 403)
  })
})

onEveryEngine(
  'the MCP registry of a library without MCP servers',
  (it) => {
    it('is not there', async ({ anonymous, alice }) => {
      for (const person of [anonymous, alice])
        for (const path of [
          '/v0.1/servers',
          `/v0.1/servers/${nameIn(NAME)}/versions`,
          `/v0.1/servers/${nameIn(NAME)}/versions/1.0.0`,
          '/v0.1/other',
        ])
          assert.equal((await person.request(path)).status, 404)
    })
  },
  { PARTS_OFF: 'mcp-servers' },
)
