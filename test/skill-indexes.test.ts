// Indexes of skills at the addresses where installers look for them: of the server, the library, a member, a team, an item, and below the secret
// address of an account.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { itemHiding } from '../src/library/listing/hiding.ts'
import { setReaders } from './private-world.ts'
import { skillFile, skillFiles, tarOf, zipOf } from './skills.ts'
import { known } from './teams.ts'
import { turnOff } from './turned-off.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from './world.ts'

const INDEX = '/.well-known/agent-skills/index.json'
const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

interface Entry {
  name: string
  type: string
  description: string
  url: string
  digest: string
}

const named = (name: string) => skillFile(zipOf(skillFiles({ name })), `${name}.zip`)

const publish = (by: Person, name: string, more: object = {}) =>
  by.library.publish({ kind: 'skill', file: named(name), visibility: 'public', ...more })

const ask = (world: World, path: string, headers: Record<string, string> = {}) =>
  world.anonymous.request(path, { headers })

async function indexAt(world: World, path: string): Promise<Entry[]> {
  const answer = await ask(world, path + INDEX)
  assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`)
  const { $schema, skills } = (await answer.json()) as { $schema: string; skills: Entry[] }
  assert.equal($schema, SCHEMA)
  return skills
}

const namesAt = async (world: World, path: string) => (await indexAt(world, path)).map(({ name }) => name).sort()

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

onEveryEngine('indexes of skills', (it) => {
  it('are of the server, the library, a member, a team and an item, with bytes as the log has them', async (world) => {
    const { alice, bob, anonymous } = world
    await known(world, alice, 'alice')
    await known(world, bob, 'bobby')
    await alice.teams.create({ slug: 'night-shift', name: 'Night shift', description: '' })
    const item = await publish(alice, 'pdf-tools')
    await publish(bob, 'csv-tools')
    await publish(alice, 'night-tools', { team: 'night-shift' })
    assert.deepEqual(await namesAt(world, ''), ['csv-tools', 'guildhall', 'night-tools', 'pdf-tools'])
    for (const path of ['/library', '/library/skills'])
      assert.deepEqual(await namesAt(world, path), ['csv-tools', 'night-tools', 'pdf-tools'])
    assert.deepEqual(await namesAt(world, '/community/u/Bobby'), ['csv-tools'])
    assert.deepEqual(await namesAt(world, '/teams/night-shift'), ['night-tools'])
    const [entry] = await indexAt(world, '/library/skills/pdf-tools')
    assert.deepEqual(entry, {
      ...{ name: 'pdf-tools', type: 'archive', description: item.description, digest: `sha256:${item.sha256}` },
      url: `${BASE_URL}/api/library/skill/pdf-tools/1.0.0/file`,
    })
    const { sha256: logged } = (await anonymous.library.versions({ id: item.id })).versions[0]!
    for (const { url, digest, type } of await indexAt(world, '')) {
      const answer = await ask(world, url.slice(BASE_URL.length))
      assert.equal(digest, `sha256:${sha256(new Uint8Array(await answer.arrayBuffer()))}`, url)
      if (type === 'archive') assert.equal(answer.headers.get('content-type'), 'application/zip')
    }
    assert.equal(entry?.digest, `sha256:${logged}`)
  })

  it('have none for what is not there, and none that is private, hidden, yanked or of a folder', async (world) => {
    const { alice } = world
    await known(world, alice, 'alice')
    const open = await publish(alice, 'open-one')
    await publish(alice, 'own-one', { visibility: 'private' })
    const hidden = await publish(alice, 'hidden-one')
    const yanked = await publish(alice, 'yanked-one')
    const inFolder = Object.fromEntries(
      Object.entries(skillFiles({ name: 'boxed-one' })).map(([path, text]) => [`boxed-one/${path}`, text]),
    )
    const boxed = await alice.library.publish({
      ...{ kind: 'skill', visibility: 'public' },
      file: skillFile(zipOf(inFolder)),
    })
    assert.match(JSON.stringify(boxed), /is in a folder of the archive/)
    const packed = skillFile(await tarOf(skillFiles({ name: 'tar-one' })), 'tar-one.tar.gz')
    await alice.library.publish({ kind: 'skill', visibility: 'public', file: packed })
    const now = new Date(world.dependencies.clock.now()).toISOString()
    await world.db.transaction().execute(async (transaction) => {
      await itemHiding.setHidden(transaction, hidden.id, { hidden: 4, now })
    })
    await alice.library.yank({ id: yanked.id, version: '1.0.0', yanked: true })
    for (const path of ['/library', '/community/u/alice'])
      assert.deepEqual(await namesAt(world, path), ['open-one', 'tar-one'], path)
    for (const slug of ['own-one', 'hidden-one', 'yanked-one', 'boxed-one', 'no-such-one'])
      assert.equal((await ask(world, `/library/skills/${slug}${INDEX}`)).status, 404, slug)
    for (const path of ['/community/u/nobody', '/teams/none', '/library/workflows'])
      assert.equal((await ask(world, path + INDEX)).status, 404, path)
    await alice.library.delete({ id: open.id })
    assert.deepEqual(await namesAt(world, '/library'), ['tar-one'])
  })

  it('name two skills of one name by their slugs, and none as that of the server', async (world) => {
    const { alice, bob } = world
    const first = await publish(alice, 'pdf-tools')
    const second = await publish(bob, 'pdf-tools')
    await publish(bob, 'guildhall')
    assert.notEqual(second.slug, first.slug)
    assert.deepEqual(await namesAt(world, ''), ['guildhall', 'pdf-tools', second.slug].sort())
    const [own] = (await indexAt(world, '')).filter(({ name }) => name === 'guildhall')
    assert.equal(own?.type, 'skill-md')
    assert.deepEqual(await namesAt(world, `/library/skills/${second.slug}`), ['pdf-tools'])
    assert.deepEqual(await namesAt(world, '/library/skills/guildhall'), ['guildhall'])
  })

  it('are bounded, say when they are unchanged, and cut long descriptions', async (world) => {
    const { alice } = world
    await known(world, alice, 'alice')
    const item = await publish(alice, 'skill-0')
    await alice.library.update({ id: item.id, description: `${'x'.repeat(1_023)}😀 and more` })
    const [entry] = await indexAt(world, '/library')
    assert.equal(entry!.description.length, 1_024)
    assert.ok(entry!.description.isWellFormed())
    const first = await ask(world, `/library${INDEX}`)
    assert.equal(first.headers.get('cache-control'), 'public, max-age=300')
    assert.equal(first.headers.get('access-control-allow-origin'), '*')
    const etag = first.headers.get('etag')!
    assert.equal((await ask(world, `/library${INDEX}`, { 'If-None-Match': etag })).status, 304)
    for (let n = 1; n < 100; n++) {
      if (n % 29 === 0) world.clock.pass(3_601)
      await publish(alice, `skill-${n}`)
    }
    for (const path of ['', '/library', '/community/u/alice'])
      assert.equal((await indexAt(world, path)).length, 100, path)
    await publish(alice, 'skill-100')
    for (const path of ['', '/library', '/community/u/alice'])
      assert.equal((await indexAt(world, path)).length, 100, path)
    assert.equal((await ask(world, `/library${INDEX}`, { 'If-None-Match': etag })).status, 200)
    assert.equal((await world.anonymous.request(`/library${INDEX}`, { method: 'POST' })).status, 405)
  })

  it('have the skill of the server alone where the part is off', async (world) => {
    await known(world, world.alice, 'alice')
    await publish(world.alice, 'pdf-tools')
    await turnOff(world, ['skills'])
    assert.deepEqual(await namesAt(world, ''), ['guildhall'])
    const { skills } = await world.alice.feeds.renew()
    const secret = skills.url.slice(BASE_URL.length)
    for (const path of ['/library', '/library/skills/pdf-tools', '/community/u/alice', secret])
      assert.equal((await ask(world, path + INDEX)).status, 404, path)
  })
})

onEveryEngine('the secret address of skills', (it) => {
  it('reads as its account: private items, the library, members and teams, and their files', async (world) => {
    const { alice, bob } = world
    await known(world, alice, 'alice')
    await publish(alice, 'own-one', { visibility: 'private' })
    await publish(alice, 'open-one')
    await publish(bob, 'other-one')
    await publish(bob, 'other-own', { visibility: 'private' })
    const { skills, key } = await alice.feeds.renew()
    const secret = skills.url.slice(BASE_URL.length)
    assert.match(secret, /^\/skills\/gskill_[\w-]{43}$/)
    assert.deepEqual(await namesAt(world, secret), ['open-one', 'own-one'])
    assert.deepEqual(await namesAt(world, `${secret}/library`), ['open-one', 'other-one'])
    assert.deepEqual(await namesAt(world, `${secret}/community/u/alice`), ['open-one'])
    assert.deepEqual(await namesAt(world, `${secret}/library/skills/own-one`), ['own-one'])
    assert.equal((await ask(world, `${secret}/library/skills/other-own${INDEX}`)).status, 404)
    assert.equal((await ask(world, `${secret}/library/skill/other-own/1.0.0/file`)).status, 404)
    for (const { url, digest } of await indexAt(world, secret)) {
      assert.ok(url.startsWith(`${skills.url}/library/`), url)
      const answer = await ask(world, url.slice(BASE_URL.length))
      assert.equal(answer.status, 200, url)
      assert.equal(answer.headers.get('cache-control'), 'private, no-store')
      assert.equal(digest, `sha256:${sha256(new Uint8Array(await answer.arrayBuffer()))}`, url)
    }
    const answer = await ask(world, secret + INDEX)
    assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
    // The key of feeds, which goes to other programs, opens no skills.
    assert.equal((await ask(world, `/skills/${key}${INDEX}`)).status, 401)
    assert.equal((await ask(world, `/skills/${key.replace('gfeed', 'gskill')}${INDEX}`)).status, 401)
  })

  it('opens nothing else, and ends when it is renewed or ended, or its account is blocked', async (world) => {
    const { alice, bob, admin } = world
    await publish(alice, 'own-one', { visibility: 'private' })
    const { skills } = await alice.feeds.renew()
    const secret = skills.url.slice(BASE_URL.length)
    const token = secret.slice('/skills/'.length)
    for (const path of ['/api/account/feeds', '/api/library/items?scope=mine'])
      for (const [name, value] of Object.entries({ Authorization: `Bearer ${token}`, Cookie: `session=${token}` }))
        assert.equal((await ask(world, path, { [name]: value })).status, 401, path)
    assert.equal((await world.anonymous.request(secret + INDEX, { method: 'DELETE' })).status, 405)
    const carol = world.person('carol')
    const { id } = await carol.account()
    const ofCarol = (await carol.feeds.renew()).skills.url.slice(BASE_URL.length)
    await admin.admin.block({ id, blocked: true })
    assert.equal((await ask(world, ofCarol + INDEX)).status, 403)
    await admin.admin.block({ id, blocked: false })
    assert.equal((await ask(world, ofCarol + INDEX)).status, 200)
    const next = (await alice.feeds.renew()).skills.url.slice(BASE_URL.length)
    assert.equal((await ask(world, secret + INDEX)).status, 401)
    assert.deepEqual(await namesAt(world, next), ['own-one'])
    assert.deepEqual(await namesAt(world, (await bob.feeds.renew()).skills.url.slice(BASE_URL.length)), [])
    await alice.feeds.end()
    for (const wrong of [next, '/skills/x', `/skills/gskill_${'0'.repeat(43)}`, `${next}x`])
      for (const path of ['', '/library', '/library/skills/own-one'])
        assert.equal((await ask(world, wrong + path + INDEX)).status, 401, wrong + path)
    const rows = await world.db.selectFrom('feedKey').select(['userId', 'hash']).execute()
    assert.ok(!JSON.stringify(rows).includes(token))
  })

  it('is the one way where an instance is private', async (world) => {
    const { alice, bob } = world
    await known(world, alice, 'alice')
    await publish(alice, 'pdf-tools')
    const secret = (await bob.feeds.renew()).skills.url.slice(BASE_URL.length)
    await setReaders(world, 'members')
    assert.deepEqual(await namesAt(world, ''), ['guildhall'])
    for (const path of ['/library', '/library/skills/pdf-tools', '/library/skills/none', '/community/u/alice'])
      assert.equal((await ask(world, path + INDEX)).status, 401, path)
    assert.deepEqual(await namesAt(world, `${secret}/library`), ['pdf-tools'])
    const [entry] = await indexAt(world, `${secret}/library/skills/pdf-tools`)
    assert.equal((await ask(world, entry!.url.slice(BASE_URL.length))).status, 200)
  })
})

onEveryEngine(
  'indexes of skills without open downloads',
  (it) => {
    it('list what can be fetched alone', async (world) => {
      await publish(world.alice, 'pdf-tools')
      assert.deepEqual(await namesAt(world, ''), ['guildhall'])
      assert.equal((await ask(world, `/library${INDEX}`)).status, 401)
      const secret = (await world.bob.feeds.renew()).skills.url.slice(BASE_URL.length)
      const [entry] = await indexAt(world, `${secret}/library`)
      assert.equal((await ask(world, entry!.url.slice(BASE_URL.length))).status, 200)
    })
  },
  { PUBLIC_DOWNLOADS: 'off' },
)
