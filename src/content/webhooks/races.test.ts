// What is told, sent and subscribed to at the same moment: no event is lost, and no transaction waits for the other for good.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { agentOf } from '../../../test/agents.ts'
import { ask, MODERN } from '../../../test/mcp/caller.ts'
import { bug } from '../../../test/pending.ts'
import { home, type Receiver, receiving } from '../../../test/webhook-receiver.ts'
import { withWebhook } from '../../../test/webhooks.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { locking, lockName } from '../../database/engine.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { deliverBatch } from '../delivery/delivery.ts'
import { WebhookSender } from './sending.ts'

const TIMES = 10
/** Long enough for a statement that does not wait. */
const aWhile = () => sleep(60)

/** A database that runs a transaction by `around`, which is given its number. */
function around(whole: Db, run: (number: number, begin: () => Promise<unknown>) => Promise<unknown>, inside = inOrder) {
  let count = 0
  const transaction = () => ({
    execute: (work: (transaction: Transaction) => Promise<unknown>) =>
      run(++count, () => whole.transaction().execute((one) => inside(() => work(one)))),
  })
  const get = (target: Db, key: string | symbol) => {
    const value: unknown = key === 'transaction' ? transaction : Reflect.get(target, key)
    return typeof value === 'function' ? value.bind(target) : value
  }
  return new Proxy(whole, { get })
}

const inOrder = (work: () => Promise<unknown>) => work()

/** Delivers what happened, and waits before it commits: `isHeld` resolves then, and `open` lets it go on. */
function holding({ dependencies }: World) {
  const [held, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const db = around(
    dependencies.db,
    (_, begin) => begin(),
    async (work) => {
      const result = await work()
      // The event is taken again under the lock of the log.
      if (result === undefined) return result
      held.resolve()
      await gate.promise
      return result
    },
  )
  const done = deliverBatch({ ...dependencies, db })
  return { isHeld: held.promise, open: gate.resolve, done }
}

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

interface Scene {
  receiver: Receiver
  subscribe(more?: object): Promise<Record<string, unknown>>
  poll(cursor?: unknown): Promise<{ cursor: string }>
}

const withAgent = (world: World, run: (scene: Scene) => Promise<void>) =>
  receiving(async (receiver) => {
    world.dependencies.reach = home
    receiver.answer = (_request, response) => {
      const { challenge } = JSON.parse(receiver.arrived.at(-1)?.body ?? '{}')
      response.writeHead(200).end(JSON.stringify({ challenge }))
    }
    const { accessToken: token } = await agentOf(world, world.alice)
    const sent = async (method: string, params: object) => {
      const { messages } = await ask(world.app, method, { name: 'bug.created', ...params }, { era: MODERN, token })
      const { result, error } = messages.at(-1) ?? {}
      assert.ok(result, JSON.stringify(error))
      return { ...result } as Record<string, unknown>
    }
    const delivery = { mode: 'webhook', url: receiver.url, secret: SECRET }
    await run({
      receiver,
      subscribe: (more = {}) => sent('events/subscribe', { delivery, ...more }),
      poll: async (cursor) => ({ cursor: String((await sent('events/poll', { cursor }))['cursor']) }),
    })
  })

const titlesAt = ({ arrived }: Receiver): unknown[] =>
  arrived.flatMap(({ body }) => JSON.parse(body).data?.target?.title ?? [])

onEveryEngine('at the same moment', (it) => {
  it('a delivery is queued and the lease of its webhook let go, and it is sent', (world) =>
    withWebhook(world, async ({ receiver, bob, app, dependencies }) => {
      await app.deliver()
      for (let time = 0; time < TIMES; time++) {
        receiver.arrived.length = 0
        await bob.bugs.create({ ...bug, title: `First ${time}` })
        await app.deliver()
        // Of the sender: it takes the webhook, notes the attempt, and lets the webhook go.
        const LETS_GO = 3
        const db = around(dependencies.db, async (number, begin) => {
          if (number !== LETS_GO) return begin()
          await bob.bugs.create({ ...bug, title: `Second ${time}` })
          const telling = holding(world)
          await telling.isHeld
          const ending = begin()
          await aWhile()
          telling.open()
          return (await Promise.all([ending, telling.done]))[0]
        })
        const sender = new WebhookSender({ ...dependencies, db })
        await sender.send()
        await sender.send()
        assert.deepEqual(titlesAt(receiver), [`First ${time}`, `Second ${time}`])
      }
    }))

  it('an event is told and an agent subscribes from a cursor, and it is sent', (world) =>
    withAgent(world, async ({ receiver, subscribe, poll }) => {
      const { bob, app } = world
      for (let time = 0; time < TIMES; time++) {
        const { cursor } = await poll()
        await bob.bugs.create({ ...bug, title: `Bug ${time}` })
        const telling = holding(world)
        await telling.isHeld
        const subscribing = subscribe({ cursor })
        await aWhile()
        telling.open()
        await Promise.all([subscribing, telling.done])
        await app.sendWebhooks()
        assert.deepEqual(titlesAt(receiver), [`Bug ${time}`])
        receiver.arrived.length = 0
        const [{ id } = { id: '' }] = (await world.alice.itemWebhooks.list({})).items
        await world.alice.itemWebhooks.delete({ id })
      }
    }))

  it('an event is told and an agent subscribes from now on, and its cursor misses nothing', (world) =>
    withAgent(world, async ({ receiver, subscribe, poll }) => {
      const { bob, app } = world
      for (let time = 0; time < TIMES; time++) {
        await bob.bugs.create({ ...bug, title: `Bug ${time}` })
        const telling = holding(world)
        await telling.isHeld
        const subscribing = subscribe()
        await aWhile()
        telling.open()
        const [{ cursor }] = await Promise.all([subscribing, telling.done])
        await app.sendWebhooks()
        // It is sent, or before the place where the subscription begins.
        if (titlesAt(receiver).length === 0) assert.equal(cursor, (await poll()).cursor)
        receiver.arrived.length = 0
        const [{ id } = { id: '' }] = (await world.alice.itemWebhooks.list({})).items
        await world.alice.itemWebhooks.delete({ id })
      }
    }))

  it('a delivery is noted and what it tells of goes or comes back, and neither waits for the other for good', (world) =>
    withWebhook(world, async ({ person, admin, app, db, dependencies }) => {
      /** What locks a webhook and then its deliveries, as the sender does, while this runs. */
      const besideSender = async (run: () => Promise<unknown>) => {
        let running: Promise<unknown> = Promise.resolve()
        await db.transaction().execute(async (transaction) => {
          const all = transaction.selectFrom('webhook').select('id').orderBy('id')
          await locking(transaction, all).execute()
          running = run()
          running.catch(() => undefined)
          await aWhile()
          await transaction
            .updateTable('webhookDelivery')
            .set((row) => ({ id: row.ref('id') }))
            .execute()
        })
        await running
      }
      for (let time = 0; time < TIMES; time++) {
        const author = person(`author${time}`)
        const account = (await author.account()).id
        const { id } = await author.bugs.create(bug)
        await app.deliver()
        await admin.admin.block({ id: account, blocked: true })
        await besideSender(() => app.deliver())
        await besideSender(() => admin.admin.block({ id: account, blocked: false }))
        await besideSender(() => app.deliver())
        await admin.bugs.delete({ id })
        await besideSender(() => deliverBatch(dependencies))
        await besideSender(() => app.deliver())
      }
    }))

  it('the transaction that holds the log waits for no event, webhook or account of those that wait for it', (world) =>
    withAgent(world, async ({ subscribe }) => {
      const { db, person, admin, dependencies, app } = world
      await subscribe()
      await admin.webhooks.create({ url: 'https://a.example/' })
      /** What waits for the log while another transaction holds it, and then locks all that could be held. */
      const beside = async (wait: () => Promise<unknown>) => {
        let waiting: Promise<unknown> = Promise.resolve()
        await db.transaction().execute(async (transaction) => {
          await lockName(transaction, 'toldEvent')
          waiting = wait()
          waiting.catch(() => undefined)
          await aWhile()
          for (const table of ['event', 'webhook', 'user'] as const) {
            const rows = transaction.updateTable(table).set((row) => ({ id: row.ref('id') }))
            await rows.execute()
          }
        })
        await waiting
      }
      for (let time = 0; time < TIMES; time++) {
        const author = person(`author${time}`)
        const account = (await author.account()).id
        const { id } = await author.bugs.create(bug)
        await beside(() => deliverBatch(dependencies))
        await beside(() => subscribe())
        for (const blocked of [true, false]) {
          await admin.admin.block({ id: account, blocked })
          await beside(() => app.deliver())
        }
        await admin.bugs.delete({ id })
        await beside(() => app.deliver())
      }
    }))
})

onEveryEngine('a sender that fails', (it) => {
  it('ends when all that it sends has ended', (world) =>
    withWebhook(world, async ({ receiver, id, admin, dependencies }) => {
      const { id: second } = await admin.webhooks.create({ url: receiver.url, events: [] })
      await admin.webhooks.test({ id })
      await admin.webhooks.test({ id: second })
      const slow = Promise.withResolvers<void>()
      let calls = 0
      const secretFor: typeof dependencies.secretFor = async (purpose) => {
        if (++calls === 1) {
          await slow.promise
          return dependencies.secretFor(purpose)
        }
        throw new Error('The key is away')
      }
      let hasEnded = false
      const sent = new WebhookSender({ ...dependencies, secretFor }).send().finally(() => {
        hasEnded = true
      })
      sent.catch(() => undefined)
      while (calls < 2) await sleep(5)
      await sleep(50)
      assert.equal(hasEnded, false)
      slow.resolve()
      await assert.rejects(sent, /The key is away/)
    }))

  it('lets its webhook go, which is sent by the next one at once', (world) =>
    withWebhook(world, async ({ receiver, id, admin, dependencies, app }) => {
      await admin.webhooks.test({ id })
      const secretFor = async () => {
        throw new Error('The key is away')
      }
      await assert.rejects(new WebhookSender({ ...dependencies, secretFor }).send(), /The key is away/)
      assert.equal(receiver.arrived.length, 0)
      // Another worker of the sender may have it for a moment still. The clock stands, so a lease that was kept would not end.
      for (let time = 0; time < 100 && receiver.arrived.length === 0; time++) {
        await app.sendWebhooks()
        await sleep(10)
      }
      assert.equal(receiver.arrived.length, 1)
    }))
})
