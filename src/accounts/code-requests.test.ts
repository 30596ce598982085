// A mailed code belongs to the browser that asked for it: strangers neither end it by wrong tries nor keep the owner from one.
import assert from 'node:assert/strict'
import { oauthClient } from '../../test/oauth.ts'
import { prove, rejection } from '../../test/passkeys.ts'
import { newBrowser } from '../../test/visitors.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { CODE_FAILURES, OTHERS_FAILURES } from '../identity/rules.ts'

/** A request to the API from a network address, without cookies. */
async function from({ app, dependencies }: World, address: string, path: string, body: object): Promise<Response> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  return app.fetch(new Request(`${dependencies.config.baseUrl}/api/auth${path}`, init), { address })
}

const network = (n: number) => `10.${n >> 8}.${n & 255}.1`
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** A browser that asked for a sign-in code, and the code. */
async function asked(world: World, email: string) {
  const browser = newBrowser(world)
  const { requestId } = await browser.accounts.sendCode({ email })
  return { browser, requestId, code: await world.code(email) }
}

const verify = async (world: World, address: string, body: object) =>
  (await from(world, address, '/sign-in/code/verify', body)).status

onEveryEngine('a mailed code', (it) => {
  it('works for who asked after all wrong tries of others, and for others no more', async (world) => {
    const email = 'mira@example.com'
    const { browser, code } = await asked(world, email)
    let count = 0
    for (let n = 0; count < OTHERS_FAILURES; n++)
      for (let own = 0; own < CODE_FAILURES; own++, count++)
        assert.equal(await verify(world, network(n), { email, code: wrong(code) }), 401)
    assert.equal(await verify(world, network(900), { email, code }), 401, 'another network')
    assert.equal((await browser.accounts.signInWithCode({ email, code })).user.email, email)
  })

  it('takes five wrong tries of a network that did not ask, and the right one from another', async (world) => {
    const email = 'mira@example.com'
    const { code } = await asked(world, email)
    for (let own = 0; own < CODE_FAILURES - 1; own++) await verify(world, network(1), { email, code: wrong(code) })
    assert.equal(await verify(world, network(1), { email, code }), 200, 'the fifth try')
    const next = await asked(world, email)
    for (let own = 0; own < CODE_FAILURES; own++) await verify(world, network(1), { email, code: wrong(next.code) })
    assert.equal(await verify(world, network(1), { email, code: next.code }), 401, 'the sixth try')
    assert.equal(await verify(world, network(2), { email, code: next.code }), 200, 'a program elsewhere')
  })

  it('counts tries of others that come at once', async (world) => {
    const email = 'mira@example.com'
    const { code } = await asked(world, email)
    await Promise.all(Array.from({ length: 20 }, () => verify(world, network(1), { email, code: wrong(code) })))
    const { othersTries, failures } = await world.db
      .selectFrom('emailCode')
      .select(['othersTries', 'failures'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    assert.deepEqual([JSON.parse(othersTries!), failures], [{ '10.0.1': CODE_FAILURES }, 0])
  })

  it('ends after five wrong tries of the browser itself', async (world) => {
    const email = 'mira@example.com'
    const { browser, code } = await asked(world, email)
    for (let own = 0; own < CODE_FAILURES; own++)
      assert.equal((await rejection(browser.accounts.signInWithCode({ email, code: wrong(code) }))).status, 401)
    assert.equal((await rejection(browser.accounts.signInWithCode({ email, code }))).status, 401)
  })

  it('is known by the id of the answer where there are no cookies', async (world) => {
    const email = 'mira@example.com'
    const { requestId, code } = await asked(world, email)
    for (let own = 0; own < CODE_FAILURES; own++) await verify(world, network(1), { email, code: wrong(code) })
    assert.equal(await verify(world, network(1), { email, code, requestId: 'short' }), 400)
    assert.equal(await verify(world, network(1), { email, code, requestId: 'x'.repeat(43) }), 401, 'another id')
    assert.equal(await verify(world, network(1), { email, code, requestId }), 200)
  })

  it('is not ended by one that others ask for later', async (world) => {
    const email = 'mira@example.com'
    const { browser, code } = await asked(world, email)
    await world.anonymous.accounts.sendCode({ email })
    await browser.accounts.signInWithCode({ email, code })
  })

  it('is one of a browser for both purposes, and the newest of it', async (world) => {
    const email = 'mira@example.com'
    const first = await asked(world, email)
    const { requestId } = await first.browser.accounts.forgotPassword({ email })
    assert.equal(requestId, first.requestId)
    const reset = await world.code(email)
    await first.browser.accounts.sendCode({ email })
    const second = await world.code(email)
    if (second !== first.code) {
      const old = first.browser.accounts.signInWithCode({ email, code: first.code })
      assert.equal((await rejection(old)).status, 401)
    }
    await first.browser.accounts.resetPassword({ email, code: reset, password: 'the looms are singing' })
  })

  it('says nothing of the account where it is wrong: a password that is its name gets the same answer', async (world) => {
    const { email } = await world.alice.account()
    await world.alice.profile.update({ name: 'Alice Weaver-Smith' })
    const password = 'Alice Weaver-Smith'
    const answer = async (of: string) => {
      const response = await from(world, network(1), '/reset-password', { email: of, code: '000000', password })
      return [response.status, await response.text()]
    }
    assert.deepEqual(await answer(email), await answer('unknown@example.com'))
    await world.anonymous.accounts.forgotPassword({ email })
    const code = await world.code(email)
    const given = { email, code, password }
    assert.equal((await rejection(world.anonymous.accounts.resetPassword(given))).status, 400)
    await world.anonymous.accounts.resetPassword({ ...given, password: 'the looms are singing' })
  })

  it('has a cookie for ten minutes that no script reads', async (world) => {
    const response = await from(world, network(1), '/sign-in/code', { email: 'mira@example.com' })
    const { requestId } = (await response.json()) as { requestId: string }
    assert.deepEqual(response.headers.getSetCookie(), [
      `guildhall_code=${requestId}; Path=/; Max-Age=600; HttpOnly; SameSite=Lax`,
    ])
  })
})

onEveryEngine(
  'requests for codes by strangers',
  (it) => {
    const strangers = async (world: World, email: string) => {
      for (let n = 0; n < 5; n++) {
        const { status } = await from(world, network(n), n % 2 ? '/forgot-password' : '/sign-in/code', { email })
        assert.equal(status, 200)
      }
      const sixth = await from(world, network(5), '/sign-in/code', { email })
      assert.equal(sixth.status, 429, 'a new network')
    }

    it('do not stop a new browser in a network from which the account signed in', async (world) => {
      const { email } = await world.alice.account()
      await prove(world, world.alice)
      world.clock.pass(3601)
      await strangers(world, email)
      const owner = newBrowser(world)
      await owner.accounts.sendCode({ email })
      await owner.accounts.signInWithCode({ email, code: await world.code(email) })
      await owner.accounts.forgotPassword({ email })
      const client = oauthClient(world)
      assert.equal((await client.claim(email, 'community:read')).status, 200)
    })

    it('leave that network five an hour', async (world) => {
      const { email } = await world.alice.account()
      await prove(world, world.alice)
      world.clock.pass(3601)
      await strangers(world, email)
      for (let n = 0; n < 5; n++) assert.equal((await from(world, '127.0.0.1', '/sign-in/code', { email })).status, 200)
      assert.equal((await from(world, '127.0.0.1', '/sign-in/code', { email })).status, 429)
      await world.alice.accounts.sendCode({ email })
    })

    it('stop the network of an account that is not verified: it may be of another person', async (world) => {
      const { email } = await world.alice.account()
      world.clock.pass(3601)
      await strangers(world, email)
      assert.equal((await from(world, '127.0.0.1', '/sign-in/code', { email })).status, 429)
    })

    it('are counted by network when they are tried', async (world) => {
      const email = 'mira@example.com'
      assert.equal(await verify(world, '10.9.9.1', { email, code: '000000' }), 401)
      await world.db.updateTable('rateLimit').set({ count: 599 }).where('key', '=', 'sign-in:network:10.9.9').execute()
      assert.equal(await verify(world, '10.9.9.2', { email, code: '000000' }), 401)
      const reset = { email, code: '000000', password: 'the looms are singing' }
      assert.equal((await from(world, '10.9.9.3', '/reset-password', reset)).status, 429)
      assert.equal((await from(world, '10.9.8.3', '/reset-password', reset)).status, 401)
    })
  },
  { RATE_LIMITS: 'on' },
)

onEveryEngine('the networks of an account', (it) => {
  it('are kept as a keyed hash, for 90 days, and go with a new password', async (world) => {
    const { alice, db, clock, app } = world
    const { id } = await alice.account()
    const kept = () => db.selectFrom('knownNetwork').selectAll().where('userId', '=', id).execute()
    const [first, ...more] = await kept()
    assert.deepEqual(more, [])
    assert.match(first!.networkHash, /^[\w-]{43}$/)
    await from(world, '10.1.1.1', '/sign-in/email', { email: alice.email, password: 'alice has a password' })
    assert.equal((await kept()).length, 2)
    await alice.accounts.changePassword({ password: 'alice has a password', newPassword: 'alice has another' })
    assert.equal((await kept()).length, 1)
    clock.pass(90 * 86_400 + 60)
    await app.cleanUp()
    assert.deepEqual(await kept(), [])
  })
})
