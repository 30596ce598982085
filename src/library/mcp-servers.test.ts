// MCP servers through the front door: server.json by the rules of the MCP Registry.
import assert from 'node:assert/strict'
import { onEveryEngine, type Person } from '../../test/world.ts'

const server = {
  name: 'com.example/weather',
  title: 'Weather',
  description: 'Tells the weather of a place.',
  version: '1.0.0',
  packages: [
    {
      ...{ registryType: 'npm', identifier: '@example/weather', version: '1.0.0', transport: { type: 'stdio' } },
      environmentVariables: [{ name: 'WEATHER_KEY', isSecret: true, isRequired: true }, { name: 'UNITS' }],
    },
  ],
  remotes: [
    { type: 'streamable-http', url: 'https://weather.example/mcp', headers: [{ name: 'X-Key', isSecret: true }] },
  ],
}
const fileOf = (value: object) => new File([JSON.stringify(value)], 'server.json')
const publish = (person: Person, changes: object = {}, visibility: 'private' | 'public' = 'public') =>
  person.library.publish({ kind: 'mcp-server', file: fileOf({ ...server, ...changes }), visibility })

onEveryEngine('MCP servers', (it) => {
  it('say what they run, call and need, with secrets marked, and are not verified', async ({ alice, anonymous }) => {
    const item = await publish(alice)
    assert.deepEqual(
      [item.kind, item.slug, item.name, item.version],
      ['mcp-server', 'com.example_weather', 'Weather', '1.0.0'],
    )
    assert.deepEqual(item.meta, {
      ...{ server_name: 'com.example/weather', verified: false, repository: null },
      packages: [{ registry: 'npm', identifier: '@example/weather', version: '1.0.0', transport: 'stdio' }],
      remotes: [{ type: 'streamable-http', url: 'https://weather.example/mcp' }],
      given: [
        { name: 'WEATHER_KEY', place: 'environment', required: true, secret: true },
        { name: 'UNITS', place: 'environment', required: false, secret: false },
        { name: 'X-Key', place: 'header', required: false, secret: true },
      ],
    })
    const { may_do } = await anonymous.library.findContents({ kind: 'mcp-servers', slug: item.slug })
    assert.deepEqual(
      may_do.map(({ type, name }) => `${type}: ${name}`),
      [
        'download: npm package @example/weather',
        'script: npm package @example/weather',
        'secret: environment WEATHER_KEY',
        'secret: header X-Key',
        'site: weather.example',
        'step: is given environment UNITS',
      ],
    )
  })

  it('are refused where they break the format, with the field', async ({ alice }) => {
    const refused = (changes: object, message: RegExp) =>
      assert.rejects(publish(alice, changes, 'private'), { code: 'invalid_artifact', message })
    await refused({ name: 'weather' }, /^name: expected a name such as/)
    await refused({ name: 'a/b/c' }, /^name/)
    await refused({ name: '-a/b' }, /^name: expected a name that begins/)
    await refused({ description: 'x'.repeat(101) }, /^description/)
    await refused({ description: '' }, /^description/)
    await refused({ version: '^1.2' }, /^version: expected a semantic version/)
    await refused({ remotes: [{ type: 'streamable-http', url: 'ftp://a' }] }, /^remotes\.0\.url/)
    await refused({ remotes: [{ type: 'stdio' }] }, /^remotes\.0\.type/)
    await refused({ packages: [{ ...server.packages[0], version: 'latest' }] }, /^packages\.0\.version/)
    await refused({ packages: [{ ...server.packages[0], fileSha256: 'x' }] }, /^packages\.0\.fileSha256/)
    await refused({ packages: [{ ...server.packages[0], packageArguments: [{ type: 'positional' }] }] }, /^packages\.0/)
    await refused({ websiteUrl: 'nothing' }, /^websiteUrl/)
    assert.equal((await publish(alice, { description: 'x'.repeat(100), name: 'com.example/long' })).version, '1.0.0')
  })

  it('have a name that is theirs alone: of who published it first, for good', async ({ alice, bob }) => {
    const { id } = await publish(alice)
    for (const name of ['com.example/weather', 'COM.example/Weather'])
      for (const person of [alice, bob])
        await assert.rejects(publish(person, { name }), { status: 409, code: 'conflict' })
    await assert.rejects(alice.library.rename({ id, slug: 'google-maps' }), { status: 409 })
    await assert.rejects(
      alice.library.publishVersion({ id, file: fileOf({ ...server, name: 'com.example/rain', version: '2.0.0' }) }),
      {
        code: 'invalid_artifact',
      },
    )
    assert.notEqual((await publish(bob, { name: 'com.example/weather.x' })).slug, 'com.example_weather')
  })

  it('get one owner when ten publish the same name at once', async ({ alice }) => {
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => publish(alice)))
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  it('have the version of their file, and tell what a newer one changes', async ({ alice, anonymous }) => {
    const { id } = await publish(alice)
    const next = (changes: object) => alice.library.publishVersion({ id, file: fileOf({ ...server, ...changes }) })
    await assert.rejects(next({}), { code: 'version_conflict' })
    const remotes = [{ type: 'sse', url: 'https://other.example/sse' }]
    assert.equal((await next({ version: '1.1.0', remotes })).version, '1.1.0')
    const { nodes, permissions } = await anonymous.library.compare({ id })
    assert.deepEqual(nodes.added, [{ name: 'https://other.example/sse', type: 'sse' }])
    assert.deepEqual(permissions.added, [{ type: 'site', name: 'other.example' }])
    const form = { kind: 'mcp-server', file: fileOf({ ...server, name: 'com.example/other' }), version: '3.0.0' }
    await assert.rejects(alice.library.publish(form), { status: 400, message: /version: is 3\.0\.0/ })
  })

  it('are listed for those who ask for them', async ({ alice, anonymous }) => {
    await publish(alice)
    const totals = ['', 'mcp-server', 'MCP-Servers', 'all'].map(
      async (kind) => (await anonymous.library.list({ kind })).total,
    )
    assert.deepEqual(await Promise.all(totals), [0, 1, 1, 1])
  })
})
