// Passwords: resetting and changing them.
import assert from 'node:assert/strict'
import { oauthClient } from '../../test/oauth.ts'
import { onEveryEngine, type Person, type World } from '../../test/world.ts'

const NEW = 'an entirely new password'

async function codeFor({ anonymous, code }: World, email: string): Promise<string> {
  await anonymous.accounts.forgotPassword({ email })
  return code(email)
}

const isSignedIn = async (person: Person) => (await person.accounts.getSession()) !== null

onEveryEngine('a forgotten password', (it) => {
  it('is replaced with a mailed code, and ends all that was signed in before', async (world) => {
    const { alice, anonymous } = world
    const { email, id } = await alice.account()
    const client = oauthClient(world)
    const tokens = await client.signIn(alice, { clientId: 'monoagent', scope: 'community:read offline_access' })
    const code = await codeFor(world, email)
    const { user } = await anonymous.accounts.resetPassword({ email, code, password: NEW })
    assert.equal(user.id, id)
    assert.equal(user.emailVerified, true)
    assert.equal(await isSignedIn(alice), false)
    assert.equal((await client.refresh('monoagent', tokens.refresh_token)).error, 'invalid_grant')
    assert.equal((await client.call(tokens.access_token)).status, 401)
    await assert.rejects(anonymous.accounts.signIn({ email, password: 'alice has a password' }), { status: 401 })
    assert.equal((await anonymous.accounts.signIn({ email, password: NEW })).user.id, id)
  })

  it('takes the newest code once, within ten minutes and five tries, and no code of another kind', async (world) => {
    const { alice, anonymous, clock } = world
    const { email } = await alice.account()
    const reset = (code: string) => anonymous.accounts.resetPassword({ email, code, password: NEW })
    const first = await codeFor(world, email)
    const second = await codeFor(world, email)
    if (first !== second) await assert.rejects(reset(first), { status: 401 })
    await reset(second)
    await assert.rejects(reset(second), { status: 401 }, 'used')
    const late = await codeFor(world, email)
    clock.pass(601)
    await assert.rejects(reset(late), { status: 401 }, 'late')
    const tried = await codeFor(world, email)
    for (let n = 0; n < 5; n++) await assert.rejects(reset(`wrong-${n}`), { status: 401 })
    await assert.rejects(reset(tried), { status: 401 }, 'tried too often')
    await anonymous.accounts.sendCode({ email })
    await assert.rejects(reset(await world.code(email)), { status: 401 }, 'a sign-in code')
  })

  it('does not reveal which addresses have an account', async ({ alice, anonymous, mails }) => {
    const { email } = await alice.account()
    const { requestId, ...known } = await anonymous.accounts.forgotPassword({ email })
    const { requestId: other, ...unknown } = await anonymous.accounts.forgotPassword({ email: 'nobody@example.com' })
    assert.deepEqual(known, unknown)
    assert.equal(requestId.length, other.length)
    const codes = (await mails(email)).filter(({ subject }) => subject === 'Reset your password')
    assert.equal((await mails('nobody@example.com')).length, codes.length)
  })

  it('does not let a blocked account in', async (world) => {
    const { blocked, anonymous } = world
    const { email } = await blocked.account()
    const code = await codeFor(world, email)
    await assert.rejects(anonymous.accounts.resetPassword({ email, code, password: NEW }), { status: 403 })
    const [user] = await world.db.selectFrom('user').select('passwordHash').where('email', '=', email).execute()
    await assert.rejects(anonymous.accounts.signIn({ email, password: NEW }), { status: 401 })
    assert.ok(user!.passwordHash)
  })

  it('must be of 8 to 128 characters, and only then uses the code up', async (world) => {
    const { email } = await world.alice.account()
    const code = await codeFor(world, email)
    const reset = (password: string) => world.anonymous.accounts.resetPassword({ email, code, password })
    for (const length of [7, 129]) await assert.rejects(reset('x'.repeat(length)), { status: 400 })
    await reset('x'.repeat(128))
  })
})

onEveryEngine('a password', (it) => {
  it('is changed with the current one, and ends the other sessions', async (world) => {
    const { alice, anonymous, db } = world
    const { email, id } = await alice.account()
    await anonymous.accounts.signIn({ email, password: 'alice has a password' })
    const change = (password: string) => alice.accounts.changePassword({ password, newPassword: NEW })
    await assert.rejects(change('not the password'), { status: 401 })
    const before = await db.selectFrom('session').selectAll().where('userId', '=', id).execute()
    assert.equal(before.length, 2)
    await change('alice has a password')
    assert.ok(await isSignedIn(alice), 'here it goes on')
    const after = await db.selectFrom('session').selectAll().where('userId', '=', id).execute()
    assert.equal(after.length, 1)
    assert.ok(!before.some((session) => session.id === after[0]!.id))
    assert.equal((await anonymous.accounts.signIn({ email, password: NEW })).user.id, id)
    const acts = await db.selectFrom('audit').select('action').where('targetId', '=', id).execute()
    assert.ok(acts.some(({ action }) => action === 'password.change'))
    assert.ok(!JSON.stringify(await db.selectFrom('audit').selectAll().execute()).includes(NEW))
  })

  it('is changed on a page that was open over night, and the new session is the one that stays', async ({
    alice,
    clock,
  }) => {
    await alice.account()
    clock.pass(2 * 86_400)
    const response = await alice.request('/api/auth/change-password', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ password: 'alice has a password', newPassword: NEW }),
    })
    const set = response.headers.getSetCookie().map((line) => line.split('=')[0])
    assert.deepEqual(set, ['guildhall_session', 'guildhall_browser'])
    assert.ok(await isSignedIn(alice))
  })
})
