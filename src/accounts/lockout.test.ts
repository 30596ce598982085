// Limits on guessing count for an account and a network: one person cannot lock another one out.
import assert from 'node:assert/strict'
import { prove, rejection } from '../../test/passkeys.ts'
import { signedInBrowser } from '../../test/visitors.ts'
import { onEveryEngine, type World } from '../../test/world.ts'

const PASSWORD = 'alice has a password'

/** A request to the API from a network address. */
async function from({ app, dependencies }: World, address: string, path: string, body: object): Promise<Response> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  return app.fetch(new Request(`${dependencies.config.baseUrl}/api/auth${path}`, init), { address })
}

const tries = async (count: number, attempt: (index: number) => Promise<Response>) => {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push((await attempt(index)).status)
  return [...new Set(statuses)]
}

onEveryEngine(
  'guessing',
  (it) => {
    it('is stopped after ten wrong passwords in 15 minutes from one network, and only there', async (world) => {
      const { email } = await world.alice.account()
      const guess = (address: string, password = 'a wrong password') =>
        from(world, address, '/sign-in/email', { email, password })
      assert.deepEqual(await tries(10, (index) => guess(`198.51.100.${index}`)), [401])
      const stopped = await guess('198.51.100.77', PASSWORD)
      assert.equal(stopped.status, 429)
      assert.ok(Number(stopped.headers.get('retry-after')) <= 900)
      assert.equal((await guess('198.51.101.1', PASSWORD)).status, 200, 'the owner, from elsewhere')
      assert.deepEqual(await tries(10, (index) => guess(`2001:db8:1:${index}::1`)), [401])
      assert.equal((await guess('2001:db8:1:ffff::2', PASSWORD)).status, 429)
      assert.equal((await guess('2001:db8:2::1', PASSWORD)).status, 200)
      world.clock.pass(901)
      assert.equal((await guess('198.51.100.77', PASSWORD)).status, 200)
    })

    it('is stopped after 600 wrong passwords on any accounts from one network, for any addresses', async (world) => {
      const guess = (address: string, n: number) =>
        from(world, address, '/sign-in/email', { email: `nobody${n}@example.com`, password: 'a wrong password' })
      for (const [address, more, key] of [
        ['198.51.100.1', '198.51.100.200', 'sign-in:network:198.51.100'],
        ['2001:db8:1:1::1', '2001:db8:1:ffff::2', 'sign-in:network:2001:db8:1'],
      ] as const) {
        assert.equal((await guess(address, 1)).status, 401)
        const counted = world.db.updateTable('rateLimit').set({ count: 599 }).where('key', '=', key)
        assert.equal((await counted.executeTakeFirst()).numUpdatedRows, 1n, key)
        assert.equal((await guess(more, 2)).status, 401)
        assert.equal((await guess(more, 3)).status, 429)
      }
      assert.equal((await guess('198.51.101.1', 4)).status, 401)
    })

    it('counts wrong ones only', async (world) => {
      const { email } = await world.alice.account()
      const statuses = await tries(25, () =>
        from(world, '203.0.113.5', '/sign-in/email', { email, password: PASSWORD }),
      )
      assert.deepEqual(statuses, [200])
      assert.deepEqual(
        await tries(10, () => from(world, '203.0.113.5', '/sign-in/email', { email, password: 'wrong' })),
        [401],
      )
    })

    it('counts those that come at once', async (world) => {
      const { email } = await world.alice.account()
      const answers = await Promise.all(
        Array.from({ length: 30 }, () =>
          from(world, '203.0.113.5', '/sign-in/email', { email, password: 'a wrong password' }),
        ),
      )
      assert.equal(answers.filter(({ status }) => status === 401).length, 10)
    })

    it('does not reach a browser that signed in to the account before, which has tries of its own', async (world) => {
      const { alice, bob } = world
      const { email } = await alice.account()
      const browser = await signedInBrowser(world, alice)
      await browser.accounts.signOut()
      const guess = (password: string) => browser.accounts.signIn({ email, password })
      // The same network, used up by another person.
      assert.deepEqual(
        await tries(11, () => from(world, '127.0.0.1', '/sign-in/email', { email, password: 'wrong' })),
        [401, 429],
      )
      await guess(PASSWORD)
      for (let index = 0; index < 10; index++) assert.equal((await rejection(guess('wrong'))).status, 401)
      assert.equal((await rejection(guess(PASSWORD))).status, 429)
      const anonymous = await signedInBrowser(world, bob)
      assert.equal((await rejection(anonymous.accounts.signIn({ email, password: PASSWORD }))).status, 429)
    })

    it('from many networks is stopped as well, for browsers that are new to the account', async (world) => {
      const { email } = await world.alice.account()
      const browser = await signedInBrowser(world, world.alice)
      const statuses = await tries(100, (index) =>
        from(world, `10.${index >> 3}.${index}.1`, '/sign-in/email', { email, password: 'wrong' }),
      )
      assert.deepEqual(statuses, [401])
      assert.equal((await from(world, '10.200.1.1', '/sign-in/email', { email, password: PASSWORD })).status, 429)
      await browser.accounts.signIn({ email, password: PASSWORD })
    })
  },
  { RATE_LIMITS: 'on' },
)

onEveryEngine(
  'codes that are asked for',
  (it) => {
    it('are counted apart for a browser that signed in before, once the email is verified', async (world) => {
      const { alice } = world
      const { email } = await alice.account()
      const browser = await signedInBrowser(world, alice)
      await prove(world, alice)
      world.clock.pass(3601)
      assert.deepEqual(
        await tries(6, (index) => from(world, `198.51.${index}.1`, '/sign-in/code', { email })),
        [200, 429],
      )
      for (let index = 0; index < 5; index++) await browser.accounts.sendCode({ email })
      assert.equal((await rejection(browser.accounts.sendCode({ email }))).status, 429)
    })

    it('are not for a browser of an account that is not verified: its address may be of another person', async (world) => {
      const { email } = await world.alice.account()
      world.clock.pass(3601)
      const asked = () => world.alice.accounts.sendCode({ email })
      for (let index = 0; index < 5; index++) await asked()
      assert.equal((await rejection(asked())).status, 429)
      assert.equal((await rejection(world.alice.accounts.sendVerification())).status, 429)
    })

    it('count the one of a sign-up, which works without a mail when there were too many', async (world) => {
      const email = 'dora@example.com'
      for (let index = 0; index < 5; index++) await world.anonymous.accounts.sendCode({ email })
      await world.anonymous.accounts.signUp({ name: 'Dora', email, password: 'the looms are singing' })
      assert.equal((await world.mails(email)).length, 5)
    })
  },
  { RATE_LIMITS: 'on' },
)

onEveryEngine('the cookie of a known browser', (it) => {
  it('is stored as a hash, is another one at each sign-in, and opens nothing', async (world) => {
    const { email } = await world.alice.account()
    const cookieOf = async (cookie = '') => {
      const response = await world.anonymous.request('/api/auth/sign-in/email', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', cookie },
        body: JSON.stringify({ email, password: PASSWORD }),
      })
      const line = response.headers.getSetCookie().find((set) => set.startsWith('guildhall_browser='))!
      assert.match(line, /^guildhall_browser=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/)
      return line.split(';')[0]!
    }
    const stored = () => world.db.selectFrom('knownBrowser').selectAll().execute()
    const first = await cookieOf()
    const count = (await stored()).length
    const second = await cookieOf(first)
    assert.notEqual(second, first)
    assert.equal((await stored()).length, count)
    assert.ok(!JSON.stringify(await stored()).includes(second.split('=')[1]!))
    const alone = await world.anonymous.request('/api/auth/get-session', { headers: { cookie: second } })
    assert.equal(await alone.json(), null)
  })

  it('is worth nothing after a new password, and to an account it never signed in to', async (world) => {
    const { email } = await world.alice.account()
    await world.alice.accounts.changePassword({ password: PASSWORD, newPassword: 'an entirely new one' })
    assert.equal((await world.db.selectFrom('knownBrowser').selectAll().execute()).length, 1)
    await world.anonymous.accounts.forgotPassword({ email })
  })

  it('is forgotten when it was not used for 400 days', async (world) => {
    await world.alice.account()
    world.clock.pass(400 * 86_400 + 60)
    await world.app.cleanUp()
    assert.deepEqual(await world.db.selectFrom('knownBrowser').selectAll().execute(), [])
  })
})
