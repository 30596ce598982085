// Feeds with a key in their address, for programs that cannot sign in, where reading needs an account; and who is among the readers.
import assert from 'node:assert/strict'
import { setReaders } from '../../test/private-world.ts'
import { BASE_URL, onEveryEngine, type World } from '../../test/world.ts'
import { buildSite } from '../surfaces/site/build.ts'

const POST = { title: 'Zwielichtuhr', body: 'It strikes at dusk' }

await buildSite(() => {})

const pathOf = (url: string) => url.slice(BASE_URL.length)

async function privately(world: World) {
  await setReaders(world, 'members')
  await world.alice.posts.create(POST)
  await world.app.deliver()
  const { key, feeds } = await world.bob.feeds.renew()
  return { key, feeds, get: (path: string) => world.anonymous.request(path) }
}

onEveryEngine(
  'feeds with a key',
  (it) => {
    it('are read without a session, are kept by no cache, and do not name their key', async (world) => {
      const { key, feeds, get } = await privately(world)
      assert.ok(feeds.length > 3)
      for (const { url } of feeds) {
        const answer = await get(pathOf(url))
        const text = await answer.text()
        assert.equal(answer.status, 200, url)
        assert.match(
          answer.headers.get('content-type') ?? '',
          url.includes('.ics?') ? /^text\/calendar/ : /^application\/atom\+xml/,
        )
        assert.equal(answer.headers.get('cache-control'), 'private, no-store')
        assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
        assert.ok(!text.includes(key), `${url} names its key`)
        assert.equal((await get(pathOf(url).replace(/\?.*/, ''))).status, 401, 'without the key')
      }
      assert.match(await (await get(`/community/posts.atom?key=${key}`)).text(), /Zwielichtuhr/)
    })

    it('keep their key where a former address leads on, and give it to no other place', async (world) => {
      const { key, get } = await privately(world)
      assert.equal(
        (await get(`/changelog.atom?key=${key}`)).headers.get('location'),
        `/community/changelog.atom?key=${key}`,
      )
      assert.equal((await get('/changelog.atom?key=wrong')).status, 401)
    })

    it('open nothing but feeds', async (world) => {
      const { key, get } = await privately(world)
      for (const path of ['/api/community/posts', '/api/community/feed', '/api/library/items', '/log/checkpoint'])
        assert.equal((await get(`${path}?key=${key}`)).status, 401, path)
      for (const path of ['/community', '/', '/settings'])
        assert.equal((await get(`${path}?key=${key}`)).status, 303, path)
      assert.equal((await get(`/community/__data.json?key=${key}`)).status, 401)
      const bearing = await world.anonymous.request('/api/community/posts', {
        headers: { Authorization: `Bearer ${key}` },
      })
      assert.equal(bearing.status, 401)
      const written = await world.anonymous.request(`/feed.atom?key=${key}`, { method: 'POST' })
      assert.notEqual(written.status, 200)
    })

    it('end when the key is renewed or ended, and with no other key', async (world) => {
      const { key, get } = await privately(world)
      assert.notEqual((await world.bob.feeds.show()).createdAt, null)
      const next = await world.bob.feeds.renew()
      assert.equal((await get(`/feed.atom?key=${key}`)).status, 401)
      assert.equal((await get(`/feed.atom?key=${next.key}`)).status, 200)
      assert.deepEqual(await world.bob.feeds.end(), { ended: true })
      assert.deepEqual(await world.bob.feeds.end(), { ended: false })
      assert.equal((await world.bob.feeds.show()).createdAt, null)
      for (const wrong of [next.key, '', 'gfeed_', `gfeed_${'0'.repeat(43)}`, `${next.key}x`, "gfeed_' or 1=1"])
        assert.equal((await get(`/feed.atom?key=${encodeURIComponent(wrong)}`)).status, 401, wrong)
    })

    it('are closed while the account is blocked', async (world) => {
      const { key, get } = await privately(world)
      const { id } = await world.bob.account()
      await world.admin.admin.block({ id, blocked: true })
      assert.equal((await get(`/feed.atom?key=${key}`)).status, 403)
      await world.admin.admin.block({ id, blocked: false })
      assert.equal((await get(`/feed.atom?key=${key}`)).status, 200)
    })

    it('are made in a session alone, and stored as a hash', async (world) => {
      const { key } = await privately(world)
      await assert.rejects(world.anonymous.feeds.renew(), { status: 401 })
      await assert.rejects(world.anonymous.feeds.show(), { status: 401 })
      await assert.rejects(world.anonymous.feeds.end(), { status: 401 })
      const rows = await world.db.selectFrom('feedKey').select(['userId', 'hash']).execute()
      assert.equal(rows.length, 1)
      assert.ok(!JSON.stringify(rows).includes(key))
    })

    it('are made at most 30 times an hour', async ({ bob }) => {
      for (let n = 0; n < 30; n++) await bob.feeds.renew()
      await assert.rejects(bob.feeds.renew(), { status: 429 })
    })
  },
  { RATE_LIMITS: 'on' },
)

onEveryEngine(
  'readers of some domains',
  (it) => {
    it('are accounts with a proven address there, moderators and admins', async (world) => {
      const { alice, moderator, admin } = world
      const proven = world.person('reader')
      await proven.account()
      await proven.accounts.verifyEmail({ code: await world.code(proven.email) })
      await assert.rejects(proven.bugs.list(), { status: 403 }, 'another domain')
      await world.db.updateTable('user').set({ email: 'a@lab.example' }).where('email', '=', proven.email).execute()
      assert.ok(await proven.bugs.list())
      await alice.account()
      await world.db.updateTable('user').set({ email: 'b@lab.example' }).where('email', '=', alice.email).execute()
      await assert.rejects(alice.bugs.list(), { status: 403 }, 'not proven')
      assert.ok(await moderator.bugs.list())
      assert.ok(await admin.library.list())
    })

    it('leave others what is of their account, and a page that says why', async ({ alice }) => {
      await alice.account()
      const reads = [() => alice.library.list(), () => alice.notifications.list({}), () => alice.profile.me()]
      for (const read of reads) await assert.rejects(read, { status: 403 })
      await assert.rejects(alice.posts.create(POST), { status: 403 })
      assert.ok(await alice.accounts.getSession())
      const page = await alice.request('/community')
      assert.deepEqual([page.status, page.headers.get('location')], [303, '/readers-only'])
      const said = await alice.request('/readers-only')
      assert.equal(said.status, 200)
      assert.match(await said.text(), /This community is private/)
      assert.equal((await alice.request('/settings/data')).status, 200)
      assert.equal((await alice.request('/feed.atom')).status, 403)
      const { key } = await alice.feeds.renew()
      assert.equal((await alice.request(`/feed.atom?key=${key}`)).status, 403)
    })
  },
  { READERS: 'members', READER_DOMAINS: 'lab.example, other.example' },
)
