// Notifications that are pushed to browsers, to a push service that decrypts them and knows who sent them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentThatAsks, waits } from '../../../test/pending.ts'
import { setReaders } from '../../../test/private-world.ts'
import { pushed } from '../../../test/push.ts'
import { type PushService, vapidOf } from '../../../test/push-service.ts'
import { secondProcess } from '../../../test/second-process.ts'
import { home } from '../../../test/webhook-receiver.ts'
import { BASE_URL, onEveryEngine } from '../../../test/world.ts'
import { encrypt } from '../../runtime/push-encryption.ts'
import { FAILING_SECONDS, KEEP_SECONDS, MAX_PAYLOAD_BYTES, pauseSeconds, payloadOf } from './rules.ts'

const bug = { title: 'Crash', description: 'It stops', severity: 'low' } as const

const answering =
  (status: number, headers: Record<string, string> = {}): PushService['answer'] =>
  (_, response) =>
    void response.writeHead(status, headers).end()

onEveryEngine('a notification in the browser', (it) => {
  it('of a mention arrives encrypted, from a server that shows who it is', (world) =>
    pushed(world, async ({ alice, service, read, mention, stored }) => {
      await mention()
      const [shown] = read()
      assert.equal(shown?.title, 'Guildhall')
      assert.match(shown?.body ?? '', /mentioned you: “?"?Lunch/)
      assert.match(shown?.url ?? '', /^\/community\/posts\//)
      const [request] = service.arrived
      assert.ok(request && !request.body.includes('Lunch'))
      assert.equal(request.headers['content-encoding'], 'aes128gcm')
      assert.equal(request.headers['ttl'], String(KEEP_SECONDS))
      assert.match(String(request.headers['topic']), /^[\w-]{32}$/)
      const { payload, publicKey } = await vapidOf(request)
      assert.deepEqual([payload.aud, payload.sub], [service.origin, BASE_URL])
      const { publicKey: own, items } = await alice.push.list()
      assert.equal(publicKey, own)
      assert.equal(items.length, 1)
      assert.deepEqual([items[0]?.current, items[0]?.deliveredAt !== null], [true, true])
      assert.deepEqual(await stored(), [1, 0])
    }))

  it('tells of what waits for an approval', (world) =>
    pushed(world, async ({ read, app }) => {
      const agent = await agentThatAsks(world)
      await waits(agent.posts.create({ title: 'Books', body: 'Kept' }))
      await app.deliver()
      await app.push()
      assert.equal(read().length, 1)
      assert.match(read()[0]?.url ?? '', /^\/settings\/pending/)
    }))

  it('tells of nothing else, and of nothing that was turned off or read', (world) =>
    pushed(world, async ({ alice, bob, read, mention, app }) => {
      const { id } = await alice.bugs.create(bug)
      await bob.bugs.comment({ id, body: 'Hm' })
      await app.deliver()
      await app.push()
      await alice.notifications.updateSettings({ pushMentions: false })
      await mention()
      await alice.notifications.updateSettings({ pushMentions: true, mention: 'off' })
      await mention()
      await alice.notifications.updateSettings({ mention: 'site' })
      await bob.posts.create({ title: 'Tea', body: '@alice' })
      await app.deliver()
      await alice.notifications.read({ through: '99' })
      await app.push()
      assert.deepEqual(read(), [])
      await mention()
      assert.equal(read().length, 1)
    }))

  it('tells of nothing in a closed board that the account does not read', (world) =>
    pushed(world, async ({ admin, bob, read, stored, app }) => {
      await admin.boards.create({ slug: 'inner', name: 'Inner', readers: 'members' })
      await bob.bugs.create({ ...bug, description: '@alice', board: 'inner' })
      await app.deliver()
      assert.deepEqual(await stored(), [1, 1])
      await admin.boards.update({ board: 'inner', readers: 'none' })
      await app.push()
      assert.deepEqual(read(), [])
      assert.deepEqual(await stored(), [1, 0])
    }))

  it('of a private instance says that something waits, and no more', (world) =>
    pushed(world, async ({ read, mention }) => {
      await setReaders(world, 'members')
      await mention()
      const [{ body, url } = { body: '', url: '' }] = read()
      assert.deepEqual([body, url], ['Something is waiting for you', '/notifications'])
    }))

  it('is in the language of its account', (world) =>
    pushed(world, async ({ alice, read, mention }) => {
      await alice.language.set({ language: 'de' })
      await mention()
      assert.match(read()[0]?.body ?? '', /hat dich erwähnt/)
    }))

  for (const status of [404, 410]) {
    it(`ends with the browser that its push service does not know (${status})`, (world) =>
      pushed(world, async ({ service, mention, stored }) => {
        service.answer = answering(status)
        await mention()
        assert.deepEqual(await stored(), [0, 0])
      }))
  }

  it('is tried again after a while, later and later, and what is refused is not', (world) =>
    pushed(world, async ({ service, mention, app, clock, stored }) => {
      service.answer = answering(503)
      await mention()
      await app.push()
      assert.equal(service.arrived.length, 1, 'not before its time')
      clock.pass(pauseSeconds(1, 1) + 1)
      await app.push()
      assert.equal(service.arrived.length, 2)
      clock.pass(pauseSeconds(1, 1) + 1)
      await app.push()
      assert.equal(service.arrived.length, 2, 'the second pause is longer')
      service.answer = answering(429, { 'Retry-After': '600' })
      clock.pass(pauseSeconds(2, 1))
      await app.push()
      clock.pass(590)
      await app.push()
      assert.equal(service.arrived.length, 3)
      service.answer = answering(201)
      clock.pass(20)
      await app.push()
      assert.equal(service.arrived.length, 4)
      assert.deepEqual(await stored(), [1, 0])
      service.answer = answering(400)
      await mention()
      assert.deepEqual(await stored(), [1, 0])
      assert.equal(service.arrived.length, 5)
    }))

  it('waits for a day, and a browser whose push service fails for a week is removed', (world) =>
    pushed(world, async ({ service, mention, app, clock, stored }) => {
      service.answer = answering(500)
      await mention()
      clock.pass(KEEP_SECONDS - 60)
      await app.push()
      assert.deepEqual([service.arrived.length, await stored()], [2, [1, 1]])
      clock.pass(3_700)
      await app.push()
      assert.deepEqual([service.arrived.length, await stored()], [2, [1, 0]])
      await mention()
      clock.pass(FAILING_SECONDS - 2 * KEEP_SECONDS)
      await mention()
      assert.deepEqual((await stored())[0], 1)
      clock.pass(KEEP_SECONDS)
      await mention()
      assert.deepEqual(await stored(), [0, 0])
    }))

  it('arrives once from two processes that send at the same time, ten times', (world) =>
    pushed(world, async ({ service, browser, bob, app }) => {
      const second = await secondProcess(world)
      second.world.dependencies.reach = home
      try {
        for (let n = 1; n <= 10; n++) {
          await bob.posts.create({ title: `Lunch ${n}`, body: '@alice' })
          await app.deliver()
          await Promise.all([app.push(), second.world.app.push(), app.push()])
          assert.equal(service.arrived.length, n)
        }
        assert.equal(new Set(browser.read(service).map(({ tag }) => tag)).size, 10)
      } finally {
        await second.close()
      }
    }))

  it('does not go to addresses that are not public', (world) =>
    pushed(world, async ({ service, mention, dependencies, stored }) => {
      dependencies.reach = { isAllowed: () => false }
      await mention()
      assert.equal(service.arrived.length, 0)
      assert.deepEqual(await stored(), [1, 1])
    }))
})

test('the encryption is that of the example of RFC 8291', () => {
  const text = Buffer.from('When I grow up, I want to be a watermelon')
  const keys = {
    p256dh: Buffer.from(
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      'base64url',
    ),
    auth: Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url'),
  }
  const once = {
    privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
    salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
  }
  assert.equal(
    encrypt(text, keys, once).toString('base64url'),
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('a message has at most 3 KB, with any texts', () => {
  const wide = '\u0001'.repeat(5_000)
  for (const body of ['a'.repeat(5_000), '🦉'.repeat(5_000), wide]) {
    const payload = payloadOf({ title: body, body, url: `/${'a'.repeat(900)}`, tag: 'x'.repeat(32) })
    assert.ok(payload.length <= MAX_PAYLOAD_BYTES, `${payload.length} bytes`)
    const { body: shown } = JSON.parse(payload.toString())
    assert.equal([...shown].length, 300)
    assert.ok(shown.endsWith('…') && shown.isWellFormed())
  }
})
