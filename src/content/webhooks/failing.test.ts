// Webhooks that fail for days, now and then, or for good.
import assert from 'node:assert/strict'
import { withWebhook } from '../../../test/webhooks.ts'
import { onEveryEngine } from '../../../test/world.ts'
import { FAILING_SECONDS } from './rules.ts'

const hour = 3_600

onEveryEngine('a webhook that fails', (it) => {
  it('for three days is disabled, and its owner gets a mail', (world) =>
    withWebhook(world, async ({ receiver, id, test, admin, app, clock, db, mails }) => {
      const { email } = await admin.account()
      await db
        .updateTable('user')
        .set({ emailVerifiedAt: new Date().toISOString() })
        .where('email', '=', email)
        .execute()
      receiver.answer = (_request, response) => response.writeHead(500).end()
      await test()
      clock.pass(FAILING_SECONDS - hour)
      await test()
      assert.equal((await admin.webhooks.list({})).items[0]?.enabled, true)
      clock.pass(hour + 60)
      await test()
      const [webhook] = (await admin.webhooks.list({})).items
      assert.deepEqual([webhook?.enabled, webhook?.disabledReason, webhook?.pending], [false, 'failing', 0])
      const [mail] = (await mails(email)).filter(({ subject }) => subject === 'A webhook was disabled')
      assert.ok(mail?.body.includes(receiver.url) && mail.body.includes(`/admin/webhooks/${id}`))
      const count = receiver.arrived.length
      await app.sendWebhooks()
      assert.equal(receiver.arrived.length, count)
      receiver.answer = (_request, response) => response.end()
      const enabled = await admin.webhooks.update({ id, enabled: true })
      assert.deepEqual([enabled.enabled, enabled.disabledReason, enabled.failingSince], [true, null, null])
      await test()
      assert.equal(receiver.arrived.length, count + 1)
    }))

  it('now and then is not disabled', (world) =>
    withWebhook(world, async ({ receiver, test, admin, clock }) => {
      let status = 500
      receiver.answer = (_request, response) => response.writeHead(status).end()
      await test()
      clock.pass(FAILING_SECONDS - hour)
      status = 200
      await test()
      status = 500
      await test()
      clock.pass(2 * hour)
      await test()
      assert.equal((await admin.webhooks.list({})).items[0]?.enabled, true)
    }))

  it('with 410 is disabled at once', (world) =>
    withWebhook(world, async ({ receiver, last, test, admin }) => {
      receiver.answer = (_request, response) => response.writeHead(410).end()
      await test()
      const [webhook] = (await admin.webhooks.list({})).items
      assert.deepEqual([webhook?.enabled, webhook?.disabledReason], [false, 'gone'])
      assert.equal((await last()).state, 'failed')
    }))
})
