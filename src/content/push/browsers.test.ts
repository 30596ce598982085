// Which browsers an account may have notifications pushed to, how they are kept, and what ends them.
import assert from 'node:assert/strict'
import { agentThatAsks } from '../../../test/pending.ts'
import { pushed, type Scene } from '../../../test/push.ts'
import { PushBrowser, withPushService } from '../../../test/push-service.ts'
import { onEveryEngine } from '../../../test/world.ts'
import { MAX_ENDPOINT_LENGTH, MAX_SUBSCRIPTIONS } from './rules.ts'

onEveryEngine('a browser to which is pushed', (it) => {
  it('is one of ten at most, and the eleventh is refused', (world) =>
    pushed(world, async ({ alice, service, browser, stored }) => {
      for (let n = 1; n < MAX_SUBSCRIPTIONS; n++) await alice.push.subscribe(new PushBrowser().at(service))
      await assert.rejects(alice.push.subscribe(new PushBrowser().at(service)), { status: 409 })
      assert.equal((await stored())[0], MAX_SUBSCRIPTIONS)
      const again = await alice.push.subscribe(browser.at(service))
      assert.equal((await stored())[0], MAX_SUBSCRIPTIONS, 'the same one counts once')
      await alice.push.unsubscribe({ id: again.id })
      await assert.rejects(alice.push.unsubscribe({ id: again.id }), { status: 404 })
      await alice.push.subscribe(new PushBrowser().at(service))
    }))

  it('has ten at most also when all are added at once, ten times', (world) =>
    pushed(world, async ({ alice, service, stored, db }) => {
      for (let n = 0; n < 10; n++) {
        await db.deleteFrom('pushSubscription').execute()
        const all = Array.from({ length: MAX_SUBSCRIPTIONS + 3 }, () =>
          alice.push.subscribe(new PushBrowser().at(service)),
        )
        const results = await Promise.allSettled(all)
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, MAX_SUBSCRIPTIONS)
        assert.equal((await stored())[0], MAX_SUBSCRIPTIONS)
      }
    }))

  it('is that of who is signed in there last, and is removed by no other account', (world) =>
    pushed(world, async ({ alice, bob, service, browser, mention, read }) => {
      const [{ id } = { id: '' }] = (await alice.push.list()).items
      await assert.rejects(bob.push.unsubscribe({ id }), { status: 404 })
      await bob.push.subscribe(browser.at(service))
      assert.deepEqual((await alice.push.list()).items, [])
      await mention()
      assert.deepEqual(read(), [])
    }))

  it('that was subscribed again by itself takes the place of the one before, with what waits for it', (world) =>
    pushed(world, async ({ alice, service, browser, stored, bob, app, db }) => {
      const [before] = (await alice.push.list()).items
      service.answer = (_, response) => response.writeHead(503).end()
      await bob.posts.create({ title: 'Lunch', body: 'Are you there, @alice?' })
      await app.deliver()
      await app.push()
      service.answer = (_, response) => response.writeHead(201).end()
      const renewed = new PushBrowser()
      const shown = await alice.push.subscribe({ ...renewed.at(service), replaces: browser.at(service).endpoint })
      assert.deepEqual([shown.id, shown.createdAt], [before?.id, before?.createdAt])
      assert.deepEqual(await stored(), [1, 1])
      await app.push()
      assert.equal(renewed.read(service).length, 1)
      const again = await alice.push.subscribe({ ...renewed.at(service), replaces: browser.at(service).endpoint })
      assert.deepEqual([(await stored())[0], again.current], [1, true], 'told twice, it is there once')
      await alice.push.subscribe({ ...renewed.at(service), replaces: renewed.at(service).endpoint })
      assert.equal((await stored())[0], 1, 'the same one')
      for (let n = 1; n < MAX_SUBSCRIPTIONS; n++) await alice.push.subscribe(new PushBrowser().at(service))
      const last = new PushBrowser()
      await alice.push.subscribe({ ...last.at(service), replaces: renewed.at(service).endpoint })
      assert.equal((await stored())[0], MAX_SUBSCRIPTIONS, 'one of ten can be renewed')
      const rows = await db.selectFrom('pushSubscription').select(['failures', 'pausedUntil']).execute()
      assert.ok(rows.every(({ failures, pausedUntil }) => failures === 0 && pausedUntil === ''))
    }))

  it('takes the place of no browser of another account', (world) =>
    pushed(world, async ({ alice, bob, service, browser, stored }) => {
      await bob.push.subscribe({ ...new PushBrowser().at(service), replaces: browser.at(service).endpoint })
      assert.deepEqual([(await stored())[0], (await alice.push.list()).items.length], [2, 1])
      const bad = { ...new PushBrowser().at(service), replaces: 'a'.repeat(MAX_ENDPOINT_LENGTH + 1) }
      await assert.rejects(alice.push.subscribe(bad), { status: 400 })
      await alice.push.subscribe({ ...bad, replaces: 'a'.repeat(MAX_ENDPOINT_LENGTH) })
    }))

  it('is added in a session alone, at an https address, with keys that are some', (world) =>
    pushed(world, async ({ alice, anonymous, blocked, service }) => {
      const good = new PushBrowser().at(service)
      for (const one of [anonymous, blocked]) {
        await assert.rejects(one.push.subscribe(good), ({ status }) => status === 401 || status === 403)
        await assert.rejects(one.push.list(), ({ status }) => status === 401 || status === 403)
      }
      const agent = await agentThatAsks(world)
      await assert.rejects(agent.push.subscribe(good), { status: 401 })
      const point = Buffer.alloc(65, 1)
      point[0] = 4
      const bad = [
        { ...good, endpoint: 'http://push.example/1' },
        { ...good, endpoint: 'https://user:word@push.example/1' },
        { ...good, endpoint: 'https://10.0.0.1/1' },
        { ...good, endpoint: 'push' },
        { ...good, endpoint: `https://push.example/${'a'.repeat(980)}` },
        { ...good, keys: { ...good.keys, p256dh: point.toString('base64url') } },
        { ...good, keys: { ...good.keys, auth: 'short' } },
      ]
      for (const one of bad) await assert.rejects(alice.push.subscribe(one), { status: 400 }, one.endpoint)
      await alice.push.subscribe({ ...good, endpoint: `https://push.example/${'a'.repeat(979)}` })
    }))

  it('is stored sealed', (world) =>
    pushed(world, async ({ db, browser, service }) => {
      const rows = JSON.stringify([
        await db.selectFrom('pushSubscription').selectAll().execute(),
        await db.selectFrom('pushKey').selectAll().execute(),
      ])
      const { endpoint, keys } = browser.at(service)
      for (const secret of [endpoint, browser.path, keys.p256dh, keys.auth, 'PRIVATE KEY']) {
        assert.ok(!rows.includes(secret), secret)
      }
    }))

  const ends: Record<string, (scene: Scene) => Promise<unknown>> = {
    'the sign-out there': ({ alice }) => alice.accounts.signOut(),
    'the end of its session': async ({ alice }) => {
      const [session] = (await alice.sessions.list()).items
      return alice.sessions.end({ id: session?.id ?? '' })
    },
    'a block': async ({ admin, alice }) => admin.admin.block({ id: (await alice.account()).id, blocked: true }),
    'the request to delete the account': ({ alice }) => alice.deletion.request({ content: 'anonymise' }),
  }
  for (const [end, act] of Object.entries(ends)) {
    it(`ends with ${end}`, (world) =>
      pushed(world, async (scene) => {
        await act(scene)
        assert.deepEqual(await scene.stored(), [0, 0])
        await scene.mention()
        assert.deepEqual(scene.read(), [])
      }))
  }

  it('ends where all other sessions are ended, and stays in the one that ends them', (world) =>
    pushed(world, async ({ alice, db, service, stored }) => {
      await alice.push.subscribe(new PushBrowser().at(service))
      const one = db.selectFrom('pushSubscription').select('id').limit(1)
      await db.updateTable('pushSubscription').set({ sessionId: 'another' }).where('id', 'in', one).execute()
      await alice.sessions.endOthers()
      assert.equal((await stored())[0], 1)
      assert.equal((await alice.push.list()).items[0]?.current, true)
    }))
})

onEveryEngine(
  'where nothing is pushed',
  (it) => {
    it('no browser is added, and those from before are sent nothing', (world) =>
      withPushService(async (service) => {
        await assert.rejects(world.alice.push.subscribe(new PushBrowser().at(service)), { status: 404 })
        assert.deepEqual(await world.alice.push.list(), { publicKey: null, items: [] })
      }))
  },
  { WEB_PUSH: 'off' },
)

onEveryEngine(
  'budgets of browsers',
  (it) => {
    it('let an account add thirty an hour', (world) =>
      pushed(world, async ({ alice, service, browser }) => {
        for (let n = 1; n < 30; n++) await alice.push.subscribe(browser.at(service))
        await assert.rejects(alice.push.subscribe(browser.at(service)), { status: 429 })
      }))
  },
  { RATE_LIMITS: 'on' },
)
