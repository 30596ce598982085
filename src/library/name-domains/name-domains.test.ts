// Names of MCP servers that a domain proves: by the key that signed the version, which the domain names in a file.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Domains, newKey, withDomains } from '../../../test/domains.ts'
import { askRegistry, type Entry, type Listed, nameIn, publishServer, serverFile } from '../../../test/mcp-registry.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { KEPT_SECONDS, MAX_DOMAINS_A_DAY, REST_SECONDS, RETRY_SECONDS } from './rules.ts'

const NAME = 'com.example/weather'
const DAY = 86_400

type Key = ReturnType<typeof newKey>

/** Publishes a server and signs its version by hand. */
async function signServer(
  person: Person,
  key: Key,
  { name = NAME, visibility = 'public' as 'public' | 'private' } = {},
) {
  const { id } = await publishServer(person, { name }, visibility)
  const { items } = await person.publisherKeys.list()
  const known = items.find(({ public_key }) => public_key === key.public_key)
  const { id: key_id } = known ?? (await person.publisherKeys.add({ name: 'Laptop', public_key: key.public_key }))
  await sign(person, key, { id, key_id })
  return { id, key_id }
}

async function sign(
  person: Person,
  key: Key,
  { id, key_id, version = '1.0.0' }: Record<'id' | 'key_id', string> & { version?: string },
) {
  const { payload } = await person.transparency.statement({ id, version })
  const signature = key.sign(Buffer.from(payload, 'base64').toString())
  await person.publisherKeys.sign({ id, version, key_id, signature })
}

/** What item and registry say; they say the same. */
async function isVerified({ anonymous }: World, id: string, name = NAME, version = '1.0.0'): Promise<boolean> {
  const { meta } = await anonymous.library.get({ id })
  const found = (await anonymous.library.list({ kind: 'mcp-server' })).items.find((one) => one.id === id)
  const { body } = await askRegistry<Entry>(anonymous, `/v0.1/servers/${nameIn(name)}/versions/${version}`)
  const listed = (await askRegistry<Listed>(anonymous, '/v0.1/servers?version=latest')).body.servers
  const entry = listed.find(({ server }) => server.name === name)
  const all = [meta['verified'], found?.meta['verified'], body._meta['guildhall/item'].verified]
  all.push(entry?._meta['guildhall/item'].verified)
  assert.equal(new Set(all).size, 1, all.join())
  return all[0] === true
}

/** Runs with domains that answer, in the world of a test. */
const asking =
  (run: (world: World, domains: Domains) => Promise<void>) =>
  (world: World): Promise<void> =>
    withDomains(async (domains) => {
      world.dependencies.reach = domains.reach
      await run(world, domains)
    })

const rows = ({ db }: World) => db.selectFrom('nameDomain').select(['domain', 'publicKeys', 'namedAt']).execute()

onEveryEngine('the domain in the name of an MCP server', (it) => {
  it(
    'proves a version while it names the key that signed it',
    asking(async (world, { say, asked }) => {
      const key = newKey()
      say.set('example.com', `${newKey().record}\n${key.record}\n`)
      const { id, key_id } = await signServer(world.alice, key)
      assert.equal(await isVerified(world, id), false)
      assert.deepEqual(asked, [])
      await world.app.askDomains()
      assert.deepEqual(asked, ['example.com /.well-known/mcp-registry-auth'])
      assert.equal(await isVerified(world, id), true)
      // Each version proves for itself, and one that is signed as it is published does so at once.
      await world.alice.library.publishVersion({ id, file: serverFile({ version: '1.1.0' }) })
      assert.equal(await isVerified(world, id, NAME, '1.1.0'), false)
      await sign(world.alice, key, { id, key_id, version: '1.1.0' })
      assert.equal(await isVerified(world, id, NAME, '1.1.0'), true)
      say.set('example.com', newKey().record)
      world.clock.pass(DAY - 60)
      await world.app.askDomains()
      // The second signature had it asked once more, after its rest.
      assert.equal(asked.length, 2)
      assert.equal(await isVerified(world, id, NAME, '1.1.0'), false)
      say.set('example.com', key.record)
      world.clock.pass(DAY + 1)
      await world.app.askDomains()
      assert.equal(await isVerified(world, id, NAME, '1.1.0'), true)
      await world.alice.publisherKeys.revoke({ id: key_id })
      assert.equal(await isVerified(world, id, NAME, '1.1.0'), false)
      world.clock.pass(DAY + 1)
      await world.app.askDomains()
      assert.deepEqual([asked.length, await rows(world)], [3, []])
    }),
  )

  it(
    'is asked when a version was signed as it was published',
    asking(async (world, { say }) => {
      const { alice } = world
      const key = newKey()
      say.set('example.com', key.record)
      const { id: keyid } = await alice.publisherKeys.add({ name: 'Laptop', public_key: key.public_key })
      const file = serverFile()
      const { createHash } = await import('node:crypto')
      const sha256 = createHash('sha256')
        .update(Buffer.from(await file.arrayBuffer()))
        .digest('hex')
      const draft = await alice.publisherKeys.draft({
        kind: 'mcp-server',
        name: 'com.example_weather',
        sha256,
        size: file.size,
      })
      const sig = key.sign(Buffer.from(draft.payload, 'base64').toString())
      const signature = JSON.stringify({ ...draft, signatures: [{ keyid, sig }] })
      const { id } = await alice.library.publish({ kind: 'mcp-server', file, visibility: 'public', signature })
      await world.app.askDomains()
      assert.equal(await isVerified(world, id), true)
    }),
  )

  it(
    'proves nothing for another key, for one without its private half, and for names that only look alike',
    asking(async (world, { say, asked }) => {
      const { alice, bob } = world
      const [key, other] = [newKey(), newKey()]
      // A page of GitHub says nothing about names of GitHub.
      for (const domain of ['example.com', 'mira.github.io']) say.set(domain, key.record)
      const { id } = await signServer(alice, other)
      // Everybody reads the key of the domain; who adds it to an account cannot sign with it.
      const { id: key_id } = await bob.publisherKeys.add({ name: 'Found', public_key: key.public_key })
      const { id: own } = await publishServer(bob, { name: 'com.example/mine' })
      await assert.rejects(sign(bob, other, { id: own, key_id }), { status: 400 })
      const alike = ['com.example.weather/x', 'com.examp1e/x', 'example.com/x', 'example.evil/x', 'io.github.mira/x']
      const ids = []
      for (const name of alike) ids.push((await signServer(bob, key, { name })).id)
      await world.app.askDomains()
      const domains = ['com.example', 'evil.example', 'examp1e.com', 'example.com', 'weather.example.com']
      assert.deepEqual(asked.map((one) => one.split(' ')[0]).toSorted(), domains)
      assert.equal(await isVerified(world, id), false)
      assert.equal(await isVerified(world, own, 'com.example/mine'), false)
      for (const [at, name] of alike.entries())
        assert.equal(await isVerified(world, String(ids[at]), name), false, name)
    }),
  )

  it(
    'says nothing by a redirect, by more than 4 KiB, or without https',
    asking(async (world, { say, asked, reach }) => {
      const key = newKey()
      say.set('other.example', key.record)
      say.set('example.com', (response) => {
        response.writeHead(302, { Location: 'https://other.example/.well-known/mcp-registry-auth' }).end(key.record)
      })
      const { id, key_id } = await signServer(world.alice, key)
      const again = async () => {
        world.clock.pass(REST_SECONDS + 1)
        await sign(world.alice, key, { id, key_id })
        await world.app.askDomains()
        return isVerified(world, id)
      }
      assert.equal(await again(), false)
      assert.equal(asked.length, 1)
      const padded = (bytes: number) => `${key.record}\n${'x'.repeat(bytes - key.record.length - 1)}`
      say.set('example.com', padded(4_097))
      assert.equal(await again(), false)
      say.set('example.com', padded(4_096))
      assert.equal(await again(), true)
      say.set('example.com', padded(4_097))
      assert.equal(await again(), false)
      const plain = createServer((_, response) => void response.end(key.record))
      await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
      const { port } = plain.address() as AddressInfo
      world.dependencies.reach = { ...reach, allowsHttp: true, standIn: { address: '127.0.0.1', port } }
      assert.equal(await again(), false)
      plain.close()
      world.dependencies.reach = { ...reach, isAllowed: () => false }
      say.set('example.com', key.record)
      const before = asked.length
      assert.deepEqual([await again(), asked.length], [false, before], 'a private address')
    }),
  )

  it(
    'keeps what it said for seven days without an answer, and is forgotten quietly then',
    asking(async (world, { say, asked }) => {
      const key = newKey()
      say.set('example.com', key.record)
      const { id } = await signServer(world.alice, key)
      await world.app.askDomains()
      say.set('example.com', (response) => void response.writeHead(503).end(key.record))
      world.clock.pass(DAY)
      await world.app.askDomains()
      assert.deepEqual([asked.length, await isVerified(world, id)], [2, true])
      world.clock.pass(RETRY_SECONDS - 60)
      await world.app.askDomains()
      assert.equal(asked.length, 2)
      world.clock.pass(61)
      await world.app.askDomains()
      assert.equal(asked.length, 3)
      world.clock.pass(KEPT_SECONDS - DAY - RETRY_SECONDS - 60)
      assert.equal(await isVerified(world, id), true)
      world.clock.pass(120)
      assert.equal(await isVerified(world, id), false)
      await world.app.askDomains()
      assert.deepEqual(await rows(world), [])
      const failures = await world.db.selectFrom('job').select('kind').where('kind', '=', 'domains.ask').execute()
      assert.deepEqual(failures, [])
    }),
  )

  it(
    'is not asked for what nobody signed, for what is gone, and more than once in ten minutes',
    asking(async (world, { asked }) => {
      const { alice } = world
      const key = newKey()
      await publishServer(alice)
      await world.app.askDomains()
      assert.deepEqual(await rows(world), [])
      const { id, key_id } = await signServer(alice, key, { name: 'com.example/other' })
      await world.app.askDomains()
      await sign(alice, key, { id, key_id })
      world.clock.pass(REST_SECONDS - 30)
      await world.app.askDomains()
      assert.equal(asked.length, 1)
      world.clock.pass(31)
      await world.app.askDomains()
      assert.equal(asked.length, 2)
      await alice.library.delete({ id })
      world.clock.pass(DAY + 1)
      await world.app.askDomains()
      assert.deepEqual([asked.length, await rows(world)], [2, []])
    }),
  )

  it(
    'is one of a thousand in a day, and those that proved something come first',
    asking(async (world, { asked, say }) => {
      const key = newKey()
      say.set('example.com', key.record)
      const { id } = await signServer(world.alice, key)
      await world.app.askDomains()
      const now = new Date(world.clock.now() + (DAY - 3_600) * 1_000).toISOString()
      const others = Array.from({ length: MAX_DOMAINS_A_DAY - 1 }, (_, at) => ({
        ...{ domain: `d${at}.example`, publicKeys: '[]', signedAt: now, changes: 0 },
        ...{ dueAt: '2999-01-01T00:00:00.000Z', askedAt: now, namedAt: null },
      }))
      await world.db.insertInto('nameDomain').values(others).execute()
      await signServer(world.alice, key, { name: 'example.evil/x' })
      world.clock.pass(DAY + 1)
      await world.app.askDomains()
      assert.deepEqual(
        asked.map((one) => one.split(' ')[0]),
        ['example.com', 'example.com'],
      )
      assert.equal(await isVerified(world, id), true)
      world.clock.pass(DAY)
      await world.app.askDomains()
      assert.equal(asked.filter((one) => one.startsWith('evil.example')).length, 1)
    }),
  )

  it(
    'has the last word in a race, also of a version that is signed while it answers',
    asking(async (world, { asked, say }) => {
      const key = newKey()
      const { id, key_id } = await signServer(world.alice, key)
      let answer: () => void = () => undefined
      const begun = new Promise<void>((resolve) => {
        say.set('example.com', (response) => {
          answer = () => response.writeHead(404).end()
          resolve()
        })
      })
      const slow = world.app.askDomains()
      await begun
      // A second turn at the same time asks nothing.
      const { askDomain } = await import('./asking.ts')
      await askDomain(world.dependencies, 'example.com')
      assert.equal(asked.length, 1)
      await sign(world.alice, key, { id, key_id })
      say.set('example.com', key.record)
      // As when the first one hangs: the second is done before it.
      world.clock.pass(REST_SECONDS + 1)
      await askDomain(world.dependencies, 'example.com')
      assert.equal(await isVerified(world, id), true)
      answer()
      await slow
      assert.deepEqual([asked.length, await isVerified(world, id)], [2, true])
    }),
  )

  it(
    'is asked again where a version was signed while it answered',
    asking(async (world, { asked, say }) => {
      const key = newKey()
      const { id, key_id } = await signServer(world.alice, key)
      let signing: Promise<void> | undefined
      say.set('example.com', (response) => {
        signing = sign(world.alice, key, { id, key_id }).finally(() => response.writeHead(404).end())
      })
      await world.app.askDomains()
      await signing
      say.set('example.com', key.record)
      assert.equal(await isVerified(world, id), false)
      world.clock.pass(REST_SECONDS + 1)
      await world.app.askDomains()
      assert.deepEqual([asked.length, await isVerified(world, id)], [2, true])
    }),
  )
})
