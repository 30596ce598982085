// Events that very many subscriptions are for: more than one statement can store.
import assert from 'node:assert/strict'
import { agentOf } from '../../../test/agents.ts'
import { ask, MODERN } from '../../../test/mcp/caller.ts'
import { bug } from '../../../test/pending.ts'
import { home, receiving } from '../../../test/webhook-receiver.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { listMatching } from './sending-queries.ts'

/** More deliveries than PostgreSQL takes in one statement, which takes twice what SQLite does. */
const MANY = 3_700
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** So many subscriptions to one event in all: one that an agent made, and its copies. */
async function subscribed({ db }: World, count: number): Promise<void> {
  const [made] = await db.selectFrom('webhook').selectAll().execute()
  const copies = Array.from({ length: count - 1 }, (_, at) => ({
    ...made!,
    id: `${made?.id}-${at}`,
    subscriptionId: `${made?.subscriptionId}-${at}`,
  }))
  for (let at = 0; at < copies.length; at += 500) {
    await db
      .insertInto('webhook')
      .values(copies.slice(at, at + 500))
      .execute()
  }
}

const withAgent = (world: World, run: () => Promise<void>) =>
  receiving(async (receiver) => {
    world.dependencies.reach = home
    receiver.answer = (_request, response) => {
      const { challenge } = JSON.parse(receiver.arrived.at(-1)?.body ?? '{}')
      response.writeHead(200).end(JSON.stringify({ challenge }))
    }
    const { accessToken } = await agentOf(world, world.alice)
    const params = { name: 'bug.created', delivery: { mode: 'webhook', url: receiver.url, secret: SECRET } }
    const { messages } = await ask(world.app, 'events/subscribe', params, { era: MODERN, token: accessToken })
    assert.ok(messages.at(-1)?.result)
    await run()
  })

onEveryEngine('an event', (it) => {
  it(`of ${MANY} subscriptions is queued for each of them, and what comes after it is told`, (world) =>
    withAgent(world, async () => {
      const { db, alice, bob, app } = world
      await subscribed(world, MANY)
      const { id } = await alice.bugs.create(bug)
      await app.deliver()
      const { length } = await db.selectFrom('webhookDelivery').select('id').where('state', '=', 'pending').execute()
      assert.equal(length, MANY)
      const { length: due } = await db.selectFrom('webhook').select('id').where('dueAt', 'is not', null).execute()
      assert.equal(due, MANY)
      await bob.bugs.comment({ id, body: 'Here too' })
      await app.deliver()
      assert.equal((await alice.notifications.list({})).items.length, 1)
    }))

  it('is looked up for those alone that name it, or name none', (world) =>
    withAgent(world, async () => {
      const { db, admin } = world
      await subscribed(world, 20)
      const webhook = (events: ('bug.edited' | 'bug.status_changed')[]) =>
        admin.webhooks.create({ url: 'https://a.example/', events })
      const [all, edited, status] = [
        await webhook([]),
        await webhook(['bug.edited']),
        await webhook(['bug.edited', 'bug.status_changed']),
      ]
      const event = {
        targetType: 'bug',
        targetId: 'x',
        hidden: 0 as const,
        createdAt: '2026-01-01T00:00:00.000Z',
        board: null,
      }
      const found = async (name: 'bug.created' | 'bug.edited' | 'bug.status_changed' | 'item.deleted') =>
        (await listMatching(db, { ...event, name })).map(({ id }) => id)
      assert.equal((await found('bug.created')).length, 21)
      assert.deepEqual(await found('bug.edited'), [all.id, edited.id, status.id])
      assert.deepEqual(await found('bug.status_changed'), [all.id, status.id])
      assert.deepEqual(await found('item.deleted'), [all.id])
    }))
})
