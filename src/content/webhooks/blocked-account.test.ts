// What a block does to events that wait for webhooks, and what undoing it brings back.
import assert from 'node:assert/strict'
import { withWebhook } from '../../../test/webhooks.ts'
import { onEveryEngine } from '../../../test/world.ts'

onEveryEngine('what is told of an account that is blocked', (it) => {
  const typesAt = ({ arrived }: { arrived: readonly { body: string }[] }) =>
    arrived.map(({ body }) => (JSON.parse(body) as { type: string }).type)

  for (const [words, between] of [
    ['at once', []],
    ['after it was dropped from the queue', ['deliver', 'sendWebhooks']],
    ['after a try to send it', ['sendWebhooks']],
  ] as const) {
    it(`comes when the block is taken back ${words}`, (world) =>
      withWebhook(world, async ({ receiver, admin, bob, app, anonymous }) => {
        const post = await bob.posts.create({ title: 'Told', body: 'B' })
        const { id } = await bob.account()
        if (between.length === 1) await app.deliver()
        await admin.admin.block({ id, blocked: true })
        for (const step of between) await app[step]()
        assert.deepEqual(
          typesAt(receiver).filter((type) => type === 'post.created'),
          [],
        )
        await admin.admin.block({ id, blocked: false })
        // What was hidden shows in the background, and is told of after that.
        for (let turn = 0; turn < 2; turn++) await app.deliver()
        await app.sendWebhooks()
        assert.ok(typesAt(receiver).includes('post.created'), String(typesAt(receiver)))
        assert.equal((await anonymous.posts.get({ id: post.id })).title, 'Told')
      }))
  }

  it('is in no log during the block, and there again after it', (world) =>
    withWebhook(world, async ({ receiver, id: webhookId, admin, bob, app }) => {
      await bob.posts.create({ title: 'Told', body: 'B' })
      await app.deliver()
      await app.sendWebhooks()
      const { id } = await bob.account()
      const log = async () => (await admin.webhooks.deliveries({ id: webhookId })).items.map(({ event }) => event)
      assert.ok((await log()).includes('post.created'))
      await admin.admin.block({ id, blocked: true })
      await app.deliver()
      assert.ok(!(await log()).includes('post.created'))
      const count = typesAt(receiver).length
      await admin.admin.block({ id, blocked: false })
      assert.ok((await log()).includes('post.created'))
      await app.sendWebhooks()
      assert.ok(
        typesAt(receiver)
          .slice(count)
          .every((type) => type !== 'post.created'),
        'what was sent is not sent again',
      )
    }))

  it('reaches mentioned members when the block is taken back at once', async (world) => {
    const { alice, bob, moderator, app } = world
    await alice.profile.setUsername({ username: 'alice-w' })
    await bob.posts.create({ title: 'To @alice-w', body: 'Hello @alice-w' })
    const { id } = await bob.account()
    await moderator.admin.block({ id, blocked: true })
    await moderator.admin.block({ id, blocked: false })
    await app.deliver()
    assert.deepEqual(
      (await alice.notifications.list({})).items.map(({ type }) => type),
      ['mention'],
    )
  })
})

onEveryEngine('what webhooks were told on a thing of an account that is blocked', (it) => {
  for (const [words, between] of [
    ['at once', []],
    ['when its things are hidden, and before that is told', ['deliver']],
    ['when all of it is told', ['deliver', 'deliver', 'sendWebhooks']],
  ] as const) {
    it(`is in the log again after a block that is taken back ${words}`, (world) =>
      withWebhook(world, async ({ id: webhookId, admin, alice, bob, app }) => {
        const { id: userId } = await bob.account()
        const { id } = await bob.posts.create({ title: 'Told', body: 'B' })
        await bob.posts.edit({ id, body: 'C' })
        await alice.posts.comment({ id, body: 'On it' })
        await bob.posts.comment({ id, body: 'Thanks' })
        await app.deliver()
        await app.sendWebhooks()
        const log = async () => {
          const { items } = await admin.webhooks.deliveries({ id: webhookId })
          return items.map(({ event }) => event).toSorted()
        }
        const before = await log()
        assert.deepEqual(before, ['comment.created', 'comment.created', 'post.created', 'post.edited'])
        await admin.admin.block({ id: userId, blocked: true })
        for (const step of between) await app[step]()
        await admin.admin.block({ id: userId, blocked: false })
        for (let turn = 0; turn < 3; turn++) await app.deliver()
        await app.sendWebhooks()
        const after = await log()
        for (const event of new Set(before)) {
          const count = (of: readonly string[]) => of.filter((one) => one === event).length
          assert.ok(count(after) >= count(before), `${event} in ${after}`)
        }
      }))
  }

  it('goes out after the block, where it had waited', (world) =>
    withWebhook(world, async ({ receiver, admin, alice, bob, app }) => {
      const { id: userId } = await bob.account()
      const { id } = await bob.posts.create({ title: 'Told', body: 'B' })
      const comment = await alice.posts.comment({ id, body: 'On it' })
      await app.deliver()
      await admin.admin.block({ id: userId, blocked: true })
      for (let turn = 0; turn < 2; turn++) await app.deliver()
      await admin.admin.block({ id: userId, blocked: false })
      for (let turn = 0; turn < 3; turn++) await app.deliver()
      await app.sendWebhooks()
      const told = receiver.arrived.map(({ body }) => JSON.parse(body) as { type: string; data: { commentId: string } })
      const ofComment = told.filter(({ type, data }) => type === 'comment.created' && data.commentId === comment.id)
      assert.equal(ofComment.length, 1, JSON.stringify(told.map(({ type }) => type)))
    }))

  it('stays away where a moderator hid the thing as well, in either order', (world) =>
    withWebhook(world, async ({ id: webhookId, admin, alice, bob, moderator, app }) => {
      const { id: userId } = await bob.account()
      const hide = async (targetId: string) => {
        const found = (await moderator.moderation.cases({})).items.find(({ target }) => target.id === targetId)
        const given = { id: found!.id, action: 'hide', rule: 'spam', reason: 'Advertising' } as const
        await moderator.moderation.decide(given)
      }
      const posts = [
        await bob.posts.create({ title: 'One', body: 'B' }),
        await bob.posts.create({ title: 'Two', body: 'B' }),
      ]
      for (const { id } of posts) {
        await alice.posts.comment({ id, body: 'On it' })
        await alice.reports.create({ targetType: 'post', targetId: id, reason: 'spam' })
      }
      await app.deliver()
      await app.sendWebhooks()
      await hide(posts[0]!.id)
      await app.deliver()
      await admin.admin.block({ id: userId, blocked: true })
      for (let turn = 0; turn < 2; turn++) await app.deliver()
      await hide(posts[1]!.id)
      for (let turn = 0; turn < 2; turn++) await app.deliver()
      await admin.admin.block({ id: userId, blocked: false })
      for (let turn = 0; turn < 3; turn++) await app.deliver()
      const { items } = await admin.webhooks.deliveries({ id: webhookId })
      const ofComments = items.filter(({ event }) => event === 'comment.created')
      assert.deepEqual(ofComments, [])
    }))
})
