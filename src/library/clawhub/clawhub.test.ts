// What clawhub asks, through the front door; the program itself is in test/other-clients.test.ts.
import assert from 'node:assert/strict'
import { setReaders } from '../../../test/private-world.ts'
import { skillFile, skillFiles, tarOf, zipOf } from '../../../test/skills.ts'
import { onEveryEngine, type Person } from '../../../test/world.ts'

const API = '/clawhub/api/v1'
const named = (name: string) => skillFile(zipOf(skillFiles({ name })), `${name}.zip`)

async function ask(person: Person, path: string) {
  const response = await person.request(API + path, { redirect: 'manual' })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : null, to: response.headers.get('location') }
}

onEveryEngine('clawhub', (it) => {
  it('is told where skills are, lists and finds them, and is led to their files', async ({
    alice,
    anonymous,
    dependencies,
  }) => {
    const { baseUrl } = dependencies.config
    const known = await anonymous.request('/.well-known/clawhub.json')
    assert.deepEqual(await known.json(), { apiBase: `${baseUrl}/clawhub` })
    const { id } = await alice.library.publish({ kind: 'skill', file: named('pdf-tools'), visibility: 'public' })
    await alice.library.publish({ kind: 'skill', file: named('own-tools') })
    await alice.library.publishVersion({ id, file: named('pdf-tools'), version: '1.1.0', changelog: 'Joins too' })
    const { body } = await ask(anonymous, '/skills/pdf-tools')
    assert.deepEqual(
      [body.skill.slug, body.latestVersion.version, body.owner.displayName],
      ['pdf-tools', '1.1.0', 'alice'],
    )
    assert.deepEqual(
      (await ask(anonymous, '/search?q=pdf')).body.results.map(({ slug }: { slug: string }) => slug),
      ['pdf-tools'],
    )
    assert.equal((await ask(anonymous, '/skills?limit=1')).body.items.length, 1)
    assert.equal((await ask(anonymous, '/skills/pdf-tools/versions/1.1.0')).body.version.changelog, 'Joins too')
    for (const [query, version] of [
      ['', '1.1.0'],
      ['&version=1.0.0', '1.0.0'],
    ]) {
      const { status, to } = await ask(anonymous, `/download?slug=pdf-tools${query}`)
      assert.deepEqual([status, to], [302, `${baseUrl}/api/library/skill/pdf-tools/${version}/file`])
    }
    assert.deepEqual((await ask(anonymous, '/resolve?slug=pdf-tools&hash=x')).body, {
      match: null,
      latestVersion: { version: '1.1.0' },
    })
  })

  it('gets what is private as its owner alone, and nothing by a wrong name', async ({ alice, bob, anonymous }) => {
    await alice.library.publish({ kind: 'skill', file: named('own-tools') })
    for (const path of [
      '/skills/own-tools',
      '/skills/own-tools/versions/1.0.0',
      '/download?slug=own-tools',
      '/resolve?slug=own-tools',
    ]) {
      for (const person of [anonymous, bob]) assert.equal((await ask(person, path)).status, 404, path)
      assert.ok((await ask(alice, path)).status < 400, path)
    }
    assert.deepEqual([(await ask(anonymous, '/whoami')).status, (await ask(alice, '/whoami')).status], [401, 200])
    for (const path of [
      '/skills/none',
      '/skills/pdf-tools%2F..',
      '/download',
      '/download?slug=https://evil.example',
      '/skills/own-tools/versions/x',
    ])
      assert.ok([400, 404].includes((await ask(alice, path)).status), path)
    assert.equal((await ask(anonymous, '/skills?cursor=x')).status, 400)
    assert.equal((await ask(anonymous, '/skills?limit=100000')).status, 200)
  })

  it('is not led to what is no zip, and reads a private instance as its operations are read', async (world) => {
    const { alice, anonymous } = world
    const tar = skillFile(await tarOf(skillFiles()), 'pdf-tools.tar.gz')
    await alice.library.publish({ kind: 'skill', file: tar, visibility: 'public' })
    assert.equal((await ask(anonymous, '/download?slug=pdf-tools')).status, 404)
    await setReaders(world, 'members')
    for (const path of ['/skills', '/skills/pdf-tools', '/search?q=pdf', '/download', '/resolve', '/whoami'])
      assert.equal((await ask(anonymous, path)).status, 401, path)
    assert.equal((await ask(world.bob, '/skills/pdf-tools')).status, 200)
  })
})

onEveryEngine(
  'a library without skills',
  (it) => {
    it('tells clawhub nothing', async ({ alice }) => {
      for (const path of ['/skills', '/skills/x', '/download?slug=x', '/whoami'])
        assert.equal((await ask(alice, path)).status, 404)
      assert.equal((await alice.request('/.well-known/clawhub.json')).status, 404)
    })
  },
  { PARTS_OFF: 'skills' },
)
