// Which events webhooks get, and who looks after them.
import assert from 'node:assert/strict'
import { workflowFile } from '../../../test/library.ts'
import { home, isSigned, type Receiver, receiving } from '../../../test/webhook-receiver.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { MAX_WEBHOOKS } from './rules.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

const publish = (who: Person, visibility: 'public' | 'private') =>
  who.library.publish({ kind: 'workflow', visibility, file: workflowFile() })

/** Makes what has happened arrive. */
async function settle({ app }: World): Promise<void> {
  await app.deliver()
  await app.sendWebhooks()
}

const typesIn = ({ arrived }: Receiver) => arrived.map(({ body }) => JSON.parse(body).type)

function atHome(world: World): World {
  world.dependencies.reach = home
  return world
}

onEveryEngine('a webhook', (it) => {
  it('gets every event of the community, signed, with what is needed to read more', (world) =>
    receiving(async (receiver) => {
      const { admin, alice, moderator } = atHome(world)
      const { secret, ...webhook } = await admin.webhooks.create({ url: receiver.url })
      assert.deepEqual((await admin.webhooks.list({})).items, [webhook])
      const { id, number } = await alice.bugs.create(crash)
      const comment = await admin.bugs.comment({ id, body: 'I see it too' })
      await moderator.bugs.triage({ id, status: 'in_progress' })
      await settle(world)
      assert.deepEqual(typesIn(receiver), ['bug.created', 'comment.created', 'bug.status_changed'])
      for (const arrived of receiver.arrived) assert.ok(isSigned(arrived, secret))
      const [created, commented, changed] = receiver.arrived.map(({ body }) => JSON.parse(body))
      const { id: aliceId } = await alice.account()
      assert.deepEqual(created.data, {
        target: { type: 'bug', id, number, title: 'Crash' },
        ...{ commentId: null, url: `${BASE_URL}/community/bugs/${id}`, actor: { id: aliceId, username: null } },
        ...{ excerpt: 'It stops on start', status: null, version: null },
      })
      assert.equal(commented.data.commentId, comment.id)
      assert.equal(commented.data.url, `${BASE_URL}/community/comments/${comment.id}`)
      assert.deepEqual(changed.data.status, { from: 'open', to: 'in_progress' })
      const [first] = receiver.arrived
      assert.equal(first?.headers['content-type'], 'application/json')
      const log = await admin.webhooks.deliveries({ id: webhook.id })
      assert.equal(log.items.at(-1)?.id, first?.headers['webhook-id'])
      assert.deepEqual(new Set(log.items.map(({ state, status }) => `${state} ${status}`)), new Set(['delivered 204']))
    }))

  it('gets the events it asks for, and none once it is disabled or removed', (world) =>
    receiving(async (receiver) => {
      const { admin, alice } = atHome(world)
      const { id } = await admin.webhooks.create({ url: receiver.url, events: ['post.created'] })
      await alice.bugs.create(crash)
      await alice.posts.create({ title: 'Hello', body: 'World' })
      await settle(world)
      assert.deepEqual(typesIn(receiver), ['post.created'])
      await admin.webhooks.update({ id, enabled: false })
      await alice.posts.create({ title: 'Hello again', body: 'World' })
      await settle(world)
      await admin.webhooks.update({ id, enabled: true, events: [] })
      await settle(world)
      assert.deepEqual(typesIn(receiver), ['post.created'])
      await alice.bugs.create(crash)
      await settle(world)
      assert.deepEqual(typesIn(receiver), ['post.created', 'bug.created'])
      await admin.webhooks.delete({ id })
      await alice.bugs.create(crash)
      await settle(world)
      assert.equal(receiver.arrived.length, 2)
    }))

  it('of an item gets its versions and comments and no others, also while the item is private', (world) =>
    receiving(async (receiver) => {
      const { alice, bob, admin } = atHome(world)
      const all = await admin.webhooks.create({ url: receiver.url.replace('/hook', '/admin') })
      const item = await publish(alice, 'private')
      const { secret } = await alice.itemWebhooks.create({ url: receiver.url, itemId: item.id })
      await alice.library.publishVersion({ id: item.id, file: workflowFile() })
      await settle(world)
      assert.deepEqual(
        receiver.arrived.map(({ path }) => path),
        ['/hook'],
      )
      assert.ok(isSigned(receiver.arrived[0]!, secret))
      assert.equal(JSON.parse(receiver.arrived[0]!.body).data.version, '1.0.1')
      await alice.library.update({ id: item.id, visibility: 'public' })
      await bob.library.comment({ id: item.id, body: 'Nice' })
      await bob.bugs.create(crash)
      await settle(world)
      const of = (path: string) =>
        receiver.arrived.filter((one) => one.path === path).map(({ body }) => JSON.parse(body))
      assert.deepEqual(
        of('/hook').map(({ type }) => type),
        ['item.version_published', 'item.published', 'comment.created'],
      )
      assert.deepEqual(
        of('/admin').map(({ type }) => type),
        ['item.published', 'comment.created', 'bug.created'],
      )
      assert.equal((await admin.webhooks.deliveries({ id: all.id })).items.length, 3)
    }))

  it('is told nothing of what is deleted, of private items, and of blocked accounts', (world) =>
    receiving(async (receiver) => {
      const { admin, alice, bob, moderator } = atHome(world)
      const { id: webhookId } = await admin.webhooks.create({ url: receiver.url })
      const gone = await alice.bugs.create(crash)
      await moderator.bugs.delete({ id: gone.id })
      const stays = await alice.bugs.create(crash)
      const { id: commentId } = await bob.bugs.comment({ id: stays.id, body: 'A secret' })
      await bob.bugs.deleteComment({ id: stays.id, commentId })
      await bob.bugs.comment({ id: stays.id, body: 'Spam' })
      await admin.admin.block({ id: (await bob.account()).id, blocked: true })
      await publish(alice, 'private')
      await settle(world)
      assert.deepEqual(typesIn(receiver), ['bug.created'])
      assert.equal(JSON.parse(receiver.arrived[0]!.body).data.target.id, stays.id)
      await moderator.bugs.delete({ id: stays.id })
      await settle(world)
      assert.deepEqual((await admin.webhooks.deliveries({ id: webhookId })).items, [])
    }))

  it('sends nothing that was deleted or blocked between the event and the attempt', (world) =>
    receiving(async (receiver) => {
      const { admin, alice, bob, moderator, app } = atHome(world)
      const { id: webhookId } = await admin.webhooks.create({ url: receiver.url })
      const gone = await alice.bugs.create(crash)
      await bob.posts.create({ title: 'Spam', body: 'Buy' })
      await app.deliver()
      assert.equal((await admin.webhooks.list({})).items[0]?.pending, 2)
      await moderator.bugs.delete({ id: gone.id })
      await admin.admin.block({ id: (await bob.account()).id, blocked: true })
      await app.sendWebhooks()
      assert.deepEqual(receiver.arrived, [])
      assert.deepEqual((await admin.webhooks.deliveries({ id: webhookId })).items, [])
    }))

  it('of an admin who is none any more gets nothing', (world) =>
    receiving(async (receiver) => {
      const { admin, alice } = atHome(world)
      await admin.webhooks.create({ url: receiver.url })
      const other = world.person('other')
      await admin.admin.setRole({ id: (await other.account()).id, role: 'admin' })
      await other.admin.setRole({ id: (await admin.account()).id, role: 'member' })
      await alice.bugs.create(crash)
      await settle(world)
      assert.deepEqual(receiver.arrived, [])
      assert.equal((await other.webhooks.list({})).items.length, 1)
    }))

  it('belongs to its owner: others find none', async (world) => {
    const { admin, alice, bob } = atHome(world)
    const item = await publish(alice, 'public')
    const hidden = await publish(alice, 'private')
    const url = 'https://example.com/hook'
    const { id } = await alice.itemWebhooks.create({ url, itemId: item.id })
    const { id: ofAll } = await admin.webhooks.create({ url })
    await assert.rejects(bob.itemWebhooks.create({ url, itemId: item.id }), { code: 'forbidden' })
    await assert.rejects(bob.itemWebhooks.create({ url, itemId: hidden.id }), { code: 'not_found' })
    await assert.rejects(alice.itemWebhooks.create({ url, itemId: 'none' }), { code: 'not_found' })
    for (const who of [bob, admin]) {
      for (const call of [
        () => who.itemWebhooks.update({ id, url }),
        () => who.itemWebhooks.test({ id }),
        () => who.itemWebhooks.rotateSecret({ id }),
        () => who.itemWebhooks.deliveries({ id }),
        () => who.itemWebhooks.redeliver({ id, deliveryId: 'none' }),
        () => who.itemWebhooks.delete({ id }),
      ]) {
        await assert.rejects(call(), { code: 'not_found' })
      }
      assert.deepEqual((await who.itemWebhooks.list({})).items, [])
    }
    await assert.rejects(admin.itemWebhooks.delete({ id: ofAll }), { code: 'not_found' })
    await assert.rejects(admin.webhooks.delete({ id }), { status: 404 })
    await assert.rejects(alice.webhooks.list({}), { status: 403 })
    assert.deepEqual(
      (await alice.itemWebhooks.list({ itemId: item.id })).items.map((one) => one.id),
      [id],
    )
    assert.deepEqual((await alice.itemWebhooks.list({ itemId: hidden.id })).items, [])
    await alice.library.delete({ id: item.id })
    assert.deepEqual((await alice.itemWebhooks.list({})).items, [])
  })

  it('is one of at most 20 of an account, also when many are added at once', async (world) => {
    const { admin } = atHome(world)
    const calls = Array.from({ length: MAX_WEBHOOKS + 5 }, () =>
      admin.webhooks.create({ url: 'https://example.com/hook' }).then(
        () => 201,
        ({ status }) => status,
      ),
    )
    const ended = await Promise.all(calls)
    assert.equal(ended.filter((status) => status === 201).length, MAX_WEBHOOKS)
    assert.equal(ended.filter((status) => status === 409).length, 5)
  })

  it('goes to public https addresses alone', async ({ admin }) => {
    for (const url of [
      'http://example.com/hook',
      'https://user:secret@example.com/hook',
      'https://example.com/hook#part',
      'https://127.0.0.1/hook',
      'https://[::1]/hook',
      'https://10.1.2.3/hook',
      'https://169.254.169.254/latest/meta-data',
      'https://2130706433/',
      'ftp://example.com/hook',
      'hook',
    ]) {
      await assert.rejects(admin.webhooks.create({ url }), { status: 400 }, url)
    }
    const { id } = await admin.webhooks.create({ url: 'https://example.com/hook' })
    await assert.rejects(admin.webhooks.update({ id, url: 'https://192.168.1.1/' }), { status: 400 })
    const [shown] = (await admin.webhooks.list({})).items
    assert.equal(shown?.url, 'https://example.com/hook')
  })

  it('keeps its secret sealed, and shows it once', async ({ admin, db }) => {
    const { id, secret } = await admin.webhooks.create({ url: 'https://example.com/hook' })
    const { secret: next, previousSecretUntil } = await admin.webhooks.rotateSecret({ id })
    assert.ok(previousSecretUntil)
    const seen = JSON.stringify([await admin.webhooks.list({}), await db.selectFrom('webhook').selectAll().execute()])
    for (const value of [secret, next]) assert.ok(!seen.includes(value.slice('whsec_'.length)))
    const log = await admin.admin.listAudit({})
    assert.deepEqual(
      log.items.filter(({ targetId }) => targetId === id).map(({ action }) => action),
      ['webhook.rotate', 'webhook.create'],
    )
    assert.ok(!JSON.stringify(log).includes('whsec_'))
  })
})
