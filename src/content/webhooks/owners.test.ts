// Who looks after webhooks, how many there are, and where they go.
import assert from 'node:assert/strict'
import { workflowFile } from '../../../test/library.ts'
import { home, type Receiver } from '../../../test/webhook-receiver.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { MAX_WEBHOOKS } from './rules.ts'

const _crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

const publish = (who: Person, visibility: 'public' | 'private') =>
  who.library.publish({ kind: 'workflow', visibility, file: workflowFile() })

/** Makes what has happened arrive. */
async function _settle({ app }: World): Promise<void> {
  await app.deliver()
  await app.sendWebhooks()
}

const _typesIn = ({ arrived }: Receiver) => arrived.map(({ body }) => JSON.parse(body).type)

function atHome(world: World): World {
  world.dependencies.reach = home
  return world
}

onEveryEngine('a webhook', (it) => {
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
    assert.ok(secret)
    for (const value of [secret, next]) assert.ok(!seen.includes(value.slice('whsec_'.length)))
    const log = await admin.admin.listAudit({})
    assert.deepEqual(
      log.items.filter(({ targetId }) => targetId === id).map(({ action }) => action),
      ['webhook.rotate', 'webhook.create'],
    )
    assert.ok(!JSON.stringify(log).includes('whsec_'))
  })
})
