// Signing in with an account at an external provider, against a real one.
import assert from 'node:assert/strict'
import { CLIENT, type ExternalServer, type ExternalUser, startProvider } from '../../../test/external-provider.ts'
import { newBrowser } from '../../../test/visitors.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from '../../../test/world.ts'

const provider = await startProvider(`${BASE_URL}/sign-in/external`)
const publicProvider = await startProvider(`${BASE_URL}/sign-in/external`, { isPublic: true })

const SETTINGS = {
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_NAME: 'Example SSO',
}
const MIRA: ExternalUser = { email: 'Mira@Example.com', email_verified: true, name: 'Mira' }

interface Way {
  user: string
  at?: ExternalServer
  to?: string
}

/** Begins in a browser, signs in at the provider, and comes back. */
async function signIn(browser: Person, { user, at = provider, to }: Way) {
  const { url } = await browser.external.begin(to === undefined ? {} : { to })
  return browser.external.finish({ query: await at.signIn(url, user) })
}

async function connect(person: Person, user: string) {
  const { url } = await person.external.beginLink({ to: '/settings/security' })
  return person.external.finish({ query: await provider.signIn(url, user) })
}

const emails = async ({ db }: World) =>
  (await db.selectFrom('user').select('email').execute()).map(({ email }) => email)

/** A name at the provider that no other test uses. */
let count = 0
function newUser(claims: ExternalUser): string {
  const name = `user-${++count}`
  provider.users[name] = claims
  return name
}

onEveryEngine(
  'signing in with an external account',
  (it) => {
    it('makes an account once, and signs in to it from then on, by issuer and subject', async (world) => {
      const user = newUser(MIRA)
      const browser = newBrowser(world)
      const first = await signIn(browser, { user, to: '/community' })
      assert.deepEqual([first.to, first.connected], ['/community', false])
      const { email, emailVerified, name, role } = first.user
      assert.deepEqual([email, emailVerified, name, role], ['mira@example.com', true, 'Mira', 'member'])
      assert.equal((await browser.accounts.getSession())?.user.id, first.user.id)
      provider.users[user] = { ...MIRA, email: 'other@example.com' }
      const again = await signIn(newBrowser(world), { user })
      assert.equal(again.user.id, first.user.id)
      assert.equal(again.user.email, 'mira@example.com', 'an address that changes there changes nothing here')
      const shown = await browser.external.show()
      assert.equal(shown.provider?.name, 'Example SSO')
      assert.deepEqual(
        shown.items.map(({ issuer, email: told }) => [issuer, told]),
        [[provider.issuer, 'mira@example.com']],
      )
    })

    it('makes one account of a new person who comes back in two browsers at once, ten times', async (world) => {
      for (let round = 0; round < 10; round++) {
        const user = newUser({ ...MIRA, email: `both-${round}@example.com` })
        const browsers = [newBrowser(world), newBrowser(world)]
        const queries = await Promise.all(
          browsers.map(async (browser) => provider.signIn((await browser.external.begin({})).url, user)),
        )
        const [one, other] = await Promise.all(
          browsers.map((browser, at) => browser.external.finish({ query: queries[at]! })),
        )
        assert.equal(one?.user.id, other?.user.id)
      }
      assert.equal((await emails(world)).length, 10)
    })

    it('never leads into an account that is there, by its address alone', async (world) => {
      for (const isVerified of [true, false]) {
        const person = world.person(`person-${isVerified}`)
        const { email } = await person.account()
        if (isVerified) {
          await person.accounts.sendVerification()
          await person.accounts.verifyEmail({ code: await world.code(email) })
        }
        const user = newUser({ email, email_verified: true })
        const browser = newBrowser(world)
        await assert.rejects(signIn(browser, { user }), { status: 409 })
        assert.equal(await browser.accounts.getSession(), null)
        assert.deepEqual((await person.external.show()).items, [])
      }
    })

    it('makes no account of an address that the provider did not verify', async (world) => {
      const before = await emails(world)
      const claims: ExternalUser[] = [
        { email: 'a@example.com' },
        { email: 'a@example.com', email_verified: false },
        { email: 'a@example.com', email_verified: 'true' as never },
        { name: 'A' },
        { email: 'not an address', email_verified: true },
      ]
      for (const claim of claims) {
        await assert.rejects(
          signIn(newBrowser(world), { user: newUser(claim) }),
          { status: 403 },
          JSON.stringify(claim),
        )
      }
      assert.deepEqual(await emails(world), before)
    })

    it('gives no role by an address of ADMIN_EMAILS', async (world) => {
      const user = newUser({ email: 'owner@example.com', email_verified: true })
      assert.equal((await signIn(newBrowser(world), { user })).user.role, 'member')
    })

    it('is finished in the browser that began it alone, once, and within ten minutes', async (world) => {
      const user = newUser({ email: 'finish@example.com', email_verified: true })
      const [mine, other] = [newBrowser(world), newBrowser(world)]
      const { url } = await mine.external.begin({})
      const query = await provider.signIn(url, user)
      await assert.rejects(other.external.finish({ query }), { status: 401 })
      await other.external.begin({})
      await assert.rejects(other.external.finish({ query }), { status: 401 }, 'another state')
      await mine.external.finish({ query })
      await assert.rejects(mine.external.finish({ query }), { status: 401 })
      const late = await mine.external.begin({})
      const lateQuery = await provider.signIn(late.url, user)
      world.clock.pass(601)
      await assert.rejects(mine.external.finish({ query: lateQuery }), { status: 401 })
    })

    it('refuses what the provider did not say: another issuer, state or code, and errors', async (world) => {
      const user = newUser({ email: 'wrong@example.com', email_verified: true })
      const changes: ((query: URLSearchParams) => void)[] = [
        (query) => query.set('iss', 'https://elsewhere.example'),
        (query) => query.delete('iss'),
        (query) => query.set('state', 'another'),
        (query) => query.delete('state'),
        (query) => query.set('code', 'another'),
        (query) => query.set('error', 'access_denied'),
        (query) => query.append('code', 'twice'),
      ]
      for (const change of changes) {
        const browser = newBrowser(world)
        const { url } = await browser.external.begin({})
        const query = new URLSearchParams(await provider.signIn(url, user))
        change(query)
        await assert.rejects(browser.external.finish({ query: query.toString() }), { status: 401 }, String(change))
        assert.equal(await browser.accounts.getSession(), null)
      }
    })

    it('sends PKCE, state and nonce, each new', async (world) => {
      const urls = await Promise.all([1, 2].map(() => newBrowser(world).external.begin({})))
      const [first, second] = urls.map(({ url }) => new URL(url).searchParams)
      assert.equal(first!.get('code_challenge_method'), 'S256')
      assert.equal(first!.get('redirect_uri'), `${BASE_URL}/sign-in/external`)
      for (const name of ['state', 'nonce', 'code_challenge']) {
        assert.ok(first!.get(name)!.length >= 43, name)
        assert.notEqual(first!.get(name), second!.get(name), name)
      }
    })

    it('is refused to a blocked account', async (world) => {
      const user = newUser({ email: 'blocked-there@example.com', email_verified: true })
      const browser = newBrowser(world)
      const { user: account } = await signIn(browser, { user })
      await world.admin.admin.block({ id: account.id, blocked: true })
      assert.equal(await browser.accounts.getSession(), null)
      await assert.rejects(signIn(newBrowser(world), { user }), { status: 403, code: 'blocked' })
    })
  },
  { ...SETTINGS, ADMIN_EMAILS: 'owner@example.com' },
)

onEveryEngine(
  'connecting an external account',
  (it) => {
    it('signs in to the account from then on, with a mail to its owner', async (world) => {
      const { email, id } = await world.alice.account()
      const user = newUser({ email: 'private@elsewhere.example', email_verified: false })
      assert.equal((await connect(world.alice, user)).connected, true)
      assert.match((await world.mails(email)).at(-1)!.body, /Example SSO/)
      assert.equal((await signIn(newBrowser(world), { user })).user.id, id)
      assert.equal((await connect(world.alice, user)).connected, true, 'once more changes nothing')
      assert.equal((await world.alice.external.show()).items.length, 1)
    })

    it('needs a credential that was just used, and the session that began it', async (world) => {
      const { alice, bob, clock } = world
      await alice.account()
      const user = newUser({})
      const { url } = await alice.external.beginLink({})
      const query = await provider.signIn(url, user)
      await assert.rejects(bob.external.finish({ query }), { status: 401 })
      await alice.accounts.signOut()
      await assert.rejects(alice.external.finish({ query }), { status: 401 })
      await alice.accounts.signIn({ email: alice.email, password: 'alice has a password' })
      clock.pass(601)
      await assert.rejects(alice.external.beginLink({}), { status: 403, code: 'reauthentication_required' })
    })

    it('is for one account here, and at most five of an account', async (world) => {
      const { alice, bob } = world
      await alice.account()
      await bob.account()
      const users = Array.from({ length: 6 }, () => newUser({}))
      for (const user of users.slice(0, 5)) await connect(alice, user)
      await assert.rejects(connect(alice, users[5]!), { status: 409 })
      await assert.rejects(connect(bob, users[0]!), { status: 409 })
    })

    it('can be undone by its owner where there is another way in', async (world) => {
      const { alice, bob, clock } = world
      await alice.account()
      const user = newUser({})
      await connect(alice, user)
      const { id } = (await alice.external.show()).items[0]!
      await assert.rejects(bob.external.remove({ id }), { status: 404 })
      clock.pass(601)
      await assert.rejects(alice.external.remove({ id }), { status: 403, code: 'reauthentication_required' })
      await alice.reauthentication.confirm({ password: 'alice has a password' })
      assert.deepEqual(await alice.external.remove({ id }), { id })
      await assert.rejects(signIn(newBrowser(world), { user }), { status: 403 })
      const only = newBrowser(world)
      const { user: account } = await signIn(only, {
        user: newUser({ email: 'only@example.com', email_verified: true }),
      })
      const [link] = (await only.external.show()).items
      await assert.rejects(only.external.remove({ id: link!.id }), { status: 409 })
      await only.reauthentication.sendCode()
      await only.reauthentication.confirm({ code: await world.code(account.email) })
      assert.deepEqual(await only.external.remove({ id: link!.id }), { id: link!.id })
    })

    it('goes with all else when the owner of the mailbox takes the account', async (world) => {
      const { email } = await world.alice.account()
      const user = newUser({})
      await connect(world.alice, user)
      await world.anonymous.accounts.sendCode({ email })
      await world.anonymous.accounts.signInWithCode({ email, code: await world.code(email) })
      assert.deepEqual(await world.db.selectFrom('externalIdentity').select('id').execute(), [])
      assert.ok((await world.mails(email)).some(({ body }) => body.includes('- 1 external account\n')))
      await assert.rejects(signIn(newBrowser(world), { user }), { status: 403 })
    })
  },
  SETTINGS,
)

onEveryEngine(
  'an external account on a server with closed sign-up',
  (it) => {
    it('makes no account there, and one where its address is invited', async (world) => {
      const user = newUser({ email: 'newcomer@elsewhere.example', email_verified: true })
      await assert.rejects(signIn(newBrowser(world), { user }), { status: 403 })
      assert.deepEqual(await emails(world), [])
      const owner = newBrowser(world)
      await owner.accounts.sendCode({ email: 'owner@example.com' })
      await owner.accounts.signInWithCode({ email: 'owner@example.com', code: await world.code('owner@example.com') })
      await owner.invitations.create({ email: 'newcomer@elsewhere.example' })
      assert.equal((await signIn(newBrowser(world), { user })).user.email, 'newcomer@elsewhere.example')
    })
  },
  { ...SETTINGS, SIGN_UP: 'invited', ADMIN_EMAILS: 'owner@example.com' },
)

onEveryEngine(
  'a public client at the provider',
  (it) => {
    it('signs in without a secret', async (world) => {
      publicProvider.users['p'] = { email: 'public@example.com', email_verified: true }
      const { user } = await signIn(newBrowser(world), { user: 'p', at: publicProvider })
      assert.equal(user.email, 'public@example.com')
    })
  },
  { OIDC_ISSUER: publicProvider.issuer, OIDC_CLIENT_ID: CLIENT.id },
)

onEveryEngine('a server without an external provider', (it) => {
  it('has none of it', async (world) => {
    await assert.rejects(world.anonymous.external.begin({}), { status: 404 })
    await assert.rejects(world.anonymous.external.finish({ query: 'code=x' }), { status: 404 })
    assert.deepEqual(await world.alice.external.show(), { provider: null, items: [] })
  })
})

onEveryEngine(
  'a provider that does not answer',
  (it) => {
    it('is a refusal, not a failure of this server', async (world) => {
      await assert.rejects(world.anonymous.external.begin({}), { status: 401 })
    })
  },
  { ...SETTINGS, OIDC_ISSUER: 'http://127.0.0.1:9' },
)
