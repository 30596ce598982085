// Credentials can be changed only within ten minutes after one was used.
import assert from 'node:assert/strict'
import { Authenticator } from '../../test/authenticator.ts'
import { register, rejection } from '../../test/passkeys.ts'
import { newBrowser } from '../../test/visitors.ts'
import { onEveryEngine, type Person, type World } from '../../test/world.ts'

const PASSWORD = 'alice has a password'
const NEW = 'an entirely new password'

const problem = async (person: Person, path: string, body: object = {}) => {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const response = await person.request(`/api/auth${path}`, init)
  return [response.status, ((await response.json()) as { code?: string }).code]
}
const REQUIRED = [403, 'reauthentication_required']

/** A member who came in by a mailed code, and has no password. */
async function withoutPassword(world: World): Promise<{ person: Person; email: string }> {
  const person = newBrowser(world)
  const email = 'dora@example.com'
  await person.accounts.sendCode({ email })
  await person.accounts.signInWithCode({ email, code: await world.code(email) })
  return { person, email }
}

onEveryEngine('after ten minutes', (it) => {
  it('a passkey is added only with a credential used again: a password', async ({ alice, clock }) => {
    await alice.account()
    await register(alice, new Authenticator())
    clock.pass(540)
    await alice.passkeys.beginRegistration({})
    clock.pass(61)
    assert.deepEqual(await problem(alice, '/passkeys/options'), REQUIRED)
    assert.equal((await alice.reauthentication.show()).until, null)
    assert.equal((await rejection(alice.reauthentication.confirm({ password: 'wrong' }))).status, 401)
    assert.deepEqual(await problem(alice, '/passkeys/options'), REQUIRED)
    const { until } = await alice.reauthentication.confirm({ password: PASSWORD })
    assert.ok(Math.abs(Date.parse(until) - clock.now() - 600_000) < 60_000)
    assert.deepEqual(await alice.reauthentication.show(), { until, password: true, passkeys: 1 })
    await register(alice, new Authenticator())
  })

  it('a mailed code does, once, and verifies the address', async (world) => {
    const { alice, clock } = world
    const { email } = await alice.account()
    clock.pass(601)
    await alice.reauthentication.sendCode({})
    const code = await world.code(email)
    assert.equal((await rejection(alice.reauthentication.confirm({ code: `${code}1` }))).status, 401)
    const outcomes = await Promise.allSettled([
      alice.reauthentication.confirm({ code }),
      alice.reauthentication.confirm({ code }),
    ])
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    await register(alice, new Authenticator())
    assert.equal((await alice.accounts.getSession())!.user.emailVerified, true)
  })

  it('codes for other purposes do not, nor does a code of another account', async (world) => {
    const { alice, bob, clock, anonymous } = world
    const { email } = await alice.account()
    await bob.account()
    clock.pass(601)
    await anonymous.accounts.sendCode({ email })
    const signInCode = await world.code(email)
    assert.equal((await rejection(alice.reauthentication.confirm({ code: signInCode }))).status, 401)
    await bob.reauthentication.sendCode({})
    const ofBob = await world.code(bob.email)
    assert.equal((await rejection(alice.reauthentication.confirm({ code: ofBob }))).status, 401)
    assert.equal((await rejection(alice.reauthentication.confirm({}))).status, 400)
  })

  it('a passkey does, with a challenge of its own, and only of the same account', async (world) => {
    const { alice, bob, clock } = world
    const [own, foreign] = [new Authenticator(), new Authenticator()]
    await register(alice, own)
    await register(bob, foreign)
    clock.pass(601)
    const forSignIn = await alice.passkeys.beginSignIn({})
    const wrong = alice.reauthentication.confirmWithPasskey({ response: own.get(forSignIn) })
    assert.equal((await rejection(wrong)).status, 401)
    const asked = await alice.reauthentication.beginPasskey({})
    const stolen = alice.reauthentication.confirmWithPasskey({ response: foreign.get(asked) })
    assert.equal((await rejection(stolen)).status, 401)
    assert.deepEqual(await problem(alice, '/passkeys/options'), REQUIRED)
    const response = own.get(await alice.reauthentication.beginPasskey({}))
    await alice.reauthentication.confirmWithPasskey({ response })
    assert.equal((await rejection(alice.reauthentication.confirmWithPasskey({ response }))).status, 401)
    await register(alice, new Authenticator())
  })

  it('a passkey that was begun in time may still be added', async ({ alice, clock }) => {
    await alice.account()
    clock.pass(540)
    const options = await alice.passkeys.beginRegistration({})
    clock.pass(200)
    await alice.passkeys.register({ response: new Authenticator().create(options) })
  })

  it('a password is set without the current one only with a credential used again', async (world) => {
    const { person, email } = await withoutPassword(world)
    assert.equal((await person.reauthentication.show()).password, false)
    world.clock.pass(601)
    assert.deepEqual(await problem(person, '/change-password', { newPassword: NEW }), REQUIRED)
    await person.reauthentication.sendCode({})
    await person.reauthentication.confirm({ code: await world.code(email) })
    await person.accounts.changePassword({ newPassword: NEW })
    await world.anonymous.accounts.signIn({ email, password: NEW })
  })

  it('a password is changed with the current one, which is a credential used now', async ({ alice, clock }) => {
    await alice.account()
    clock.pass(86_000)
    assert.deepEqual(await problem(alice, '/change-password', { newPassword: NEW }), REQUIRED)
    await alice.accounts.changePassword({ password: PASSWORD, newPassword: NEW })
  })

  it('what one browser confirmed does not hold in another', async (world) => {
    const { alice, clock } = world
    const { email } = await alice.account()
    const other = newBrowser(world)
    await other.accounts.signIn({ email, password: PASSWORD })
    clock.pass(601)
    await alice.reauthentication.confirm({ password: PASSWORD })
    assert.deepEqual(await problem(other, '/passkeys/options'), REQUIRED)
    await other.accounts.signOut()
    assert.deepEqual(await problem(other, '/reauthenticate', { password: PASSWORD }), [401, 'unauthorized'])
  })
})

onEveryEngine(
  'confirming with a password',
  (it) => {
    it('counts wrong ones as signing in does', async ({ alice }) => {
      await alice.account()
      for (let index = 0; index < 10; index++) {
        assert.equal((await rejection(alice.reauthentication.confirm({ password: 'wrong' }))).status, 401)
      }
      assert.equal((await rejection(alice.reauthentication.confirm({ password: PASSWORD }))).status, 429)
    })
  },
  { RATE_LIMITS: 'on' },
)
