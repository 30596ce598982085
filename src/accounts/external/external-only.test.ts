// SIGN_IN=external: every other way in is refused, and no admin is locked out.
import assert from 'node:assert/strict'
import { CLIENT, startProvider } from '../../../test/external-provider.ts'
import { AGENT, oauthClient } from '../../../test/oauth.ts'
import { prove } from '../../../test/passkeys.ts'
import { newBrowser } from '../../../test/visitors.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { api } from '../../api.ts'
import type { Contract, Operation } from '../../contract/operation.ts'
import { EXTERNAL_ONLY } from '../../core/authorize.ts'

const provider = await startProvider(`${BASE_URL}/sign-in/external`)
const SETTINGS = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret }

/** What stays of the operations that could be a way in, and why. */
const STAY: Readonly<Record<string, string>> = {
  'accounts.signOut': 'ends a session',
  'address.undo': 'gives an address back, and opens no session',
  'external.begin': 'is the way in that is left',
  'external.finish': 'is the way in that is left',
  'guestDigest.subscribe': 'mails a link that starts a digest for an address, and opens no session',
  'guestDigest.confirm': 'starts a digest by its link in a mail, and opens no session',
  'guestDigest.unsubscribe': 'ends a digest by its link in a mail',
  'invitation.open': 'keeps an invitation for the way in',
  'setup.check': 'sets up a new server, by the link that it printed',
  'setup.sendCode': 'sets up a new server, by the link that it printed',
  'setup.finish': 'sets up a new server, by the link that it printed',
  'notifications.unsubscribe': 'ends mails, by a link in them',
  'moderation.appealByLink': 'makes an appeal, by a link in a mail',
  'transparency.cosign': 'is for witnesses, who have no account',
  'widget.identify': 'gives a token of the widget alone, for a person of a site that an admin listed',
  'widget.report': 'is a report of a guest, and opens nothing',
}

/** A way in sets a session, or is a write that reads no credential: it mails a code for one, or turns one into a session or a token. */
const couldBeWayIn = ({ setsCookie, method, access }: Operation) =>
  setsCookie === true || (method !== 'GET' && access.credential === 'none')

const operations = Object.entries(api as Record<string, Contract>).flatMap(([part, contract]) =>
  Object.entries<Operation>(contract).map(([verb, operation]) => [`${part}.${verb}`, operation] as const),
)

async function connect(person: Person, user: string) {
  provider.users[user] ??= {}
  const { url } = await person.external.beginLink({ to: '/settings/security' })
  return person.external.finish({ query: await provider.signIn(url, user) })
}

/** An admin with an account at the provider turns it on. */
async function turnOn({ admin }: World) {
  await admin.account()
  await connect(admin, 'the-admin')
  await admin.settings.change({ changes: { SIGN_IN: 'external' } })
}

const refusedWith = (status: number, message = EXTERNAL_ONLY) => ({ status, message })

onEveryEngine(
  'a server where everyone signs in with the external provider',
  (it) => {
    it('refuses every other way in, for known and unknown addresses alike', async (world) => {
      const { email } = await world.alice.account()
      await turnOn(world)
      const password = 'alice has a password'
      const { accounts, passkeys } = world.anonymous
      for (const address of [email, 'stranger@elsewhere.example']) {
        const mails = (await world.mails(address)).length
        const code = '123456'
        const tries = [
          () => accounts.signUp({ name: 'X', email: address, password }),
          () => accounts.signIn({ email: address, password }),
          () => accounts.sendCode({ email: address }),
          () => accounts.signInWithCode({ email: address, code }),
          () => accounts.forgotPassword({ email: address }),
          () => accounts.resetPassword({ email: address, code, password }),
          () => passkeys.beginSignIn(),
        ]
        for (const send of tries) await assert.rejects(send(), refusedWith(403))
        const client = oauthClient(world)
        const claim = await client.claim(address, 'community:read')
        assert.deepEqual([claim.status, claim.body['error']], [400, 'invalid_request'])
        const verified = await client.verify(address, code)
        assert.deepEqual([verified.status, verified.error], [400, 'invalid_or_expired_code'])
        assert.equal((await world.mails(address)).length, mails)
      }
    })

    it('signs in with the provider, and sessions from before stay', async (world) => {
      const { alice } = world
      await alice.account()
      await connect(alice, 'alice')
      await turnOn(world)
      assert.ok(await alice.accounts.getSession())
      const browser = newBrowser(world)
      const { url } = await browser.external.begin({})
      const { user } = await browser.external.finish({ query: await provider.signIn(url, 'alice') })
      assert.equal(user.id, (await alice.accounts.getSession())?.user.id)
      const [only] = (await alice.external.show()).items
      await assert.rejects(alice.external.remove({ id: only!.id }), { status: 409 })
    })

    it('is turned on only where an admin can sign in then', async (world) => {
      const { admin, alice, moderator } = world
      await admin.account()
      for (const person of [alice, moderator]) {
        const { email } = await person.account()
        await connect(person, email)
      }
      const on = { changes: { SIGN_IN: 'external' } }
      await assert.rejects(admin.settings.change(on), { status: 409, message: /^SIGN_IN: no admin could sign in/ })
      assert.equal(world.dependencies.config.signIn, 'any')
      await turnOn(world)
      await admin.settings.change({ changes: { SIGN_IN: null } })
      const undo = (await admin.settings.listChanges()).items[0]!.id
      const [only] = (await admin.external.show()).items
      await admin.external.remove({ id: only!.id }).catch(() => undefined)
      await world.db.deleteFrom('externalIdentity').where('id', '=', only!.id).execute()
      await assert.rejects(admin.settings.undoChange({ id: undo }), { status: 409 }, 'the way back is no way around')
    })

    it('lets a member in by the address that the provider verified, as a mailed code would', async (world) => {
      const { alice, bob, moderator } = world
      for (const person of [alice, bob, moderator]) await person.account()
      await prove(world, alice)
      await turnOn(world)
      const enter = async ({ email }: Person) => {
        provider.users[email] = { email, email_verified: true }
        const browser = newBrowser(world)
        const { url } = await browser.external.begin({})
        const { user } = await browser.external.finish({ query: await provider.signIn(url, email) })
        return { id: user.id, browser }
      }
      const proven = await enter(alice)
      assert.equal(proven.id, (await alice.account()).id)
      assert.ok(await alice.accounts.getSession(), 'what is of its owner stays')
      assert.equal((await proven.browser.external.show()).items.length, 1)
      const taken = await enter(bob)
      assert.equal((await taken.browser.accounts.getSession())?.user.emailVerified, true)
      assert.equal(await bob.accounts.getSession(), null, 'what was there before the address was proven goes')
      await assert.rejects(enter(moderator), { status: 409, message: /has an account here/ })
      assert.equal((await enter(alice)).id, proven.id)
    })

    it('leaves a way in where a change of the address was undone', async (world) => {
      const { alice } = world
      await alice.account()
      await prove(world, alice)
      await connect(alice, 'the-alice')
      await turnOn(world)
      const moved = 'moved@example.com'
      await alice.address.sendCode({ email: moved })
      await alice.address.change({ email: moved, code: await world.code(moved) })
      const mail = (await world.mails(alice.email)).findLast(({ body }) => body.includes('/email-undo'))
      await world.anonymous.address.undo({ token: /token=(\S+)/.exec(mail!.body)![1]! })
      provider.users['the-alice'] = { email: alice.email, email_verified: true }
      const browser = newBrowser(world)
      const { url } = await browser.external.begin({})
      const { user } = await browser.external.finish({ query: await provider.signIn(url, 'the-alice') })
      assert.equal(user.email, alice.email)
    })

    it('says so on its pages, and leads to the provider', async (world) => {
      await turnOn(world)
      const { anonymous } = world
      for (const path of ['/sign-in?to=%2Flibrary', '/sign-up?to=%2Flibrary', '/forgot-password?to=%2Flibrary']) {
        const page = await (await anonymous.request(path)).text()
        assert.match(page, /href="\/sign-in\/external\/start\?to=%2Flibrary"/, path)
        assert.match(page, /Everyone signs in with single sign-on here/, path)
        assert.doesNotMatch(page, /type="password"|name="email"/, path)
      }
      const asked = `client_id=${AGENT}&response_type=code&prompt=login`
      const page = await (await anonymous.request(`/oauth/sign-in?${asked}`)).text()
      assert.match(page, /href="\/sign-in\/external\/start\?to=%2Fapi%2Fauth%2Foauth2%2Fauthorize%3F/)
      assert.doesNotMatch(page, /type="password"|name="email"|prompt%3Dlogin/)
    })
  },
  SETTINGS,
)

onEveryEngine(
  'the provider as the only way in, for an address of ADMIN_EMAILS',
  (it) => {
    it('gives no role: the account of the address was never proven by a code', async (world) => {
      const { bob } = world
      await bob.account()
      await turnOn(world)
      provider.users[bob.email] = { email: bob.email, email_verified: true }
      const browser = newBrowser(world)
      const { url } = await browser.external.begin({})
      const { user } = await browser.external.finish({ query: await provider.signIn(url, bob.email) })
      assert.deepEqual([user.email, user.role], [bob.email, 'member'])
      await assert.rejects(browser.settings.list(), { status: 403 })
    })
  },
  { ...SETTINGS, ADMIN_EMAILS: 'bob@example.com' },
)

const { OIDC_CLIENT_SECRET, ...WITHOUT_SECRET } = SETTINGS

onEveryEngine(
  'a provider that an admin sets',
  (it) => {
    it('was tried as it is before it is the only way in, and stays while it is', async (world) => {
      const { admin, clock } = world
      await admin.account()
      const set = (changes: Record<string, string | null>) => {
        clock.pass(1)
        return admin.settings.change({ changes })
      }
      await set({ OIDC_CLIENT_SECRET })
      clock.pass(1)
      await connect(admin, 'the-admin')
      await set({ SIGN_IN: 'external' })
      const stays = { status: 409, message: /^SIGN_IN: set it to any before you change the provider/ }
      await assert.rejects(set({ OIDC_CLIENT_SECRET: 'wrong' }), stays)
      await assert.rejects(set({ OIDC_CLIENT_SECRET: null }), stays)
      const [, secret] = (await admin.settings.listChanges()).items
      await assert.rejects(admin.settings.undoChange({ id: secret!.id }), stays)
      await set({ SIGN_IN: 'any', OIDC_CLIENT_SECRET: 'wrong' })
      const untried = { status: 409, message: /^SIGN_IN: no admin could sign in/ }
      await assert.rejects(set({ SIGN_IN: 'external' }), untried)
      await assert.rejects(set({ SIGN_IN: 'external', OIDC_CLIENT_SECRET }), untried)
      await set({ OIDC_CLIENT_SECRET })
      await assert.rejects(set({ SIGN_IN: 'external' }), untried)
      clock.pass(1)
      const browser = newBrowser(world)
      const { url } = await browser.external.begin({})
      await browser.external.finish({ query: await provider.signIn(url, 'the-admin') })
      await set({ SIGN_IN: 'external' })
    })
  },
  WITHOUT_SECRET,
)

onEveryEngine('ways in', (it) => {
  it('are all known: each is refused, or says why not', async () => {
    const refused = operations.filter(([, { ownWayIn }]) => ownWayIn !== undefined).map(([name]) => name)
    const could = operations.filter(([, operation]) => couldBeWayIn(operation)).map(([name]) => name)
    assert.deepEqual([...refused, ...Object.keys(STAY)].sort(), could.sort())
  })

  it('are not the provider alone where there is none', async ({ admin }) => {
    await admin.account()
    const on = { changes: { SIGN_IN: 'external' } }
    await assert.rejects(admin.settings.change(on), { status: 400, message: /SIGN_IN is external, but OIDC_ISSUER/ })
    await assert.rejects(admin.settings.change({ changes: { SIGN_IN: 'sometimes' } }), { status: 400 })
  })
})
