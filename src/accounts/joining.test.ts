// Who may make an account, by every way that makes one (SIGN_UP, SIGN_UP_DOMAINS).
import assert from 'node:assert/strict'
import { AGENT, oauthClient } from '../../test/oauth.ts'
import { newBrowser } from '../../test/visitors.ts'
import { onEveryEngine, type World } from '../../test/world.ts'

const OWNER = 'owner@example.com'
const CLOSED = { SIGN_UP: 'closed', ADMIN_EMAILS: OWNER }
const INVITED = { SIGN_UP: 'invited', ADMIN_EMAILS: OWNER }
const COMPANY = { SIGN_UP_DOMAINS: 'company.example, sub.company.example', ADMIN_EMAILS: OWNER }
const STRANGER = 'stranger@elsewhere.example'

const hasAccount = async ({ db }: World, email: string) =>
  (await db.selectFrom('user').select('id').where('email', '=', email).execute()).length > 0

/** Every way to make an account with an address; resolves when all were tried. */
async function tryAll(world: World, email: string): Promise<{ mailed: boolean }> {
  const { accounts } = world.anonymous
  const before = (await world.mails(email)).length
  await assert.rejects(accounts.signUp({ name: 'X', email, password: 'a fine long password' }), { status: 403 })
  await accounts.sendCode({ email })
  await accounts.forgotPassword({ email })
  const client = oauthClient(world)
  await client.claim(email, 'community:read', AGENT)
  const mails = (await world.mails(email)).slice(before)
  for (const mail of mails) {
    const code = mail.body.match(/^\d{6}$/m)?.[0]
    if (code) await accounts.signInWithCode({ email, code }).catch(() => undefined)
  }
  return { mailed: mails.length > 0 }
}

/** Signs in by a mailed code; a person with a session of their own. */
async function signInByCode(world: World, email: string) {
  const person = newBrowser(world)
  await person.accounts.sendCode({ email })
  await person.accounts.signInWithCode({ email, code: await world.code(email) })
  return person
}

onEveryEngine(
  'a server where sign-up is closed',
  (it) => {
    it('makes no account, mails no code and says nothing of it, by any way', async (world) => {
      assert.deepEqual(await tryAll(world, STRANGER), { mailed: false })
      assert.equal(await hasAccount(world, STRANGER), false)
    })

    it('has its first account by ADMIN_EMAILS, with a proof of the mailbox alone', async (world) => {
      await assert.rejects(
        world.anonymous.accounts.signUp({ name: 'X', email: OWNER, password: 'a fine long password' }),
        {
          status: 403,
        },
      )
      const owner = await signInByCode(world, OWNER)
      assert.equal((await owner.accounts.getSession())?.user.role, 'admin')
      await assert.rejects(owner.invitations.create({ email: STRANGER }), { status: 409 })
    })

    it('lets those sign in who have an account', async (world) => {
      const owner = await signInByCode(world, OWNER)
      await owner.accounts.signOut()
      await signInByCode(world, OWNER)
    })
  },
  CLOSED,
)

onEveryEngine(
  'a server where sign-up is by invitation',
  (it) => {
    it('makes accounts for invited addresses alone, once, with a mailed code', async (world) => {
      const owner = await signInByCode(world, OWNER)
      assert.deepEqual(await tryAll(world, STRANGER), { mailed: false })
      const email = 'mira@elsewhere.example'
      const invitation = await owner.invitations.create({ email: ' Mira@Elsewhere.example ' })
      assert.equal(invitation.email, email)
      const [mail] = await world.mails(email)
      assert.match(mail!.body, /\/sign-up/)
      assert.doesNotMatch(mail!.body, /token|^\d{6}$/m)
      await assert.rejects(world.anonymous.accounts.signUp({ name: 'X', email, password: 'a fine long password' }), {
        status: 403,
      })
      const mira = await signInByCode(world, email)
      assert.deepEqual((await mira.accounts.getSession())?.user.emailVerified, true)
      assert.deepEqual((await owner.invitations.list()).items, [], 'it is used up')
      await assert.rejects(owner.invitations.create({ email }), { status: 409 })
    })

    it('also by the reset of a password', async (world) => {
      const owner = await signInByCode(world, OWNER)
      const email = 'mira@elsewhere.example'
      await owner.invitations.create({ email })
      await world.anonymous.accounts.forgotPassword({ email })
      const code = await world.code(email)
      await world.anonymous.accounts.resetPassword({ email, code, password: 'a fine long password' })
      assert.equal(await hasAccount(world, email), true)
    })

    it('forgets invitations that were taken back or have expired', async (world) => {
      const owner = await signInByCode(world, OWNER)
      const [email, other] = ['mira@elsewhere.example', 'noor@elsewhere.example']
      const { id } = await owner.invitations.create({ email })
      await owner.invitations.create({ email: other })
      await world.anonymous.accounts.sendCode({ email })
      const code = await world.code(email)
      await owner.invitations.remove({ id })
      await assert.rejects(owner.invitations.remove({ id }), { status: 404 })
      await assert.rejects(world.anonymous.accounts.signInWithCode({ email, code }), { status: 403 })
      assert.equal(await hasAccount(world, email), false)
      world.clock.pass(14 * 86_400 + 1)
      const before = (await world.mails(other)).length
      await world.anonymous.accounts.sendCode({ email: other })
      assert.equal((await world.mails(other)).length, before)
      const again = await signInByCode(world, OWNER)
      assert.deepEqual((await again.invitations.list()).items, [])
      await again.invitations.create({ email: other })
      await signInByCode(world, other)
    })

    it('is managed by admins alone', async (world) => {
      const { anonymous } = world
      const owner = await signInByCode(world, OWNER)
      const { id } = await owner.invitations.create({ email: STRANGER })
      const email = 'mira@elsewhere.example'
      await owner.invitations.create({ email })
      const member = await signInByCode(world, email)
      for (const person of [member, anonymous]) {
        const status = person === anonymous ? 401 : 403
        await assert.rejects(person.invitations.list(), { status })
        await assert.rejects(person.invitations.create({ email: 'x@y.example' }), { status })
        await assert.rejects(person.invitations.remove({ id }), { status })
      }
    })

    it('makes one account of two codes that are used at once', async (world) => {
      const owner = await signInByCode(world, OWNER)
      await owner.invitations.create({ email: STRANGER })
      await world.anonymous.accounts.sendCode({ email: STRANGER })
      const code = await world.code(STRANGER)
      const both = [1, 2].map(() => world.anonymous.accounts.signInWithCode({ email: STRANGER, code }))
      const outcomes = await Promise.allSettled(both)
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
      assert.equal((await world.db.selectFrom('user').select('id').where('email', '=', STRANGER).execute()).length, 1)
    })
  },
  INVITED,
)

onEveryEngine(
  'a server that is open to some mail domains',
  (it) => {
    it('makes accounts for proven addresses of these domains, and for invited ones', async (world) => {
      assert.deepEqual(await tryAll(world, STRANGER), { mailed: false })
      for (const near of ['x@notcompany.example', 'x@company.example.evil.example', 'x@deep.sub.company.example']) {
        assert.deepEqual(await tryAll(world, near), { mailed: false }, near)
        assert.equal(await hasAccount(world, near), false)
      }
      await assert.rejects(
        world.anonymous.accounts.signUp({ name: 'X', email: 'a@company.example', password: 'a fine long password' }),
        { status: 403 },
      )
      await signInByCode(world, 'a@company.example')
      await signInByCode(world, 'b@sub.company.example')
      const owner = await signInByCode(world, OWNER)
      await owner.invitations.create({ email: STRANGER })
      await signInByCode(world, STRANGER)
    })
  },
  COMPANY,
)

onEveryEngine(
  'the budget of invitations',
  (it) => {
    it('is 3 a day for one address', async (world) => {
      const owner = await signInByCode(world, OWNER)
      for (let n = 0; n < 3; n++) await owner.invitations.create({ email: STRANGER })
      await assert.rejects(owner.invitations.create({ email: STRANGER }), { status: 429 })
      await owner.invitations.create({ email: 'another@elsewhere.example' })
      assert.equal((await owner.invitations.list()).items.length, 2)
    })
  },
  { ...INVITED, RATE_LIMITS: 'on' },
)
