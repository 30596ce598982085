// Files of members on an origin of their own: nothing else is there, and browsers are shown them nowhere else.
import assert from 'node:assert/strict'
import { it as plainIt } from 'node:test'
import { ConfigError, readConfig } from '../src/config/config.ts'
import { tinyPng } from './pictures.ts'
import { onEveryEngine, type World } from './world.ts'

const FILES_URL = 'http://files.localhost:3000'
const page = '<main id="main">Words</main>'
const RUN_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"

async function upload({ alice }: World): Promise<{ run: string; image: string; avatar: string }> {
  const { id } = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
  const run = await alice.orgRuns.add({ id, files: [new File([page], 'report.html')] })
  const { url } = await alice.orgImages.add({ id, image: await tinyPng() })
  const { avatarKey } = await alice.avatars.set({ avatar: await tinyPng() })
  return {
    run: `/api/community/org-run-files/${run.files[0]!.id}`,
    image: url,
    avatar: `/api/images/avatar/${avatarKey}`,
  }
}

const at = ({ app }: World, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.fetch(new Request(`${FILES_URL}${path}`, { method, headers }))

onEveryEngine(
  'an origin for files',
  (it) => {
    it('has the files of members, framed by our pages alone, in a sandbox, without a cookie', async (world) => {
      const { run, image, avatar } = await upload(world)
      for (const path of [run, image, avatar]) {
        const response = await at(world, path, { Cookie: 'guildhall_session=x' })
        assert.equal(response.status, 200, path)
        const policy = response.headers.get('content-security-policy')!
        assert.match(policy, /^sandbox; default-src 'none'/)
        assert.match(policy, /; frame-ancestors http:\/\/localhost:3000$/)
        assert.equal(response.headers.get('x-frame-options'), null)
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
        assert.equal(response.headers.get('set-cookie'), null)
        assert.equal((await at(world, path, {}, 'HEAD')).status, 200)
        assert.equal((await at(world, path, {}, 'POST')).status, 404)
      }
    })

    it('has nothing else', async (world) => {
      const { run } = await upload(world)
      for (const path of [
        '/',
        '/api/community/feed',
        '/api/community/me',
        '/sign-in',
        '/healthz',
        '/metrics',
        '/docs/api',
      ]) {
        assert.equal((await at(world, path)).status, 404, path)
      }
      assert.equal((await at(world, `${run}/x`)).status, 404)
      for (const host of ['files.localhost:3000', 'FILES.localhost:3000', 'files.localhost.:3000']) {
        const request = new Request('http://localhost:3000/api/community/feed', { headers: { Host: host } })
        assert.equal((await world.app.fetch(request)).status, 404, host)
      }
    })

    it('is where browsers are led that show a file; programs get its bytes where they asked', async (world) => {
      const { anonymous } = world
      for (const path of Object.values(await upload(world))) {
        for (const destination of ['document', 'iframe', 'frame', 'object', 'embed', 'image', 'script', 'style']) {
          const led = await anonymous.request(`${path}?v=1`, { headers: { 'Sec-Fetch-Dest': destination } })
          assert.deepEqual([led.status, led.headers.get('location')], [307, `${FILES_URL}${path}?v=1`], destination)
          assert.match(led.headers.get('vary')!, /Sec-Fetch-Dest/)
        }
        for (const headers of [new Headers(), new Headers({ 'Sec-Fetch-Dest': 'empty' })]) {
          const plain = await anonymous.request(path, { headers })
          assert.equal(plain.status, 200)
          assert.match(plain.headers.get('content-disposition')!, /^attachment/)
          assert.match(plain.headers.get('content-security-policy')!, /^sandbox/)
          assert.match(plain.headers.get('vary')!, /Sec-Fetch-Dest/)
        }
      }
    })

    it('may be shown by our pages', async ({ anonymous }) => {
      const policy = (await anonymous.request('/community')).headers.get('content-security-policy')!
      assert.match(policy, /img-src 'self' http:\/\/files\.localhost:3000/)
      assert.match(policy, /frame-src 'self' http:\/\/files\.localhost:3000/)
    })
  },
  { FILES_URL },
)

onEveryEngine('files without an origin of their own', (it) => {
  it('are shown where they are, in a sandbox', async (world) => {
    const { run, image, avatar } = await upload(world)
    for (const path of [run, image, avatar]) {
      const response = await world.anonymous.request(path, { headers: { 'Sec-Fetch-Dest': 'document' } })
      assert.equal(response.status, 200)
      assert.match(response.headers.get('content-security-policy')!, /^sandbox; default-src 'none'/)
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    }
    const { headers } = await world.anonymous.request(run)
    assert.equal(headers.get('content-security-policy'), RUN_POLICY)
    assert.match(headers.get('content-disposition')!, /^inline/)
  })
})

plainIt('FILES_URL is an origin with a host of its own', () => {
  assert.equal(readConfig({}).filesUrl, undefined)
  assert.equal(readConfig({ FILES_URL: 'https://files.example/' }).filesUrl, 'https://files.example')
  for (const FILES_URL of [
    'files.example',
    'https://files.example/path',
    'http://localhost:3001',
    'ftp://files.example',
  ]) {
    assert.throws(() => readConfig({ FILES_URL }), ConfigError, FILES_URL)
  }
})
