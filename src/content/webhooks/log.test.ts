// What the log of a webhook keeps, and when it is full.
import assert from 'node:assert/strict'
import { withWebhook } from '../../../test/webhooks.ts'
import { onEveryEngine } from '../../../test/world.ts'
import { MAX_LOGGED, MAX_PENDING } from './rules.ts'

const _hour = 3_600

onEveryEngine('the log of a webhook', (it) => {
  it(`has the last ${MAX_LOGGED} and those that wait, for 30 days`, (world) =>
    withWebhook(world, async ({ id, admin, app, db, clock }) => {
      for (let n = 0; n < MAX_LOGGED + 2; n++) await admin.webhooks.test({ id })
      await app.sendWebhooks()
      const count = async () => (await db.selectFrom('webhookDelivery').select('id').execute()).length
      assert.equal(await count(), MAX_LOGGED)
      const first = await admin.webhooks.deliveries({ id, per_page: 60 })
      const second = await admin.webhooks.deliveries({ id, per_page: 60, page: 1 })
      assert.deepEqual([first.items.length, first.hasMore, second.items.length, second.hasMore], [60, true, 40, false])
      clock.pass(31 * 86_400)
      await app.cleanUp()
      clock.pass(2 * 86_400)
      await app.cleanUp()
      assert.equal(await count(), 0)
    }))

  it('is full when 1,000 wait: the next event fails', (world) =>
    withWebhook(world, async ({ id, admin, alice, app, db }) => {
      await admin.webhooks.test({ id })
      const [one] = await db.selectFrom('webhookDelivery').selectAll().execute()
      const rows = Array.from({ length: MAX_PENDING - 2 }, (_, n) => ({ ...one!, id: `0-${n}` }))
      for (let n = 0; n < rows.length; n += 500)
        await db
          .insertInto('webhookDelivery')
          .values(rows.slice(n, n + 500))
          .execute()
      for (let n = 0; n < 2; n++) {
        await alice.posts.create({ title: 'Hello', body: 'World' })
        await app.deliver()
      }
      const [full, fits] = (await admin.webhooks.deliveries({ id })).items
      assert.deepEqual([fits?.state, full?.state], ['pending', 'failed'])
      assert.match(full?.error ?? '', /Too many/)
      await assert.rejects(admin.webhooks.test({ id }), { status: 409 })
    }))
})
