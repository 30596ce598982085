// How deliveries are tried, by real receivers that fail, stall, redirect, answer too much, or are away.
import assert from 'node:assert/strict'
import { home, isSigned } from '../../../test/webhook-receiver.ts'
import { lastOf, withWebhook } from '../../../test/webhooks.ts'
import { onEveryEngine, type Person } from '../../../test/world.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { grantRole } from '../../identity/roles.ts'
import { NO_PUBLIC_ADDRESS } from '../../outgoing/guarded-request.ts'
import { OVERLAP_SECONDS, RESPONSE_LENGTH, TRY_SECONDS } from './rules.ts'
import { WebhookSender } from './sending.ts'
import { SLOW_MILLISECONDS } from './turns.ts'

const hour = 3_600

onEveryEngine('a delivery', (it) => {
  it('that fails is tried again with the same id and a new signature, and ends with the first success', (world) =>
    withWebhook(world, async ({ receiver, secret, last, test, app, clock }) => {
      receiver.answer = (_request, response) => response.writeHead(500).end('It broke')
      await test()
      const failed = await last()
      assert.deepEqual([failed.state, failed.status, failed.response, failed.attempts], ['pending', 500, 'It broke', 1])
      assert.ok(failed.nextAttemptAt && failed.durationMilliseconds !== null)
      await app.sendWebhooks()
      assert.equal(receiver.arrived.length, 1, 'not before its time')
      clock.pass(10)
      receiver.answer = (_request, response) => response.writeHead(200).end('ok')
      await app.sendWebhooks()
      const done = await last()
      assert.deepEqual([done.state, done.status, done.attempts, done.nextAttemptAt], ['delivered', 200, 2, null])
      const [first, second] = receiver.arrived
      assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
      assert.notEqual(first?.headers['webhook-signature'], second?.headers['webhook-signature'])
      assert.ok(receiver.arrived.every((one) => isSigned(one, secret)))
      clock.pass(hour)
      await app.sendWebhooks()
      assert.equal(receiver.arrived.length, 2)
    }))

  it('is tried for a day with growing pauses, and has failed then', (world) =>
    withWebhook(world, async ({ receiver, last, test, app, clock }) => {
      receiver.answer = (_request, response) => response.writeHead(404).end()
      const started = clock.now()
      await test()
      const times = [0]
      for (let n = 0; (await last()).state === 'pending' && n < 100; n++) {
        const { nextAttemptAt } = await last()
        clock.pass(Math.max(0, (Date.parse(nextAttemptAt ?? '') - clock.now()) / 1000) + 1)
        await app.sendWebhooks()
        times.push((clock.now() - started) / 1000)
      }
      assert.equal((await last()).state, 'failed')
      assert.ok(times.length >= 8 && times.length <= 16, `${times.length} attempts`)
      assert.ok(times.at(-1)! > TRY_SECONDS * 0.75 && times.at(-1)! <= TRY_SECONDS + 60, `${times.at(-1)} s`)
      assert.equal(receiver.arrived.length, times.length)
    }))

  it('does not follow a redirect', (world) =>
    withWebhook(world, async ({ receiver, last, test }) => {
      receiver.answer = (_request, response) => response.writeHead(302, { Location: '/elsewhere' }).end()
      await test()
      assert.deepEqual([(await last()).state, (await last()).status], ['pending', 302])
      assert.deepEqual(
        receiver.arrived.map(({ path }) => path),
        ['/hook'],
      )
    }))

  it('reads the beginning of a large response, and what is kept of it is text', (world) =>
    withWebhook(world, async ({ receiver, last, test }) => {
      let written = 0
      receiver.answer = (_request, response) => {
        response.writeHead(200)
        const chunk = Buffer.from(`\0${'ü'.repeat(32_000)}`)
        const more = () => {
          while (written < 10 * 1024 * 1024 && !response.destroyed) {
            written += chunk.length
            if (!response.write(chunk)) return void response.once('drain', more)
          }
          response.end()
        }
        more()
      }
      await test()
      const { state, response } = await last()
      assert.equal(state, 'delivered')
      assert.equal(response, 'ü'.repeat(RESPONSE_LENGTH))
      assert.ok(written < 8 * 1024 * 1024, `${written} bytes were taken`)
    }))

  it('to an address that does not answer in time fails, and others do not wait for it', (world) =>
    withWebhook(world, async ({ receiver, last, admin, app, id }) => {
      receiver.answer = (request, response) => {
        if (request.url === '/quick') response.end()
      }
      const url = receiver.url.replace('localhost', '127.0.0.1').replace('/hook', '/quick')
      const quick = await admin.webhooks.create({ url })
      await admin.webhooks.test({ id })
      const sending = app.sendWebhooks()
      await admin.webhooks.test({ id: quick.id })
      const second = app.sendWebhooks()
      await until(async () => (await lastOf(world, quick.id)).state === 'delivered')
      assert.equal((await last()).state, 'pending')
      await Promise.all([sending, second])
      assert.deepEqual([(await last()).status, (await last()).error], [null, 'No answer within 15 seconds'])
      assert.ok(receiver.arrived.length === 2)
    }))

  it('arrives while addresses of many accounts take their time, and a slow address has one slot', (world) =>
    withWebhook(world, async ({ receiver, app, admin, person, dependencies }) => {
      const held: (() => void)[] = []
      const release = () => {
        for (const end of held.splice(0)) end()
      }
      receiver.answer = (request, response) => {
        if (request.headers.host?.startsWith('localhost')) held.push(() => response.end())
        else response.end()
      }
      const slow: [Person, string][] = []
      for (const name of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) {
        const owner = person(name)
        const { email } = await owner.account()
        await grantRole(dependencies, email, { role: 'admin', now: new Date().toISOString() })
        for (let n = 0; n < 2; n++) slow.push([owner, (await owner.webhooks.create({ url: receiver.url })).id])
      }
      const quick = await admin.webhooks.create({ url: receiver.url.replace('localhost', '127.0.0.1') })
      const isQuick = async () => {
        await admin.webhooks.test({ id: quick.id })
        const sending = app.sendWebhooks()
        await until(async () => (await lastOf(world, quick.id)).state === 'delivered')
        return { sending }
      }
      for (const [owner, id] of slow) await owner.webhooks.test({ id })
      const sending = app.sendWebhooks()
      await until(async () => held.length === 8)
      // Timers that were set before end before this one.
      await new Promise((resolve) => setTimeout(resolve, SLOW_MILLISECONDS + 50))
      const second = await isQuick()
      assert.equal(held.length, 8, 'none of them was answered')
      release()
      await until(async () => held.length === 1)
      const third = await isQuick()
      assert.equal(held.length, 1, 'now it is known to be slow')
      const releasing = setInterval(release, 20)
      await Promise.all([sending, second.sending, third.sending]).finally(() => clearInterval(releasing))
      assert.equal(receiver.arrived.length, slow.length + 2)
    }))

  it('that is written while the sending of others ends is sent by the next call', (world) =>
    withWebhook(world, async ({ receiver, test, admin, dependencies }) => {
      receiver.answer = (_request, response) => response.writeHead(500).end()
      await test()
      const other = await admin.webhooks.create({ url: receiver.url.replace('/hook', '/other') })
      const { db, isHeld, open } = holdingWhatFoundNothing(dependencies.db)
      const sender = new WebhookSender({ ...dependencies, db })
      const first = sender.send()
      await isHeld
      await admin.webhooks.test({ id: other.id })
      const second = sender.send()
      open()
      await Promise.all([first, second])
      assert.equal(receiver.arrived.length, 2)
    }))

  it('to an address that is away says so, and the others of that address rest with it', (world) =>
    withWebhook(world, async ({ receiver, id, admin, app, clock }) => {
      await admin.webhooks.update({ id, url: 'https://127.0.0.1:9/hook' })
      for (let n = 0; n < 3; n++) await admin.webhooks.test({ id })
      await app.sendWebhooks()
      const { items } = await admin.webhooks.deliveries({ id })
      assert.deepEqual(
        items.map(({ attempts }) => attempts),
        [0, 1, 1],
      )
      assert.match(items[2]?.error ?? '', /ECONNREFUSED/)
      await admin.webhooks.update({ id, url: receiver.url })
      clock.pass(60)
      await app.sendWebhooks()
      assert.equal(receiver.arrived.length, 3)
    }))

  it('is tried again after a second, and one that fails holds up no other', (world) =>
    withWebhook(world, async ({ receiver, id, last, admin, app, clock }) => {
      const answers = [503]
      receiver.answer = (_request, response) => response.writeHead(answers.shift() ?? 204).end()
      for (let n = 0; n < 3; n++) await admin.webhooks.test({ id })
      await app.sendWebhooks()
      const { items } = await admin.webhooks.deliveries({ id })
      assert.deepEqual(
        items.map(({ state, attempts }) => [state, attempts]),
        [
          ['delivered', 1],
          ['delivered', 1],
          ['pending', 1],
        ],
      )
      const waits = Date.parse(items[2]?.nextAttemptAt ?? '') - clock.now()
      assert.ok(waits <= 1_200, `${waits} ms`)
      clock.pass(1.2)
      await app.sendWebhooks()
      assert.equal((await admin.webhooks.deliveries({ id })).items[2]?.state, 'delivered')
      assert.equal((await last()).state, 'delivered')
      assert.equal(receiver.arrived.length, 4)
    }))

  it('to an address that fails twice one after the other waits 20 seconds, and counts from one again after a success', (world) =>
    withWebhook(world, async ({ receiver, id, admin, app, clock }) => {
      const answers = [503, 503]
      receiver.answer = (_request, response) => response.writeHead(answers.shift() ?? 204).end()
      for (let n = 0; n < 3; n++) await admin.webhooks.test({ id })
      await app.sendWebhooks()
      assert.equal(receiver.arrived.length, 2)
      clock.pass(15)
      await app.sendWebhooks()
      assert.equal(receiver.arrived.length, 2, 'the address rests')
      clock.pass(10)
      await app.sendWebhooks()
      assert.equal(receiver.arrived.length, 5)
      answers.push(503)
      for (let n = 0; n < 2; n++) await admin.webhooks.test({ id })
      await app.sendWebhooks()
      assert.equal(receiver.arrived.length, 7)
    }))

  it('waits as long as the receiver asks for', (world) =>
    withWebhook(world, async ({ receiver, test, last, app, clock }) => {
      receiver.answer = (_request, response) => response.writeHead(503, { 'Retry-After': '3000' }).end()
      await test()
      const { nextAttemptAt } = await last()
      assert.ok(Date.parse(nextAttemptAt ?? '') - clock.now() > 2_900_000)
      clock.pass(2_000)
      await app.sendWebhooks()
      assert.equal(receiver.arrived.length, 1)
    }))

  it('is not sent where a name leads to a private address, or a certificate is not trusted', (world) =>
    withWebhook(world, async ({ receiver, last, test, dependencies, clock, app, admin, id }) => {
      const { reach } = dependencies
      delete dependencies.reach
      await test()
      assert.equal((await last()).error, NO_PUBLIC_ADDRESS)
      dependencies.reach = reach!
      clock.pass(hour)
      await app.sendWebhooks()
      receiver.arrived.length = 0
      delete dependencies.reach
      // A name that no account has is refused in the same words.
      await admin.webhooks.update({ id, url: 'https://nowhere.invalid/hook' })
      await test()
      assert.equal((await last()).error, NO_PUBLIC_ADDRESS)
      await admin.webhooks.update({ id, url: receiver.url })
      dependencies.reach = { isAllowed: home.isAllowed }
      clock.pass(hour)
      await app.sendWebhooks()
      assert.match((await last()).error ?? '', /certificate/)
      assert.deepEqual(receiver.arrived, [])
    }))

  it('can be sent again, also after it has arrived, and is known by its id', (world) =>
    withWebhook(world, async ({ receiver, id, last, test, admin, app }) => {
      await test()
      const { id: deliveryId } = await last()
      const again = await admin.webhooks.redeliver({ id, deliveryId })
      assert.deepEqual([again.state, again.attempts], ['pending', 0])
      await app.sendWebhooks()
      assert.equal((await last()).state, 'delivered')
      assert.deepEqual(
        receiver.arrived.map(({ headers }) => headers['webhook-id']),
        [deliveryId, deliveryId],
      )
      await assert.rejects(admin.webhooks.redeliver({ id, deliveryId: 'none' }), { status: 404 })
      await admin.webhooks.update({ id, enabled: false })
      await assert.rejects(admin.webhooks.redeliver({ id, deliveryId }), { status: 409 })
      await assert.rejects(admin.webhooks.test({ id }), { status: 409 })
    }))

  it('is signed with the previous secret too, for a day', (world) =>
    withWebhook(world, async ({ receiver, id, secret, test, admin, clock }) => {
      const { secret: next } = await admin.webhooks.rotateSecret({ id })
      await test()
      const [both] = receiver.arrived
      assert.ok(both && isSigned(both, secret) && isSigned(both, next))
      clock.pass(OVERLAP_SECONDS + 1)
      await test()
      const after = receiver.arrived[1]
      assert.ok(after && !isSigned(after, secret) && isSigned(after, next))
    }))

  it('is sent once, however many processes send', (world) =>
    withWebhook(world, async ({ receiver, id, admin, dependencies }) => {
      for (let n = 0; n < 10; n++) await admin.webhooks.test({ id })
      const processes = Array.from({ length: 3 }, () => new WebhookSender(dependencies))
      await Promise.all(processes.map((one) => one.send()))
      assert.equal(receiver.arrived.length, 10)
      assert.equal(new Set(receiver.arrived.map(({ headers }) => headers['webhook-id'])).size, 10)
    }))

  it('of a process that ended is sent by another after the lease', (world) =>
    withWebhook(world, async ({ receiver, id, admin, app, db, clock }) => {
      await admin.webhooks.test({ id })
      const leaseEndsAt = new Date(clock.now() + 60_000).toISOString()
      await db.updateTable('webhook').set({ leaseEndsAt }).execute()
      await app.sendWebhooks()
      assert.equal(receiver.arrived.length, 0)
      clock.pass(61)
      await app.sendWebhooks()
      assert.equal(receiver.arrived.length, 1)
    }))
})

/** A database whose transactions that give nothing end only after `open`; eight of them wait when `isHeld` resolves. */
function holdingWhatFoundNothing(whole: Db): { db: Db; isHeld: Promise<void>; open: () => void } {
  const gate = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  let waiting = 0
  const transaction = () => ({
    async execute<T>(run: (transaction: Transaction) => Promise<T>): Promise<T> {
      const result = await whole.transaction().execute(run)
      if (result === undefined && ++waiting === 8) held.resolve()
      if (result === undefined) await gate.promise
      return result
    },
  })
  const get = (target: Db, key: string | symbol) => {
    const value: unknown = key === 'transaction' ? transaction : Reflect.get(target, key)
    return typeof value === 'function' ? value.bind(target) : value
  }
  return { db: new Proxy(whole, { get }), isHeld: held.promise, open: gate.resolve }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let n = 0; n < 600; n++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.fail('it did not happen')
}
