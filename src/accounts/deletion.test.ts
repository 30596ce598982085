// Asking for the deletion of an account: what ends at once, what is left to do, and changing one's mind.
import assert from 'node:assert/strict'
import { AGENT, oauthClient } from '../../test/oauth.ts'
import { onEveryEngine, type World } from '../../test/world.ts'

const DAY = 86_400
const password = 'alice has a password'

const refused = (status: number, code?: string) => (error: unknown) =>
  error instanceof Error && Reflect.get(error, 'status') === status && (!code || Reflect.get(error, 'code') === code)

async function signInAgain({ alice }: World): Promise<void> {
  await alice.accounts.signIn({ email: alice.email, password })
}

onEveryEngine('the deletion of an account', (it) => {
  it('needs a credential that was used within ten minutes', async ({ alice, clock }) => {
    await alice.account()
    clock.pass(601)
    await assert.rejects(alice.deletion.request({ content: 'delete' }), refused(403, 'reauthentication_required'))
    await alice.reauthentication.confirm({ password })
    clock.pass(599)
    const { eraseAt } = await alice.deletion.request({ content: 'delete' })
    const days = (Date.parse(eraseAt) - clock.now()) / 1000 / DAY
    assert.ok(days > 13.99 && days <= 14, `${days} days`)
  })

  it('ends sessions and tokens at once, and is mailed', async (world) => {
    const { alice, mails } = world
    await alice.account()
    const client = oauthClient(world)
    const scope = 'community:read offline_access'
    const tokens = await client.signIn(alice, { clientId: AGENT, scope })
    const pending = await client.authorize(alice, { clientId: AGENT, scope })
    assert.equal((await client.call(tokens.access_token)).status, 200)
    await alice.deletion.request({ content: 'anonymise' })
    assert.equal((await client.call(tokens.access_token)).status, 401)
    assert.equal((await client.refresh(AGENT, tokens.refresh_token)).error, 'invalid_grant')
    await assert.rejects(alice.sessions.list(), refused(401))
    const [mail] = (await mails(alice.email)).slice(-1)
    assert.match(mail!.subject, /will be deleted/)
    assert.match(mail!.body, /deleted user/)
    await signInAgain(world)
    await assert.rejects(client.decide(alice, pending.to!), /401/)
    assert.equal((await client.authorize(alice, { clientId: AGENT, scope })).to!.pathname, '/oauth/sign-in')
  })

  it('leaves a session that can only keep the account', async (world) => {
    const { alice, bob } = world
    const { id } = await bob.posts.create({ title: 'Hello', body: 'World' })
    await alice.deletion.request({ content: 'delete' })
    await signInAgain(world)
    const session = await alice.accounts.getSession()
    assert.ok(session?.user.deletionAt)
    await assert.rejects(alice.posts.comment({ id, body: 'Still here' }), refused(403))
    await assert.rejects(alice.sessions.list(), refused(403, 'blocked'))
    await assert.rejects(alice.deletion.request({ content: 'delete' }), refused(403, 'blocked'))
    assert.equal((await alice.posts.get({ id })).can.edit, false)
    const { deletion } = await alice.deletion.show()
    assert.deepEqual([deletion?.content, deletion?.requestedBy, deletion?.begun], ['delete', 'owner', false])
    await alice.deletion.cancel()
    await alice.posts.comment({ id, body: 'Still here' })
    assert.equal((await alice.deletion.show()).deletion, null)
    await assert.rejects(alice.deletion.cancel(), refused(409))
  })

  it('lasts 14 days, and not a second less', async (world) => {
    const { alice, app, clock, db } = world
    const { id } = await alice.account()
    const count = async () => (await db.selectFrom('user').select('id').where('id', '=', id).execute()).length
    clock.stop()
    await alice.deletion.request({ content: 'delete' })
    clock.pass(14 * DAY - 1)
    await app.work()
    assert.equal(await count(), 1)
    await signInAgain(world)
    await alice.deletion.cancel()
    clock.pass(2)
    await app.work()
    assert.equal(await count(), 1, 'kept')
    await signInAgain(world)
    await alice.deletion.request({ content: 'delete' })
    clock.pass(14 * DAY)
    await app.work()
    assert.equal(await count(), 0)
  })

  it('is not made by a clock that jumps ahead', async ({ alice, app, clock, db }) => {
    const { id } = await alice.account()
    await alice.deletion.request({ content: 'delete' })
    await app.work()
    clock.jump(15 * DAY)
    await app.work()
    assert.equal((await db.selectFrom('user').select('id').where('id', '=', id).execute()).length, 1)
  })

  it('is refused to the last admin, also where two leave at once', async (world) => {
    const { admin, db } = world
    await admin.account()
    await assert.rejects(admin.deletion.request({ content: 'delete' }), refused(409))
    const { id } = await world.alice.account()
    await admin.admin.setRole({ id, role: 'admin' })
    const both = await Promise.allSettled([
      admin.deletion.request({ content: 'delete' }),
      world.alice.deletion.request({ content: 'delete' }),
    ])
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const staying = db.selectFrom('user').select('id').where('role', '=', 'admin').where('deletionAt', 'is', null)
    assert.equal((await staying.execute()).length, 1)
  })
})

onEveryEngine('an admin', (it) => {
  it('deletes an account with a reason, which only an admin takes back', async (world) => {
    const { alice, bob, moderator, admin, mails } = world
    const { id } = await alice.account()
    for (const person of [bob, moderator]) {
      await assert.rejects(person.admin.deleteUser({ id, content: 'delete', reason: 'Spam' }), refused(403))
    }
    await assert.rejects(admin.admin.deleteUser({ id, content: 'delete', reason: ' ' }), refused(400))
    await assert.rejects(admin.admin.deleteUser({ id: 'none', content: 'delete', reason: 'Spam' }), refused(404))
    const own = (await admin.account()).id
    await assert.rejects(admin.admin.deleteUser({ id: own, content: 'delete', reason: 'Me' }), refused(409))
    await admin.admin.deleteUser({ id, content: 'delete', reason: 'Spam, again and again' })
    await assert.rejects(admin.admin.deleteUser({ id, content: 'delete', reason: 'Spam' }), refused(409))
    assert.match((await mails(alice.email)).at(-1)!.body, /Spam, again and again/)
    await signInAgain(world)
    assert.equal((await alice.deletion.show()).deletion?.reason, 'Spam, again and again')
    await assert.rejects(alice.deletion.cancel(), refused(403))
    const { users } = await admin.admin.listUsers({ q: alice.email })
    assert.ok(users[0]?.deletionAt)
    await admin.admin.keepUser({ id })
    assert.equal((await alice.deletion.show()).deletion, null)
    await assert.rejects(admin.admin.keepUser({ id }), refused(409))
    const { items } = await admin.admin.listAudit({ targetId: id })
    const actions = items.map(({ action, reason }) => [action, reason])
    assert.deepEqual(actions, [
      ['account.cancel-deletion', null],
      ['account.request-deletion', 'Spam, again and again'],
    ])
  })
})
