// One moment of each account ends all that was issued before it: every kind of credential, at every moment that sets it, and wherever one
// is read (src/identity/credentials.ts declares the kinds).
import assert from 'node:assert/strict'
import { resetByOperator } from '../src/community/admin/admin.ts'
import { findAct } from '../src/content/pending/queries.ts'
import { stateOf } from '../src/content/pending/rules.ts'
import { chatCallers, newLinkCode } from '../src/identity/chat-links.ts'
import { type CredentialKind, credentialKinds, secretTables } from '../src/identity/credentials.ts'
import { feedKeys } from '../src/identity/feed-keys.ts'
import { findGoodLink } from '../src/identity/invitation-queries.ts'
import { findProvenAccount } from '../src/identity/tracker-account-queries.ts'
import { ID_TOKEN_TYPE } from '../src/oauth/ci/ci.ts'
import { timestamp } from '../src/runtime/clock.ts'
import { exchangeRun, gitHub, issuerFor, letRun, publishWith } from './ci.ts'
import { AGENT, allowDevice, oauthClient } from './oauth.ts'
import { isSignedIn } from './passkeys.ts'
import { insertWaiting } from './pending.ts'
import { newBrowser } from './visitors.ts'
import { onEveryEngine, type Person, type World } from './world.ts'

const PASSWORD = 'mallory knows this'
const SCOPE = 'community:read offline_access'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

interface Holder {
  world: World
  /** The browser of who holds the account before the moment. */
  browser: Person
  /** Its address now. */
  email: string
  id: string
  client: ReturnType<typeof oauthClient>
  /** Before it was changed. */
  old?: string
}

/** Whether the credential still lets its holder in. */
type Works = () => Promise<boolean>

async function hold(world: World, email: string): Promise<Holder> {
  const browser = newBrowser(world)
  const { user } = await browser.accounts.signUp({ name: 'Mallory', email, password: PASSWORD })
  return { world, browser, email, id: user.id, client: oauthClient(world) }
}

const opens =
  ({ client }: Holder, token: string): Works =>
  async () =>
    (await client.call(token)).status === 200

const jwtOf = ({ client, browser }: Holder) =>
  client.signIn(browser, { clientId: AGENT, scope: SCOPE }, { resource: client.audience })

/** One of each kind. What is good once is tried once, after the moment. */
const makers: Record<CredentialKind, (holder: Holder) => Promise<Works>> = {
  async session(holder) {
    const { world, email } = holder
    const other = newBrowser(world)
    await other.accounts.signIn({ email, password: PASSWORD })
    return () => isSignedIn(other)
  },
  async 'opaque token'(holder) {
    const { client, browser } = holder
    return opens(holder, (await client.signIn(browser, { clientId: AGENT, scope: SCOPE })).access_token)
  },
  async 'handed-on token'(holder) {
    const { client, browser } = holder
    const { access_token } = await client.signIn(browser, { clientId: AGENT, scope: SCOPE })
    const more = { subject_token: access_token, subject_token_type: ACCESS_TOKEN }
    return opens(holder, (await client.token({ grant_type: EXCHANGE, client_id: AGENT, ...more })).access_token)
  },
  async 'publishing token'({ world, browser, email }) {
    const issuer = await issuerFor(world)
    const [name] = email.split('@')
    const slug = `of-${name}`.slice(0, 60)
    await letRun(browser, issuer, { kind: 'workflow', slug })
    const { access_token } = await exchangeRun(world, await issuer.token(gitHub()), `workflow/${slug}`)
    // It publishes alone: without a file that is refused for the file, and not for the token.
    return async () => (await publishWith(world, access_token, { kind: 'workflow' })).status === 400
  },
  async 'personal token'(holder) {
    const { token } = await holder.browser.personalTokens.create({ name: 'Nightly', scopes: ['community:read'] })
    return opens(holder, token)
  },
  JWT: async (holder) => opens(holder, (await jwtOf(holder)).access_token),
  async 'JWT without its grant'(holder) {
    const tokens = await jwtOf(holder)
    await holder.client.revoke(AGENT, tokens.refresh_token!)
    return opens(holder, tokens.access_token)
  },
  async 'refresh token'({ client, browser }) {
    const { refresh_token } = await client.signIn(browser, { clientId: AGENT, scope: SCOPE })
    return async () => (await client.refresh(AGENT, refresh_token, { resource: client.audience })).status === 200
  },
  async 'authorization code'({ client, browser }) {
    const granted = await client.consent(browser, { clientId: AGENT, scope: SCOPE })
    return async () => (await client.exchange(granted)).status === 200
  },
  async 'device code'({ client, browser }) {
    const response = await client.post('/api/auth/oauth2/device_authorization', { client_id: AGENT, scope: SCOPE })
    const { device_code, user_code } = (await response.json()) as Record<string, string>
    await allowDevice(browser, user_code!)
    const form = { grant_type: DEVICE, device_code: device_code!, client_id: AGENT }
    return async () => (await client.token(form)).status === 200
  },
  async 'mailed code'({ world, browser, id }) {
    const email = `moved-${id}@example.com`
    await browser.address.sendCode({ email })
    await world.code(email)
    return async () => (await codesFor(world, { id, email })) > 0
  },
  async claim({ world, client, email }) {
    const registered = await client.register()
    await client.claim(email, 'community:read', registered)
    const code = await client.code(email)
    await world.mails(email)
    return async () => (await client.verify(email, code, registered)).status === 200
  },
  async 'feed key'({ world, browser }) {
    const { key } = await browser.feeds.renew()
    return () => readsFeed(world, key)
  },
  async 'chat link'({ world, browser }) {
    const user = { service: 'discord', workspace: '', user: crypto.randomUUID() } as const
    const code = await newLinkCode(world.dependencies, { ...user, name: 'mallory' }, timestamp(world.clock.now()))
    await browser.chatLinks.confirm({ code })
    return async () => (await chatCallers(world)(user)) !== undefined
  },
  async 'tracker link'({ world: { clock, db }, id: userId }) {
    const [createdAt, person] = [timestamp(clock.now()), { host: 'github.example', personId: userId }]
    const of = { ...person, service: 'github', login: 'mallory', codeHash: null, expiresAt: null }
    await db
      .insertInto('trackerAccount')
      .values({ ...of, userId, createdAt, linkedAt: createdAt })
      .execute()
    return async () => (await findProvenAccount(db, person)) !== undefined
  },
  async 'invitation link'({ world: { clock, db }, id }) {
    const createdAt = timestamp(clock.now())
    const tokenHash = `link of ${id}`
    const of = { createdById: id, createdAt, expiresAt: '2999-01-01T00:00:00.000Z', revokedAt: null }
    const link = { id: crypto.randomUUID(), tokenHash, role: 'moderator' as const, maxUses: 5, uses: 0, ...of }
    await db.insertInto('invitationLink').values(link).execute()
    // Only an admin has such links: the account is one for as long as it takes to look.
    return async () => {
      await db.updateTable('user').set({ role: 'admin' }).where('id', '=', id).execute()
      const found = await findGoodLink(db, { tokenHash, now: createdAt })
      await db.updateTable('user').set({ role: 'member' }).where('id', '=', id).execute()
      return found !== undefined
    }
  },
  async 'waiting act'({ world, browser, client, id }) {
    await client.signIn(browser, { clientId: AGENT, scope: SCOPE })
    const grants = await world.db.selectFrom('grant').select('id').where('userId', '=', id).orderBy('id').execute()
    const account = async () => ({ id }) as Awaited<ReturnType<Person['account']>>
    const act = await insertWaiting(world, { ...browser, account } as Person, grants.at(-1)!.id)
    return async () => stateOf((await findAct(world.db, act))!, timestamp(world.clock.now())) === 'waiting'
  },
}

async function readsFeed({ db, dependencies }: World, key: string): Promise<boolean> {
  return (await feedKeys({ db, secretFor: dependencies.secretFor })(key)) !== undefined
}

async function codesFor({ db }: World, { id, email }: { id: string; email: string }): Promise<number> {
  const rows = await db.selectFrom('emailCode').select('id').where('ownerId', '=', id).execute()
  return rows.length + (await db.selectFrom('emailCode').select('id').where('email', '=', email).execute()).length
}

async function enterByCode(world: World, email: string): Promise<Person> {
  const owner = newBrowser(world)
  await owner.accounts.sendCode({ email })
  await owner.accounts.signInWithCode({ email, code: await world.code(email) })
  return owner
}

interface Moment {
  /** What the account is before anything is issued. */
  before?(holder: Holder): Promise<unknown>
  come(holder: Holder): Promise<unknown>
}

const verify = ({ world, browser, email }: Holder) =>
  world.code(email).then((code) => browser.accounts.verifyEmail({ code }))

/** Every moment that ends credentials. */
const moments: Readonly<Record<string, Moment>> = {
  'a take-over by a sign-in code': { come: ({ world, email }) => enterByCode(world, email) },
  'a take-over by a claim': {
    async come({ client, email }) {
      await client.claim(email, 'community:read')
      assert.equal((await client.verify(email, await client.code(email))).status, 200)
    },
  },
  'a reset of the password': {
    before: verify,
    async come({ world, email }) {
      const owner = newBrowser(world)
      await owner.accounts.forgotPassword({ email })
      await owner.accounts.resetPassword({ email, code: await world.code(email), password: 'the looms are singing' })
    },
  },
  'a new password': {
    before: verify,
    come: ({ browser }) =>
      browser.accounts.changePassword({ password: PASSWORD, newPassword: 'the looms are singing' }),
  },
  'a reset by the operator': {
    before: verify,
    come: ({ world, id }) =>
      resetByOperator({ ...world.dependencies, now: timestamp(world.clock.now()) }, { id, reason: null }),
  },
  'an undone change of address': {
    async before(holder) {
      await verify(holder)
      const { browser, world, email: old } = holder
      const email = `stolen-${holder.id}@example.com`
      await browser.address.sendCode({ email })
      await browser.address.change({ email, code: await world.code(email) })
      Object.assign(holder, { email, old })
    },
    async come(holder) {
      const { world, old = '' } = holder
      const mail = (await world.mails(old)).findLast(({ body }) => body.includes('/email-undo'))
      await world.anonymous.address.undo({ token: /token=(\S+)/.exec(mail!.body)![1]! })
    },
  },
  'a request to delete the account': {
    before: verify,
    come: ({ browser }) => browser.deletion.request({ content: 'anonymise' }),
  },
}

/** One of each kind, by its kind. Claims come last: a code that is mailed after it would be taken for it. */
async function makeAll(holder: Holder): Promise<Map<CredentialKind, Works>> {
  const made = new Map<CredentialKind, Works>()
  for (const kind of credentialKinds) made.set(kind, await makers[kind](holder))
  return made
}

async function thatWork(made: Map<CredentialKind, Works>): Promise<string[]> {
  const found: string[] = []
  for (const [kind, works] of made) if (await works()) found.push(kind)
  return found
}

const validFrom = async ({ db }: World, id: string) =>
  (await db.selectFrom('user').select('credentialsValidFrom').where('id', '=', id).executeTakeFirstOrThrow())
    .credentialsValidFrom

onEveryEngine('the moment of an account', (it) => {
  it('is not there at first, and every kind works', async (world) => {
    const holder = await hold(world, 'mallory@example.com')
    await verify(holder)
    const made = await makeAll(holder)
    assert.deepEqual(await thatWork(made), [...credentialKinds])
  })

  for (const [name, { before, come }] of Object.entries(moments)) {
    it(`ends every kind of credential: ${name}`, async (world) => {
      const holder = await hold(world, 'mallory@example.com')
      await before?.(holder)
      const made = await makeAll(holder)
      await come(holder)
      assert.deepEqual(await thatWork(made), [])
      assert.ok(await validFrom(world, holder.id))
    })
  }

  it('alone ends what has a row that is left over', async (world) => {
    const holder = await hold(world, 'mallory@example.com')
    const made = await makeAll(holder)
    world.clock.pass(2)
    const credentialsValidFrom = timestamp(world.clock.now())
    await world.db.updateTable('user').set({ credentialsValidFrom }).where('id', '=', holder.id).execute()
    for (const kind of ['mailed code', 'claim'] as const) made.delete(kind)
    assert.deepEqual(await thatWork(made), [])
  })

  it('is not set by a block, which answers with 403', async (world) => {
    const holder = await hold(world, 'mallory@example.com')
    const { access_token } = await jwtOf(holder)
    await world.admin.admin.block({ id: holder.id, blocked: true })
    const response = await holder.client.call(access_token)
    assert.equal(response.status, 403)
    assert.deepEqual(await response.json(), { error: 'Account blocked' })
    assert.equal(await validFrom(world, holder.id), null)
  })

  it('leaves a JWT alone that was issued in its own second, as long as its grant lives', async (world) => {
    const { client, email } = await hold(world, 'mallory@example.com')
    world.clock.stop()
    await client.claim(email, SCOPE)
    const claimed = await client.verify(email, await client.code(email), AGENT, { resource: client.audience })
    assert.equal((await client.call(claimed.access_token)).status, 200)
    await client.revoke(AGENT, claimed.refresh_token!)
    assert.equal((await client.call(claimed.access_token)).status, 401, 'its grant is gone')
  })

  it('leaves a JWT of a later second alone when its grant is gone', async (world) => {
    const { client, email } = await hold(world, 'mallory@example.com')
    const owner = await enterByCode(world, email)
    world.clock.pass(1)
    const tokens = await client.signIn(owner, { clientId: AGENT, scope: SCOPE }, { resource: client.audience })
    await client.revoke(AGENT, tokens.refresh_token!)
    assert.equal((await client.call(tokens.access_token)).status, 200)
  })

  it('is never later than what is issued after it, by a process whose clock is behind', async (world) => {
    const { client, email, id } = await hold(world, 'mallory@example.com')
    await enterByCode(world, email)
    const ahead = timestamp(world.clock.now() + 30_000)
    await world.db.updateTable('user').set({ credentialsValidFrom: ahead }).where('id', '=', id).execute()
    const owner = await enterByCode(world, email)
    assert.equal(await isSignedIn(owner), true)
    const { access_token } = await client.signIn(owner, { clientId: AGENT, scope: SCOPE })
    assert.equal((await client.call(access_token)).status, 200)
  })

  it('takes webhooks and signing keys along in a take-over and a reset, and in nothing else', async (world) => {
    const left = async (id: string) => {
      const keys = world.db.selectFrom('publisherKey').select('id').where('accountId', '=', id)
      const hooks = world.db.selectFrom('webhook').select('id').where('ownerId', '=', id)
      return [
        (await keys.where('revokedAt', 'is', null).execute()).length,
        (await hooks.execute()).length,
        (await world.db.selectFrom('passkey').select('id').where('userId', '=', id).execute()).length,
      ]
    }
    for (const [name, { before, come }] of Object.entries(moments)) {
      const holder = await hold(world, `${name.replaceAll(' ', '-')}@example.com`)
      await before?.(holder)
      await setUp(world, holder.id)
      await come(holder)
      const goes = /take-over|operator/.test(name)
      const undone = /undone/.test(name)
      assert.deepEqual(await left(holder.id), goes ? [0, 0, 0] : [1, 1, undone ? 0 : 1], name)
    }
  })

  it('takes programs with a workload identity along where it takes passkeys along, and in nothing else', async (world) => {
    const issuer = await issuerFor(world)
    await world.admin.settings.change({ changes: { WORKLOAD_ISSUERS: issuer.url } })
    for (const [name, { before, come }] of Object.entries(moments)) {
      const holder = await hold(world, `${name.replaceAll(' ', '-')}@example.com`)
      await before?.(holder)
      const program = { name: 'Nightly', issuer: issuer.url, subject: 'mallory', scopes: ['community:read' as const] }
      const { id } = await holder.browser.workloads.create(program)
      await come(holder)
      world.clock.pass(2)
      const token = await issuer.token({ sub: 'mallory' })
      const form = { grant_type: EXCHANGE, subject_token: token, subject_token_type: ID_TOKEN_TYPE, workload: id }
      const { status } = await holder.client.token(form)
      assert.equal(status, /password/.test(name) ? 200 : 400, name)
    }
  })

  it('has every table of secrets in its declaration', async ({ db }) => {
    const tables = await db.introspection.getTables()
    const secret = /hash$|^publicKey$|secret|credentialId/i
    const keeping = tables.filter(({ columns }) => columns.some(({ name }) => secret.test(name)))
    const known = new Set([...Object.keys(secretTables), ...NO_SECRETS])
    assert.deepEqual(
      keeping.map(({ name }) => name).filter((name) => !known.has(name)),
      [],
    )
    const kinds = new Set(Object.values(secretTables).flatMap((of) => (typeof of === 'string' ? [] : of)))
    const withoutRow = ['JWT', 'JWT without its grant', 'waiting act']
    assert.deepEqual(
      credentialKinds.filter((kind) => !kinds.has(kind) && !withoutRow.includes(kind)),
      [],
    )
  })
})

/** Tables with hashes of what is no secret. */
const NO_SECRETS: readonly string[] = ['audit', 'auditHead', 'logEntry', 'seenMail', 'storedBytes']

/** What acts for an account by itself. */
async function setUp({ db }: World, id: string): Promise<void> {
  const createdAt = '2026-01-01T00:00:00.000Z'
  const webhook = {
    ...{ id: crypto.randomUUID(), ownerId: id, itemId: null, url: 'https://example.com/', description: '' },
    ...{ events: '[]', secret: 'sealed', previousSecret: null, previousSecretUntil: null, createdAt },
    ...{ updatedAt: createdAt, disabledAt: null, disabledReason: null, failingSince: null, dueAt: null },
  }
  await db.insertInto('webhook').values(webhook).execute()
  const key = { id: crypto.randomUUID(), accountId: id, name: 'Laptop', publicKey: `key of ${id}`, createdAt }
  await db
    .insertInto('publisherKey')
    .values({ ...key, revokedAt: null })
    .execute()
  const passkey = { id: crypto.randomUUID(), userId: id, credentialId: `of ${id}`, publicKey: 'key', counter: 0 }
  await db
    .insertInto('passkey')
    .values({ ...passkey, transports: '[]', name: 'Phone', createdAt, lastUsedAt: null })
    .execute()
}
