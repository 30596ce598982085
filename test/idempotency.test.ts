// Writes that are sent more than once with an idempotency key: they are made once, and every answer is that of the first time.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { z } from 'zod'
import { api } from '../src/api.ts'
import { KEY_LIMITS } from '../src/budgets/keys.ts'
import { type Contract, isRepeatable } from '../src/contract/operation.ts'
import { unsealAnswer } from '../src/request/idempotency.ts'
import { workflowFile } from './library.ts'
import { AGENT, bearing, oauthClient } from './oauth.ts'
import { onEveryEngine, type Person, type World } from './world.ts'

const DAY = 86_400
const bug = (title = 'Crash') => ({ title, description: 'On start', severity: 'high' })

function send(
  person: Pick<Person, 'request'>,
  key: string | undefined,
  body: unknown = bug(),
  path = '/api/community/bugs',
) {
  return person.request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(key !== undefined && { 'Idempotency-Key': key }) },
    body: JSON.stringify(body),
  })
}

const bugsIn = async ({ db }: World) => (await db.selectFrom('bug').select('id').execute()).length
const keysIn = async ({ db }: World) => (await db.selectFrom('idempotencyKey').select('hash').execute()).length

const schemaText = (output: z.ZodType) =>
  JSON.stringify(z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }))

const said = async (response: Response) => ({ status: response.status, body: await response.text() })

onEveryEngine('an idempotency key', (it) => {
  it('makes a write once, and gives twenty requests at once the same bytes', async (world) => {
    await world.alice.account()
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => said(await send(world.alice, '"8e03978e-40d5-43dd"'))),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(answers.map(({ body }) => body)).size, 1)
    assert.deepEqual([await bugsIn(world), await keysIn(world)], [1, 1])
    // The quotes of the header's syntax are no part of the key.
    const again = await send(world.alice, '8e03978e-40d5-43dd')
    assert.deepEqual([again.headers.get('idempotency-replayed'), await again.text()], ['true', answers[0]?.body])
    assert.equal((await send(world.alice, undefined)).headers.get('idempotency-replayed'), null)
  })

  it('is refused for another body and another operation, and both are not made', async (world) => {
    const { alice } = world
    assert.equal((await send(alice, 'k')).status, 201)
    const other = await send(alice, 'k', bug('Other'))
    assert.deepEqual(await said(other), {
      status: 422,
      body: JSON.stringify({ error: 'This Idempotency-Key was used for another request; send a new one' }),
    })
    assert.equal((await send(alice, 'k', { title: 'T', body: 'B' }, '/api/community/posts')).status, 422)
    assert.equal((await send(alice, 'k', bug(), '/api/community/bugs?x=1')).status, 422)
    assert.equal(await bugsIn(world), 1)
    assert.deepEqual((await world.anonymous.posts.list({})).items, [])
  })

  it('is one of its account, and of its client', async (world) => {
    const { alice, bob } = world
    const client = oauthClient(world)
    const scope = 'community:write'
    const byAgent = bearing(world, (await client.signIn(alice, { clientId: AGENT, scope })).access_token)
    const other = { clientId: await client.register(), scope }
    const byOther = bearing(world, (await client.signIn(alice, other)).access_token)
    const ids = []
    for (const who of [alice, bob, byAgent, byOther]) {
      const first = await send(who, 'k')
      assert.equal(first.status, 201)
      const answer = await first.text()
      assert.equal(await (await send(who, 'k')).text(), answer)
      ids.push(JSON.parse(answer).id)
    }
    assert.deepEqual([new Set(ids).size, await bugsIn(world)], [4, 4])
  })

  it('lasts a day by the clock, and is cleaned up', async (world) => {
    const { alice, clock, app } = world
    clock.stop()
    const first = await (await send(alice, 'k')).text()
    clock.pass(DAY - 1)
    await app.cleanUp()
    assert.equal(await (await send(alice, 'k')).text(), first)
    clock.pass(1)
    assert.notEqual(await (await send(alice, 'k')).text(), first)
    assert.deepEqual([await bugsIn(world), await keysIn(world)], [2, 1])
    clock.pass(DAY)
    await app.cleanUp()
    assert.equal(await keysIn(world), 0)
  })

  it('is free again after a refusal that decided nothing', async (world) => {
    const { alice, bob } = world
    const { id } = await alice.bugs.create({ title: 'T', description: 'D', severity: 'low' })
    const vote = (value: number) => send(bob, 'k', { value }, `/api/community/bugs/${id}/vote`)
    assert.equal((await vote(7)).status, 400)
    assert.equal((await send(bob, 'k', { name: 'x' }, '/api/community/labels')).status, 403)
    assert.equal(await keysIn(world), 0)
    assert.equal((await vote(1)).status, 200)
    await alice.profile.setUsername({ username: 'taken' })
    const username = (name: string) => send(bob, 'u', { username: name }, '/api/community/username')
    assert.equal((await username('taken')).status, 400)
    assert.equal((await username('free')).status, 200)
    assert.equal((await username('free')).headers.get('idempotency-replayed'), 'true')
  })

  it('has at most 128 visible characters', async (world) => {
    const { alice } = world
    for (const wrong of ['', '""', 'a b', 'a,b', 'a"b', 'ü', 'x'.repeat(129), `"${'x'.repeat(129)}"`]) {
      assert.equal((await send(alice, wrong)).status, 400, wrong)
    }
    assert.equal((await send(alice, 'x'.repeat(128))).status, 201)
    assert.equal((await send(alice, `"${'y'.repeat(128)}"`)).status, 201)
    assert.equal(await bugsIn(world), 2)
  })

  it('covers uploads, whatever the boundary, and tells apart files, names and fields', async (world) => {
    const { alice, db } = world
    const upload = async (file: File, more: Record<string, string> = {}) => {
      const body = new FormData()
      for (const [name, value] of Object.entries({ kind: 'workflow', visibility: 'private', ...more }))
        body.append(name, value)
      body.append('file', file)
      const answer = await alice.request('/api/library/items', {
        method: 'POST',
        headers: { 'Idempotency-Key': 'up' },
        body,
      })
      return said(answer)
    }
    const [first = { status: 0, body: '' }, ...others] = await Promise.all(
      Array.from({ length: 4 }, () => upload(workflowFile())),
    )
    assert.equal(first.status, 201, first.body)
    for (const other of others) assert.deepEqual(other, first)
    assert.deepEqual(await upload(workflowFile()), first)
    assert.equal((await upload(workflowFile({ name: 'Other' }))).status, 422)
    assert.equal((await upload(workflowFile(), { description: 'New' })).status, 422)
    assert.equal((await upload(new File([await workflowFile().text()], 'other.json'))).status, 422)
    assert.equal((await db.selectFrom('libraryItem').select('id').execute()).length, 1)
  })

  it('keeps no secret in clear', async (world) => {
    const { admin, db } = world
    await admin.account()
    const hook = () => send(admin, 'k', { url: 'https://example.com/hook' }, '/api/community/admin/webhooks')
    const first = await said(await hook())
    const { secret } = JSON.parse(first.body) as { secret: string }
    const [kept] = await db.selectFrom('idempotencyKey').selectAll().execute()
    assert.ok(secret.length > 20 && !JSON.stringify(kept).includes(secret) && !JSON.stringify(kept).includes('k\n'))
  })

  it('shows once what is shown once, and makes it once', async (world) => {
    const { alice, admin, db } = world
    await Promise.all([alice.account(), admin.account()])
    const token = { name: 'Nightly', scopes: ['community:read'] }
    const tries = [
      () => send(alice, 'once', token, '/api/account/tokens'),
      () => send(admin, 'once', { url: 'https://example.com/hook' }, '/api/community/admin/webhooks'),
    ]
    for (const make of tries) {
      const answers = await Promise.all([make(), make(), make()])
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409])
      const [made] = await Promise.all(answers.filter(({ status }) => status === 201).map(said))
      const again = await make()
      assert.equal(again.status, 409)
      assert.match(await again.text(), /shown once/)
      const values = Object.entries(JSON.parse(made!.body) as Record<string, string>)
      const [, secret] = values.find(([name]) => name === 'token' || name === 'secret')!
      const kept = await db.selectFrom('idempotencyKey').select('answer').execute()
      const opened = await Promise.all(kept.map(({ answer }) => unsealAnswer(world.dependencies.secretFor, answer!)))
      assert.ok(!JSON.stringify(opened).includes(secret), 'it is not kept at all')
    }
    assert.equal((await db.selectFrom('personalToken').select('id').execute()).length, 1)
    assert.equal((await send(alice, 'once', { ...token, name: 'Other' }, '/api/account/tokens')).status, 422)
    assert.equal((await send(alice, 'twice', token, '/api/account/tokens')).status, 201)
  })

  it('knows of every operation whose answer has a secret', () => {
    const secret = /"(?:token|secret|password|privateKey)":/
    const contracts: Record<string, Contract> = api
    const forgotten = Object.entries(contracts).flatMap(([slice, contract]) =>
      Object.entries(contract)
        .filter(([, operation]) => isRepeatable(operation) && !operation.shownOnce)
        .filter(([, { output }]) => secret.test(schemaText(output)))
        .map(([verb]) => `${slice}.${verb}`),
    )
    assert.deepEqual(forgotten, [])
    return Promise.resolve()
  })

  it('goes with its account', async (world) => {
    const { alice, db } = world
    await send(alice, 'k')
    const { id } = await alice.account()
    assert.deepEqual(await db.selectFrom('idempotencyKey').select('accountId').execute(), [{ accountId: id }])
    await db.deleteFrom('bug').execute()
    await db.deleteFrom('user').where('id', '=', id).execute()
    assert.equal(await keysIn(world), 0)
  })

  it('does nothing where a password or a code is tried', async (world) => {
    const { alice, anonymous } = world
    await alice.account()
    const signIn = (headers: Record<string, string>) =>
      anonymous.request('/api/auth/sign-in/email', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ email: alice.email, password: 'alice has a password' }),
      })
    const cookies = []
    for (let time = 0; time < 2; time++)
      cookies.push((await signIn({ 'Idempotency-Key': 'k' })).headers.get('set-cookie'))
    assert.equal(new Set(cookies).size, 2)
    assert.equal(await keysIn(world), 0)
    const dry = await signIn({ Prefer: 'handling=dry-run' })
    assert.deepEqual([dry.status, dry.headers.get('set-cookie')], [400, null])
  })

  it('is of a network for who has no account', async (world) => {
    const { alice, anonymous, db, mails } = world
    await alice.account()
    const before = (await mails(alice.email)).length
    const code = () => send(anonymous, 'k', { email: alice.email }, '/api/auth/sign-in/code')
    assert.deepEqual(await said(await code()), await said(await code()))
    assert.equal((await mails(alice.email)).length, before + 1)
    assert.deepEqual(await db.selectFrom('idempotencyKey').select('accountId').execute(), [{ accountId: null }])
  })
})

onEveryEngine(
  'the budget of idempotency keys',
  (it) => {
    for (const [what, most] of [
      ['count', KEY_LIMITS.keys],
      ['bytes', KEY_LIMITS.bytes],
    ] as const) {
      it(`allows ${most} (${what}) in a day, and writes nothing beyond`, async (world) => {
        const { alice, db, clock } = world
        clock.stop()
        assert.equal((await send(alice, 'first')).status, 201)
        const [counter] = await db.selectFrom('rateLimit').selectAll().where('key', 'like', `keys:${what}:%`).execute()
        const step = counter?.count ?? 0
        assert.ok(step > 0)
        await db
          .updateTable('rateLimit')
          .set({ count: most - step })
          .where('key', '=', counter?.key ?? '')
          .execute()
        assert.equal((await send(alice, 'nth', bug())).status, 201)
        const refused = await send(alice, 'beyond', bug())
        assert.deepEqual([refused.status, Number(refused.headers.get('retry-after')) > DAY - 10], [429, true])
        assert.deepEqual([await bugsIn(world), await keysIn(world)], [2, 2])
        assert.equal((await send(alice, undefined)).status, 201)
        clock.pass(DAY)
        assert.equal((await send(alice, 'beyond')).status, 201)
      })
    }

    it('is not needed to get an answer again', async (world) => {
      const { alice, db } = world
      const first = await said(await send(alice, 'k'))
      await db.updateTable('rateLimit').set({ count: sql`count + 100000000` }).execute()
      assert.equal((await send(alice, 'other')).status, 429)
      assert.deepEqual(await said(await send(alice, 'k')), first)
    })
  },
  { RATE_LIMITS: 'on' },
)
