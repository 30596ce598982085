// Which events webhooks get.
import assert from 'node:assert/strict'
import { workflowFile } from '../../../test/library.ts'
import { home, isSigned, type Receiver, receiving } from '../../../test/webhook-receiver.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from '../../../test/world.ts'

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
        ...{ commentId: null, actor: { id: aliceId, username: null } },
        ...{ url: `${BASE_URL}/community/bugs/${id}`, href: `${BASE_URL}/community/bugs/${id}` },
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

  it('is told of what is deleted nothing but that, and nothing of private items and of blocked accounts', (world) =>
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
      const told = () =>
        receiver.arrived.map(({ body }) => {
          const { type, data } = JSON.parse(body)
          return `${type} ${data.target.id === stays.id ? 'stays' : 'gone'} ${data.commentId === commentId} ${data.excerpt}`
        })
      const first = [
        'bug.created stays false It stops on start',
        'bug.deleted gone false ',
        'comment.deleted stays true ',
      ]
      assert.deepEqual(told().slice(0, 3).sort(), first)
      await moderator.bugs.delete({ id: stays.id })
      await settle(world)
      assert.deepEqual(told().at(-1), 'bug.deleted stays false ')
      const { items } = await admin.webhooks.deliveries({ id: webhookId })
      for (const { event, payload } of items) {
        assert.match(event, /\.deleted$/)
        const { data } = JSON.parse(payload)
        assert.deepEqual([data.target.title, data.url, data.actor, data.excerpt], [null, null, null, ''])
      }
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

  it('is told of merges, of their undoing, and of releases', (world) =>
    receiving(async (receiver) => {
      const { admin, alice, bob } = atHome(world)
      const [target, source] = [await alice.bugs.create(crash), await bob.bugs.create({ ...crash, title: 'A crash' })]
      await world.app.deliver()
      await admin.webhooks.create({ url: receiver.url })
      await admin.bugs.merge({ id: source.id, into: target.id })
      await settle(world)
      await admin.bugs.undoMerge({ id: source.id })
      const { id } = await admin.changelog.create({ title: 'Out', body: 'It is out', closes: `${target.number}` })
      await admin.changelog.edit({ id, title: 'It is out' })
      await settle(world)
      await admin.changelog.delete({ id })
      await settle(world)
      const told = receiver.arrived.map(({ body }) => JSON.parse(body))
      assert.deepEqual(told.map(({ type }) => type).sort(), [
        ...['bug.merged', 'bug.status_changed', 'bug.unmerged'],
        ...['release.created', 'release.deleted', 'release.edited'],
      ])
      const of = (type: string) => told.find((one) => one.type === type).data
      assert.equal(of('bug.merged').target.id, target.id)
      assert.deepEqual(of('bug.merged').merged, { number: source.number, title: 'A crash' })
      assert.equal(of('bug.unmerged').target.id, source.id)
      assert.deepEqual(of('bug.unmerged').unmergedFrom, { number: target.number, title: 'Crash' })
    }))

  it('is told that a thing is gone when it is hidden, and that it is there when it shows again', (world) =>
    receiving(async (receiver) => {
      const { admin, alice, bob, app } = atHome(world)
      const { id } = await bob.bugs.create(crash)
      const { id: on } = await alice.posts.create({ title: 'Hello', body: 'World' })
      await bob.posts.comment({ id: on, body: 'Hi' })
      const item = await publish(bob, 'public')
      await settle(world)
      await admin.webhooks.create({ url: receiver.url })
      const account = (await bob.account()).id
      const types = ['bug', 'comment', 'item']
      await admin.admin.block({ id: account, blocked: true })
      // What the block hides is told of after it.
      for (let turn = 0; turn < 2; turn++) await settle(world)
      assert.deepEqual(
        typesIn(receiver).sort(),
        types.map((type) => `${type}.deleted`),
      )
      await admin.admin.block({ id: account, blocked: false })
      for (let turn = 0; turn < 2; turn++) await settle(world)
      assert.deepEqual(typesIn(receiver).slice(3).sort(), ['bug.created', 'comment.created', 'item.published'])
      await admin.bugs.delete({ id })
      await admin.library.delete({ id: item.id })
      await settle(world)
      assert.deepEqual(typesIn(receiver).slice(6).sort(), ['bug.deleted', 'item.deleted'])
      await app.cleanUp()
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
})
