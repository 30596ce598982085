// ROLES_NEED_PASSKEY: a role counts only in a session in which a passkey was used, and never for a token.
import assert from 'node:assert/strict'
import { agentOf, EVERYTHING } from '../../../test/agents.ts'
import { Authenticator } from '../../../test/authenticator.ts'
import { codeForm, keyHolder, newKey } from '../../../test/dpop.ts'
import { AGENT, allowDevice, oauthClient } from '../../../test/oauth.ts'
import { prove, register } from '../../../test/passkeys.ts'
import { asking, waits } from '../../../test/pending.ts'
import { newBrowser, signedInBrowser } from '../../../test/visitors.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { PASSKEY_NEEDED } from '../../core/authorize.ts'
import type { CredentialKind } from '../../identity/credentials.ts'

const needed = { status: 403, message: PASSKEY_NEEDED }

/** An admin with a passkey turns it on; the device is theirs. */
async function turnOn({ admin }: World): Promise<Authenticator> {
  await admin.account()
  const device = new Authenticator()
  await register(admin, device)
  await admin.settings.change({ changes: { ROLES_NEED_PASSKEY: 'on' } })
  return device
}

async function signIn(world: World, device: Authenticator): Promise<Person> {
  const person = newBrowser(world)
  await person.passkeys.signIn({ response: device.get(await person.passkeys.beginSignIn({})) })
  return person
}

async function confirm(person: Person, device: Authenticator) {
  const options = await person.reauthentication.beginPasskey()
  return person.reauthentication.confirmWithPasskey({ response: device.get(options) })
}

const SETTINGS = '/api/community/admin/settings'
const EXCHANGE = {
  ...{ grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', client_id: AGENT },
  subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
}
const DEVICE = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: AGENT }

interface Issue {
  world: World
  device: Authenticator
}

/** Asks for a page with a token. */
type Ask = (path: string) => Promise<Response>

const asks =
  ({ world }: Issue, token: string): Ask =>
  (path) =>
    oauthClient(world).call(token, path)

const signedIn = ({ world }: Issue, clientId = AGENT, more = {}) =>
  oauthClient(world).signIn(world.admin, { clientId, scope: EVERYTHING }, more)

async function jwt(issue: Issue) {
  const tokens = await signedIn(issue, AGENT, { resource: oauthClient(issue.world).audience })
  assert.equal(tokens.access_token.split('.').length, 3)
  return tokens
}

async function bound({ world }: Issue, more: Record<string, string> = {}): Promise<Ask> {
  const holder = keyHolder(world, await newKey())
  const granted = await oauthClient(world).consent(world.admin, { clientId: AGENT, scope: EVERYTHING, more })
  const { access_token, token_type } = await holder.token(codeForm(granted, more))
  assert.equal(token_type, 'DPoP')
  return (path) => holder.call(access_token, { path })
}

/** What has its own test here, or gives no power: a feed key reads feeds alone, a link invites, a chat searches and
 * files bugs, a person of a tracker changes bugs as a session without a passkey, and the token of a run publishes. */
type Elsewhere =
  | 'session'
  | 'mailed code'
  | 'waiting act'
  | 'feed key'
  | 'chat link'
  | 'tracker link'
  | 'invitation link'
  | 'publishing token'

/** A token of the admin of every kind, or one that such a credential is turned into. */
const tokens: Record<
  Exclude<CredentialKind, Elsewhere> | 'token of an app' | 'bound token' | 'bound JWT',
  (issue: Issue) => Promise<Ask>
> = {
  'opaque token': async (issue) => asks(issue, (await signedIn(issue)).access_token),
  'token of an app': async (issue) =>
    asks(issue, (await signedIn(issue, await oauthClient(issue.world).register())).access_token),
  async 'handed-on token'(issue) {
    const { access_token: subject_token } = await signedIn(issue)
    return asks(issue, (await oauthClient(issue.world).token({ ...EXCHANGE, subject_token })).access_token)
  },
  async 'personal token'(issue) {
    const scopes = ['community:read', 'community:write'] as const
    await confirm(issue.world.admin, issue.device)
    return asks(issue, (await issue.world.admin.personalTokens.create({ name: 'x', scopes: [...scopes] })).token)
  },
  JWT: async (issue) => asks(issue, (await jwt(issue)).access_token),
  async 'JWT without its grant'(issue) {
    const { access_token, refresh_token } = await jwt(issue)
    await oauthClient(issue.world).revoke(AGENT, refresh_token ?? '')
    return asks(issue, access_token)
  },
  async 'refresh token'(issue) {
    const { refresh_token } = await signedIn(issue)
    return asks(issue, (await oauthClient(issue.world).refresh(AGENT, refresh_token)).access_token)
  },
  async 'authorization code'(issue) {
    const client = oauthClient(issue.world)
    const granted = await client.consent(issue.world.admin, { clientId: AGENT, scope: EVERYTHING })
    return asks(issue, (await client.exchange(granted)).access_token)
  },
  async 'device code'(issue) {
    const client = oauthClient(issue.world)
    const form = { client_id: AGENT, scope: EVERYTHING }
    const response = await client.post('/api/auth/oauth2/device_authorization', form)
    const { device_code = '', user_code = '' } = (await response.json()) as Record<string, string>
    await allowDevice(issue.world.admin, user_code)
    return asks(issue, (await client.token({ ...DEVICE, device_code })).access_token)
  },
  async claim(issue) {
    const client = oauthClient(issue.world)
    const { email } = issue.world.admin
    await client.claim(email, EVERYTHING)
    return asks(issue, (await client.verify(email, await client.code(email))).access_token)
  },
  'bound token': (issue) => bound(issue),
  'bound JWT': (issue) => bound(issue, { resource: oauthClient(issue.world).audience }),
}

onEveryEngine('roles that need a passkey', (it) => {
  it('count in a session that was opened or confirmed with one, and in no other', async (world) => {
    const device = await turnOn(world)
    const { admin } = world
    assert.ok(await admin.settings.list(), 'the session that added it')
    const other = await signedInBrowser(world, admin)
    await assert.rejects(other.settings.list(), needed)
    await assert.rejects(other.admin.listUsers({}), needed)
    assert.equal((await other.accounts.getSession())?.user.passkeyNeeded, true)
    assert.equal((await other.accounts.getSession())?.user.role, 'admin')
    await confirm(other, device)
    assert.ok(await other.settings.list())
    assert.equal((await other.accounts.getSession())?.user.passkeyNeeded, undefined)
    assert.ok(await (await signIn(world, device)).settings.list())
  })

  it('are those of a member elsewhere: what others wrote is not theirs to change', async (world) => {
    const { alice, moderator } = world
    const bug = await alice.posts.create({ title: 'It breaks', body: 'Here' })
    await moderator.account()
    await turnOn(world)
    await assert.rejects(moderator.posts.edit({ id: bug.id, title: 'Mine' }), needed)
    await assert.rejects(moderator.moderation.cases({}), needed)
    const own = await moderator.posts.create({ title: 'My own', body: 'A post' })
    assert.ok(own.id)
    await register(moderator, new Authenticator())
    assert.ok(await moderator.moderation.cases({}))
    await moderator.posts.edit({ id: bug.id, title: 'Better said' })
  })

  it('leave a refusal alone that is not about the role', async (world) => {
    const { admin, alice, moderator } = world
    const post = await alice.posts.create({ title: 'It breaks', body: 'Here' })
    await moderator.account()
    await turnOn(world)
    await admin.threads.lock({ id: post.id, locked: true })
    const locked = { status: 403, message: 'Locked' }
    await assert.rejects(moderator.posts.comment({ id: post.id, body: 'Still here' }), locked)
    await assert.rejects(moderator.threads.lock({ id: post.id, locked: false }), needed)
  })

  it('never count for a token, of any kind', async (world) => {
    const { admin } = world
    await prove(world, admin)
    const device = await turnOn(world)
    const made: [kind: string, ask: Ask][] = []
    for (const [kind, make] of Object.entries(tokens)) made.push([kind, await make({ world, device })])
    for (const [kind, ask] of made) {
      const answer = await ask(SETTINGS)
      assert.deepEqual([answer.status, await answer.json()], [403, { error: PASSKEY_NEEDED }], kind)
      assert.equal((await ask('/api/community/me')).status, 200, kind)
    }
    await admin.settings.change({ changes: { ROLES_NEED_PASSKEY: null } })
    for (const [kind, ask] of made) assert.equal((await ask(SETTINGS)).status, 200, kind)
  })

  it('do not count in a session that a mailed code opened', async (world) => {
    const { admin } = world
    await prove(world, admin)
    await turnOn(world)
    const browser = newBrowser(world)
    await browser.accounts.sendCode({ email: admin.email })
    await browser.accounts.signInWithCode({ email: admin.email, code: await world.code(admin.email) })
    await assert.rejects(browser.settings.list(), needed)
    await admin.settings.change({ changes: { ROLES_NEED_PASSKEY: null } })
    assert.ok(await browser.settings.list())
  })

  it('do not count for a write that waited since before', async (world) => {
    const { alice, moderator } = world
    await moderator.account()
    const agent = await agentOf(world, moderator, { more: asking(['posts']) })
    const waiting = async () => {
      const { id } = await alice.posts.create({ title: 'It breaks', body: 'Here' })
      return { id, act: (await waits(agent.posts.edit({ id, title: 'Mine' }))).id }
    }
    const [before, after] = [await waiting(), await waiting()]
    assert.equal((await moderator.pendingActs.approve({ id: before.act })).state, 'made')
    await turnOn(world)
    await register(moderator, new Authenticator())
    assert.equal((await moderator.pendingActs.approve({ id: after.act })).state, 'failed')
    const titleOf = async ({ id }: { id: string }) => (await alice.posts.get({ id })).title
    assert.deepEqual([await titleOf(before), await titleOf(after)], ['Mine', 'It breaks'])
  })

  it('cannot be had with a password alone, once there is a passkey', async (world) => {
    const device = await turnOn(world)
    const { admin } = world
    const thief = await signedInBrowser(world, admin)
    await assert.rejects(thief.passkeys.beginRegistration({}), { ...needed, code: 'reauthentication_required' })
    const [only] = (await admin.passkeys.list()).items
    await assert.rejects(thief.passkeys.remove({ id: only!.id }), needed)
    await assert.rejects(admin.passkeys.remove({ id: only!.id }), { status: 409 }, 'the last one stays')
    const second = new Authenticator()
    const added = await register(admin, second)
    await admin.passkeys.remove({ id: added.id })
    assert.ok(await (await signIn(world, device)).settings.list())
    await assert.rejects(signIn(world, second), { status: 401 })
  })

  it('do not come back to an old mailbox: with a change that is undone, passkeys from before it stay', async (world) => {
    await turnOn(world)
    const { admin, moderator } = world
    await moderator.account()
    await prove(world, moderator)
    const device = new Authenticator()
    await register(moderator, device)
    const email = 'moved@example.com'
    await moderator.address.sendCode({ email })
    await moderator.address.change({ email, code: await world.code(email) })
    world.clock.pass(1)
    await register(moderator, new Authenticator())
    const mail = (await world.mails(moderator.email)).findLast(({ body }) => body.includes('/email-undo'))
    const holder = newBrowser(world)
    await holder.address.undo({ token: /token=(\S+)/.exec(mail!.body)![1]! })
    await holder.accounts.sendCode({ email: moderator.email })
    await holder.accounts.signInWithCode({ email: moderator.email, code: await world.code(moderator.email) })
    await assert.rejects(holder.moderation.cases({}), needed)
    await assert.rejects(holder.passkeys.beginRegistration({}), needed)
    const owner = await signIn(world, device)
    assert.ok(await owner.moderation.cases({}))
    assert.equal((await owner.passkeys.list()).items.length, 1)
    assert.ok(await admin.settings.list())
  })

  it('end in a session with its passkey', async (world) => {
    const device = await turnOn(world)
    const { admin } = world
    const second = new Authenticator()
    await register(admin, second)
    const other = await signIn(world, device)
    const first = (await admin.passkeys.list()).items[0]!
    await other.passkeys.remove({ id: first.id })
    await assert.rejects(other.settings.list(), needed)
    assert.ok(await admin.settings.list())
  })

  it('are asked for only where an admin has a passkey', async (world) => {
    const { admin, alice, moderator } = world
    await admin.account()
    for (const person of [alice, moderator]) {
      await person.account()
      await register(person, new Authenticator())
    }
    const on = { changes: { ROLES_NEED_PASSKEY: 'on' } }
    await assert.rejects(admin.settings.change(on), { status: 409, message: /^ROLES_NEED_PASSKEY: no admin/ })
    await turnOn(world)
  })

  it('offer nothing on pages that would be refused', async (world) => {
    await turnOn(world)
    const { admin, alice, moderator } = world
    await alice.profile.setUsername({ username: 'alice' })
    await admin.boards.create({ slug: 'night', name: 'Night shift' })
    const { id } = await alice.posts.create({ title: 'The clock', body: 'B' })
    await admin.threads.lock({ id, locked: true })
    const offered = async (person: Person) => {
      const thing = await (await person.request(`/community/posts/${id}`)).text()
      const profile = await (await person.request('/community/u/alice')).text()
      const found = [...(thing + profile).matchAll(/action="\?\/(pin|lock|comment|move|block)"/g)].map(([, act]) => act)
      return found.toSorted()
    }
    await moderator.account()
    assert.deepEqual(await offered(moderator), [])
    assert.match(await (await moderator.request(`/community/posts/${id}`)).text(), /Only moderators can comment/)
    await register(moderator, new Authenticator())
    assert.deepEqual(await offered(moderator), ['block', 'comment', 'lock', 'move', 'pin'])
    const other = await signedInBrowser(world, admin)
    assert.deepEqual(await offered(other), [])
    assert.equal((await other.request('/community/u/no-such-member')).status, 404)
  })

  it('are added on the page that an admin is led to', async (world) => {
    await turnOn(world)
    const { moderator } = world
    await moderator.account()
    const led = await moderator.request('/admin', { redirect: 'manual' })
    assert.deepEqual([led.status, led.headers.get('location')], [303, '/settings/security?role#passkeys'])
    const page = await (await moderator.request('/settings/security?role')).text()
    assert.match(page, /Your role counts here only in a session with a passkey. Add one./)
    assert.match(page, /data-add-passkey/)
    await register(moderator, new Authenticator())
    assert.equal((await moderator.request('/admin', { redirect: 'manual' })).status, 200)
    const again = await signedInBrowser(world, moderator)
    assert.match(
      await (await again.request('/settings/security?role')).text(),
      /data-confirm-passkey[^>]*data-to="\/admin"/,
    )
  })
})
