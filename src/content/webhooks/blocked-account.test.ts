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
