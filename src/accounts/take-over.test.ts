// An address that was never verified may belong to another person: the first mailed code that is used from outside hands the
// account to the owner of the mailbox (behaviour.md, section 5).
import assert from 'node:assert/strict'
import { Authenticator } from '../../test/authenticator.ts'
import { AGENT, oauthClient } from '../../test/oauth.ts'
import { isSignedIn, passkeysOf, prove, register, rejection, signIn } from '../../test/passkeys.ts'
import { newBrowser } from '../../test/visitors.ts'
import { onEveryEngine, type Person, type World } from '../../test/world.ts'
import { grantConfiguredAdmins } from '../identity/roles.ts'

const PASSWORD = 'the looms are singing'
const TAKEN_OVER = 'Your email is verified; we removed earlier sign-ins'

/** How the owner of a mailbox first uses it, without being signed in. */
const ways: Record<string, (world: World, email: string, code?: string) => Promise<Person>> = {
  async 'a sign-in code'(world, email) {
    const owner = newBrowser(world)
    await owner.accounts.sendCode({ email })
    await owner.accounts.signInWithCode({ email, code: await world.code(email) })
    return owner
  },
  async 'a password reset'(world, email) {
    const owner = newBrowser(world)
    await owner.accounts.forgotPassword({ email })
    await owner.accounts.resetPassword({ email, code: await world.code(email), password: PASSWORD })
    return owner
  },
  async 'a claim'(world, email) {
    const client = oauthClient(world)
    await client.claim(email, 'community:read')
    assert.equal((await client.verify(email, await world.code(email))).status, 200)
    return newBrowser(world)
  },
}

async function squat(world: World, email: string) {
  const client = oauthClient(world)
  const squatter = newBrowser(world)
  const { user } = await squatter.accounts.signUp({ name: 'Mallory', email, password: 'mallory knows this' })
  const device = new Authenticator()
  await register(squatter, device)
  const tokens = await client.signIn(squatter, { clientId: AGENT, scope: 'community:read offline_access' })
  await squatter.accounts.sendVerification({})
  const pending = { verify: await world.code(email), reset: '', claim: '' }
  await squatter.accounts.forgotPassword({ email })
  pending.reset = await world.code(email)
  await client.claim(email, 'community:read', AGENT)
  pending.claim = await world.code(email)
  return { client, squatter, id: user.id, device, tokens, pending }
}

onEveryEngine(
  'an account whose address was never verified',
  (it) => {
    for (const [name, enter] of Object.entries(ways)) {
      it(`loses everything that could sign in when ${name} is used`, async (world) => {
        const email = `${name.replaceAll(' ', '-')}@example.com`
        const { client, squatter, id, device, tokens } = await squat(world, email)
        await enter(world, email)
        assert.equal(await isSignedIn(squatter), false)
        const withPassword = squatter.accounts.signIn({ email, password: 'mallory knows this' })
        assert.equal((await rejection(withPassword)).status, 401)
        assert.equal((await rejection(signIn(world, device))).status, 401)
        assert.deepEqual(await passkeysOf(world, id), [])
        assert.equal((await client.refresh(AGENT, tokens.refresh_token)).error, 'invalid_grant')
        assert.equal((await client.call(tokens.access_token)).status, 401)
        assert.deepEqual(
          await world.db.selectFrom('passkeyChallenge').where('userId', '=', id).selectAll().execute(),
          [],
        )
        const notice = (await world.mails(email)).find(({ subject }) => subject === TAKEN_OVER)!
        for (const removed of ['the password', '1 passkey', '1 signed-in browser', '1 connected app']) {
          assert.ok(notice.body.includes(`- ${removed}\n`), removed)
        }
        const acts = await world.db.selectFrom('audit').select('action').where('targetId', '=', id).execute()
        assert.ok(acts.some(({ action }) => action === 'account.take-over'))
      })
    }

    it('loses codes that were mailed before', async (world) => {
      const email = 'codes@example.com'
      const { client, pending } = await squat(world, email)
      const owner = await ways['a sign-in code']!(world, email)
      assert.equal((await client.verify(email, pending.claim)).status, 400)
      const reset = owner.accounts.resetPassword({ email, code: pending.reset, password: PASSWORD })
      assert.equal((await rejection(reset)).status, 401)
      assert.equal((await rejection(owner.accounts.verifyEmail({ code: pending.verify }))).status, 400)
    })

    it('keeps everything at the second code, and when it was verified from inside', async (world) => {
      const { alice } = world
      const { email } = await alice.account()
      const device = new Authenticator()
      await register(alice, device)
      await prove(world, alice)
      for (const enter of [ways['a sign-in code']!, ways['a claim']!]) await enter(world, email)
      assert.equal(await isSignedIn(alice), true)
      await signIn(world, device)
      assert.ok(!(await world.mails(email)).some(({ subject }) => subject === TAKEN_OVER))
    })

    it('gives nothing to a squatter who signs in at the same moment', async (world) => {
      for (let round = 0; round < 6; round++) {
        const email = `race-${round}@example.com`
        const squatter = newBrowser(world)
        await squatter.accounts.signUp({ name: 'Mallory', email, password: 'mallory knows this' })
        const others = [newBrowser(world), newBrowser(world)]
        // The code of the sign-up is on its way before the one that the owner asks for.
        await world.code(email)
        await world.anonymous.accounts.sendCode({ email })
        const code = await world.code(email)
        const [, owner] = await Promise.allSettled([
          others[0]!.accounts.signIn({ email, password: 'mallory knows this' }),
          world.anonymous.accounts.signInWithCode({ email, code }),
          others[1]!.accounts.signIn({ email, password: 'mallory knows this' }),
          squatter.accounts.changePassword({ password: 'mallory knows this', newPassword: 'mallory knows more' }),
        ])
        assert.equal(owner.status, 'fulfilled', String(owner.status === 'rejected' && owner.reason))
        for (const browser of [squatter, ...others]) assert.equal(await isSignedIn(browser), false)
        for (const password of ['mallory knows this', 'mallory knows more']) {
          assert.equal((await rejection(squatter.accounts.signIn({ email, password }))).status, 401)
        }
      }
    })

    it('is taken over once by codes of all kinds that come at once, and none of them waits for another forever', async (world) => {
      for (let round = 0; round < 4; round++) {
        const email = `all-${round}@example.com`
        const client = oauthClient(world)
        const squatter = newBrowser(world)
        await squatter.accounts.signUp({ name: 'Mallory', email, password: 'mallory knows this' })
        const verify = await world.code(email)
        await world.anonymous.accounts.sendCode({ email })
        const code = await world.code(email)
        await world.anonymous.accounts.forgotPassword({ email })
        const reset = await world.code(email)
        await client.claim(email, 'community:read')
        const claim = await world.code(email)
        const outcomes = await Promise.allSettled([
          squatter.accounts.verifyEmail({ code: verify }),
          world.anonymous.accounts.signInWithCode({ email, code }),
          world.anonymous.accounts.signInWithCode({ email, code }),
          world.anonymous.accounts.resetPassword({ email, code: reset, password: PASSWORD }),
          client.verify(email, claim),
        ])
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') assert.ok([400, 401].includes(outcome.reason.status), outcome.reason)
        }
        const notices = (await world.mails(email)).filter(({ subject }) => subject === TAKEN_OVER)
        assert.ok(notices.length <= 1)
      }
    })

    it('never becomes an admin by a claim, not at the next start either, and does by a sign-in code', async (world) => {
      const email = 'boss@example.com'
      const squatter = newBrowser(world)
      await squatter.accounts.signUp({ name: 'Mallory', email, password: 'mallory knows this' })
      const roleOf = async () =>
        (await world.db.selectFrom('user').select('role').where('email', '=', email).executeTakeFirstOrThrow()).role
      await ways['a claim']!(world, email)
      assert.equal(await roleOf(), 'member')
      await grantConfiguredAdmins(world.dependencies, new Date().toISOString())
      assert.equal(await roleOf(), 'member', 'after a start')
      await ways['a sign-in code']!(world, email)
      assert.equal(await roleOf(), 'admin')
      assert.equal(await isSignedIn(squatter), false)
      assert.match((await world.mails(email)).at(-1)!.subject, /new browser|role/)
    })
  },
  { ADMIN_EMAILS: 'boss@example.com' },
)

onEveryEngine('a sign-up', (it) => {
  it('mails the code that verifies the address at once, and removes nothing when it is used', async (world) => {
    const { alice } = world
    const { email } = await alice.account()
    const [mail] = await world.mails(email)
    assert.equal(mail!.subject, 'Verify your email')
    const { user } = await alice.accounts.verifyEmail({ code: await world.code(email) })
    assert.equal(user.emailVerified, true)
    assert.equal(await isSignedIn(alice), true)
    await world.anonymous.accounts.signIn({ email, password: 'alice has a password' })
  })

  it('mails another one when asked, to the account alone', async (world) => {
    const { alice, bob } = world
    const { email } = await alice.account()
    const first = await world.code(email)
    await alice.accounts.sendVerification({})
    const second = await world.code(email)
    await bob.account()
    assert.equal((await rejection(bob.accounts.verifyEmail({ code: second }))).status, 400)
    if (first !== second) assert.equal((await rejection(alice.accounts.verifyEmail({ code: first }))).status, 400)
    assert.equal((await alice.accounts.verifyEmail({ code: second })).user.emailVerified, true)
  })
})
