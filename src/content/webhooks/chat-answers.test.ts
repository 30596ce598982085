// Webhooks of chats: what their answers mean, and that an address or a token that is a secret is shown to no one.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { home, type Receiver, receiving } from '../../../test/webhook-receiver.ts'
import { lastOf } from '../../../test/webhooks.ts'
import { BASE_URL, onEveryEngine, type World } from '../../../test/world.ts'
import { MAX_TEMPLATE, type WebhookFormat } from '../../contract/webhook-events.ts'

const ROOM = '/_matrix/client/v3/rooms/!abc:example.com'
const TOKEN = 'syt_secret_token'
const URL_OF_SLACK = 'https://hooks.slack.example/services/T000/B000/verysecret'

interface Tried extends World {
  receiver: Receiver
  id: string
  /** Of its owner. */
  email: string
}

/** A webhook whose test was answered so. */
const answered = (
  world: World,
  { format, answer }: { format: WebhookFormat; answer: (response: ServerResponse) => void },
  run: (tried: Tried) => Promise<void>,
) =>
  receiving(async (receiver) => {
    world.dependencies.reach = home
    receiver.answer = (_request, response) => answer(response)
    const { email } = await world.admin.account()
    const emailVerifiedAt = new Date().toISOString()
    await world.db.updateTable('user').set({ emailVerifiedAt }).where('email', '=', email).execute()
    const url = format === 'matrix' ? receiver.url.replace('/hook', ROOM) : `${receiver.url}/verysecret`
    const { id } = await world.admin.webhooks.create({ url, format, ...(format === 'matrix' && { token: TOKEN }) })
    await world.admin.webhooks.test({ id })
    await world.app.sendWebhooks()
    await run({ ...world, receiver, id, email })
  })

const seconds = (from: string | null, to: string | null) => (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1_000

onEveryEngine('the answer of a chat', (it) => {
  for (const format of ['slack', 'mattermost'] as const) {
    it(`${format}: 200 with other words than ok is a failure`, (world) =>
      answered(
        world,
        { format, answer: (response) => response.writeHead(200).end('<html>Sign in</html>') },
        async ({ id }) => {
          const { state, status, error } = await lastOf(world, id)
          assert.deepEqual([state, status], ['pending', 200])
          assert.match(error ?? '', /does not say/)
        },
      ))
  }

  it('matrix: 200 without the id of an event is a failure; a repeat has the same transaction', (world) =>
    answered(
      world,
      { format: 'matrix', answer: (response) => response.writeHead(200).end('{}') },
      async ({ receiver, app, clock, id }) => {
        const { state, id: delivery } = await lastOf(world, id)
        assert.equal(state, 'pending')
        receiver.answer = (request, response) => {
          assert.equal(request.method, 'PUT')
          response.writeHead(200).end('{"event_id":"$1"}')
        }
        clock.pass(10)
        await app.sendWebhooks()
        assert.equal((await lastOf(world, id)).state, 'delivered')
        const paths = receiver.arrived.map(({ path }) => path)
        assert.deepEqual(
          paths,
          [1, 2].map(() => `${ROOM}/send/m.room.message/${delivery}`),
        )
        for (const { headers } of receiver.arrived) assert.equal(headers.authorization, `Bearer ${TOKEN}`)
      },
    ))

  for (const [format, said] of [
    ['discord', '{"message":"You are being rate limited.","retry_after":90.2,"global":false}'],
    ['matrix', '{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":90200}'],
  ] as const) {
    it(`${format}: a pause that the body of a 429 asks for is kept`, (world) =>
      answered(
        world,
        { format, answer: (response) => response.writeHead(429).end(said) },
        async ({ receiver, app, clock, id }) => {
          const { state, nextAttemptAt, attemptedAt } = await lastOf(world, id)
          assert.equal(state, 'pending')
          assert.ok(seconds(attemptedAt, nextAttemptAt) >= 91)
          clock.pass(90)
          await app.sendWebhooks()
          assert.equal(receiver.arrived.length, 1)
          clock.pass(2)
          await app.sendWebhooks()
          assert.equal(receiver.arrived.length, 2)
        },
      ))
  }

  it('a pause without bounds is at most four hours, and one that is no number is none', async (world) => {
    for (const [said, longest] of [
      ['{"retry_after":1e300}', 4 * 3_600],
      ['{"retry_after":"x"}', 2],
      ['[1]', 2],
      ['null', 2],
    ] as const) {
      await answered(
        world,
        { format: 'discord', answer: (response) => response.writeHead(429).end(said) },
        async ({ id }) => {
          const { attemptedAt, nextAttemptAt } = await lastOf(world, id)
          assert.ok(seconds(attemptedAt, nextAttemptAt) <= longest + 1, said)
        },
      )
    }
  })

  for (const format of ['slack', 'discord'] as const) {
    it(`${format}: 404 ends the webhook, and its owner hears of it without the address`, (world) =>
      answered(
        world,
        { format, answer: (response) => response.writeHead(404).end('no_service') },
        async ({ admin, mails, email }) => {
          const [hook] = (await admin.webhooks.list({})).items
          assert.deepEqual([hook?.enabled, hook?.disabledReason], [false, 'gone'])

          const sent = await mails(email)
          assert.ok(sent.some(({ subject }) => subject === 'A webhook was disabled'))
          assert.ok(!JSON.stringify(sent).includes('verysecret'))
        },
      ))
  }

  it('of another format is not read: a 404 of a webhook of ours is tried again', (world) =>
    answered(world, { format: 'guildhall', answer: (response) => response.writeHead(404).end() }, async ({ id }) => {
      assert.equal((await lastOf(world, id)).state, 'pending')
    }))
})

onEveryEngine('the secret of a chat', (it) => {
  it('an address that is one is sealed, and shown as its server alone', async ({ admin, alice, db }) => {
    const url = URL_OF_SLACK
    const shown = 'https://hooks.slack.example/…'
    const created = await admin.webhooks.create({ url, format: 'slack' })
    assert.deepEqual([created.url, created.secret], [shown, null])
    const { id } = created
    await admin.webhooks.update({ id, url: `${url}2`, description: 'Other' })
    const answers = [await admin.webhooks.list({}), await admin.admin.listAudit({})]
    const rows = [
      await db.selectFrom('webhook').selectAll().execute(),
      await db.selectFrom('audit').selectAll().execute(),
    ]
    assert.ok(!JSON.stringify([answers, rows]).includes('verysecret'))
    assert.equal(answers[0]?.items.length, 1)
    await assert.rejects(admin.webhooks.rotateSecret({ id }), { status: 409 })
    await assert.rejects(alice.webhooks.list({}), { status: 403 })
  })

  it('a form that gives the shown address back changes nothing of it, and another one is sent to', (world) =>
    receiving(async (receiver) => {
      world.dependencies.reach = home
      receiver.answer = (_request, response) => response.writeHead(200).end('ok')
      const { admin, app } = world
      const { id, url } = await admin.webhooks.create({ url: `${receiver.url}/one`, format: 'slack' })
      await admin.webhooks.update({ id, url, description: 'Same' })
      const send = async () => {
        await admin.webhooks.test({ id })
        await app.sendWebhooks()
        return receiver.arrived.at(-1)?.path
      }
      assert.equal(await send(), '/hook/one')
      await admin.webhooks.update({ id, url: `${receiver.url}/two` })
      assert.equal(await send(), '/hook/two')
      await assert.rejects(admin.webhooks.update({ id, url: 'https://192.168.1.1/x' }), { status: 400 })
      assert.equal(await send(), '/hook/two')
    }))

  it('a token for Matrix is needed, sealed, and never goes to another server', async ({ admin, db }) => {
    const url = `https://matrix.example${ROOM}`
    const format = 'matrix'
    await assert.rejects(admin.webhooks.create({ url, format }), { status: 400 })
    for (const wrong of [
      'https://matrix.example/',
      `${url}/send`,
      `${url}?a=1`,
      'https://matrix.example/_matrix/client/v3/rooms/x',
    ]) {
      await assert.rejects(admin.webhooks.create({ url: wrong, format, token: TOKEN }), { status: 400 }, wrong)
    }
    await assert.rejects(admin.webhooks.create({ url: URL_OF_SLACK, format: 'slack', token: TOKEN }), { status: 400 })
    for (const token of ['', 'a b', 'a\nb', 'x'.repeat(1_001)]) {
      await assert.rejects(admin.webhooks.create({ url, format, token }), { status: 400 })
    }
    const { id, secret } = await admin.webhooks.create({ url, format, token: 'x'.repeat(1_000) })
    assert.equal(secret, null)
    await admin.webhooks.update({ id, token: TOKEN })
    await admin.webhooks.update({ id, url: `https://matrix.example/_matrix/client/v3/rooms/!other:example.com` })
    const elsewhere = `https://evil.example${ROOM}`
    await assert.rejects(admin.webhooks.update({ id, url: elsewhere }), { status: 400 })
    await admin.webhooks.update({ id, url: elsewhere, token: 'another' })
    const rows = [
      await db.selectFrom('webhook').selectAll().execute(),
      await db.selectFrom('audit').selectAll().execute(),
    ]
    assert.ok(!JSON.stringify([rows, await admin.webhooks.list({})]).includes(TOKEN))
  })
})

onEveryEngine('the template of a webhook', (it) => {
  it('names what there is and nothing else, within its length, and of a chat alone', async ({ admin }) => {
    const given = { url: URL_OF_SLACK, format: 'slack' } as const
    for (const template of [
      '{title}{author}{url}{event}{excerpt}{board}',
      'No names',
      '{',
      '}{',
      'x'.repeat(MAX_TEMPLATE),
    ]) {
      const { id, template: kept } = await admin.webhooks.create({ ...given, template })
      assert.equal(kept, template)
      await admin.webhooks.delete({ id })
    }
    const { id } = await admin.webhooks.create(given)
    for (const template of [
      '{secret}',
      '{}',
      '{ title }',
      '{title.length}',
      '{Title}',
      '{constructor}',
      '',
      'x'.repeat(MAX_TEMPLATE + 1),
    ]) {
      await assert.rejects(admin.webhooks.create({ ...given, template }), { status: 400 }, template)
      await assert.rejects(admin.webhooks.update({ id, template }), { status: 400 }, template)
      await assert.rejects(admin.webhooks.preview({ format: 'slack', template }), { status: 400 }, template)
    }
    await assert.rejects(admin.webhooks.create({ url: URL_OF_SLACK, template: '{title}' }), { status: 400 })
    assert.equal((await admin.webhooks.update({ id, template: '{title}' })).template, '{title}')
    assert.equal((await admin.webhooks.update({ id, template: null })).template, null)
    await admin.webhooks.update({ id, format: 'discord' } as never)
    assert.equal((await admin.webhooks.list({})).items[0]?.format, 'slack', 'the format stays')
  })

  it('is shown with an example before it is used, and nothing is sent', async ({ admin, alice }) => {
    const { method, body } = await admin.webhooks.preview({
      ...{ format: 'mattermost', template: '{event}\n{title} in {board}\nby {author}: {excerpt}\n{url}' },
      event: 'bug.status_changed',
    })
    const bug = `${BASE_URL}/community/bugs/01a1fb4e-bb9a-7544-87a4-2785318c8f22`
    const lines = [
      'The status of a bug was changed to resolved',
      'The digest is late in Main',
      'by mira: It comes at noon.',
    ]
    assert.deepEqual([method, JSON.parse(body)], ['POST', { text: [...lines, bug].join('\n') }])
    const gone = await admin.webhooks.preview({ format: 'mattermost', event: 'bug.deleted' })
    assert.deepEqual(JSON.parse(gone.body), { text: 'A bug was deleted or hidden: bug \\#128' })
    assert.equal((await admin.webhooks.preview({ format: 'matrix' })).method, 'PUT')
    assert.equal(JSON.parse((await admin.webhooks.preview({})).body).type, 'comment.created')
    assert.equal((await alice.itemWebhooks.preview({ format: 'teams' })).method, 'POST')
    await assert.rejects(alice.webhooks.preview({}), { status: 403 })
    await assert.rejects(alice.itemWebhooks.preview({ event: 'bug.created' } as never), { status: 400 })
  })

  it('says the board of a thing, and changes what waits', (world) =>
    receiving(async (receiver) => {
      world.dependencies.reach = home
      receiver.answer = (_request, response) => response.writeHead(200).end('ok')
      const { admin, alice, app } = world
      const given = { url: receiver.url, format: 'mattermost', template: 'Old' } as const
      const { id } = await admin.webhooks.create(given)
      await alice.bugs.create({ title: 'Crash', description: 'It stops', severity: 'high' })
      await app.deliver()
      await admin.webhooks.update({ id, template: '{board}: {title}' })
      await app.sendWebhooks()
      assert.deepEqual(JSON.parse(receiver.arrived[0]?.body ?? ''), { text: 'Main: Crash' })
    }))
})
