// Assertions for tokens of accounts (RFC 7523, 2.1): those of an identity provider (ID-JAG), and those that a client signs itself.
import assert from 'node:assert/strict'
import { it as nodeIt, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import {
  auth,
  CrossAppAccessProvider,
  createPrivateKeyJwtAuth,
  discoverAndRequestJwtAuthGrant,
} from '@modelcontextprotocol/client'
import { exportJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { sql } from 'kysely'
import { onEngines } from '../../../test/databases.ts'
import { IDP_CLIENT, startIdentityProvider } from '../../../test/identity-provider.ts'
import { keyClient, newOwnKey, type Signing } from '../../../test/key-client.ts'
import { listening } from '../../../test/listening.ts'
import { oauthClient } from '../../../test/oauth.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { engineOf } from '../../database/engine.ts'
import { JWT_BEARER } from '../rules.ts'

const idp = await startIdentityProvider()
const PROVIDERS = [{ issuer: idp.issuer, jwks: idp.jwks, emailDomains: ['example.com'] }]
const SETTINGS = { IDENTITY_PROVIDERS: JSON.stringify(PROVIDERS) }
const GRANTS = { grant_types: ['authorization_code', 'refresh_token', JWT_BEARER] }
const ID_JAG = { typ: 'oauth-id-jag+jwt' }

type KeyClient = Awaited<ReturnType<typeof keyClient>>

let made = 0

/** What the provider says of a person for a client. */
function claimsFor({ clock, dependencies }: World, { clientId }: KeyClient, more: JWTPayload = {}): JWTPayload {
  const iat = Math.floor(clock.now() / 1000)
  const of = { iss: idp.issuer, sub: 'mira', aud: dependencies.config.issuer, client_id: clientId }
  const all = {
    ...of,
    iat,
    exp: iat + 300,
    jti: `id-jag-of-test-${++made}`,
    scope: 'community:read community:write',
    ...more,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

const assertion = (world: World, own: KeyClient, more?: JWTPayload) => idp.sign(claimsFor(world, own, more), ID_JAG)

const show = async ({ client, credentials }: KeyClient, token: string, more: Record<string, string> = {}) =>
  client.token({ grant_type: JWT_BEARER, assertion: token, ...(await credentials()), ...more })

/** Resolves when a query waits for a lock. */
async function waitingForLock({ db }: World): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  while ((await waiting.execute(db)).rows.length === 0) await setTimeout(10)
}

const mira = { email: 'mira@example.com', email_verified: true, name: 'Mira' }

onEveryEngine(
  'an identity assertion',
  (it) => {
    it('lets a client act for a new account, and for the same one from then on', async (world) => {
      const own = await keyClient(world, { ...GRANTS, client_name: 'Known agent' })
      const first = await show(own, await assertion(world, own, mira))
      assert.equal(first.status, 200, JSON.stringify(first))
      assert.deepEqual(
        [first.scope, first.expires_in, first.refresh_token],
        ['community:read community:write', 3600, undefined],
      )
      assert.equal((await own.client.call(first.access_token)).status, 200)
      const again = await show(own, await assertion(world, own, { email: 'other@example.com', email_verified: true }))
      assert.equal(again.status, 200, 'by its subject, not by its address')
      const users = await world.db.selectFrom('user').select(['id', 'email', 'emailVerifiedBy']).execute()
      const [me] = users
      assert.deepEqual([users.length, me?.email, me?.emailVerifiedBy], [1, 'mira@example.com', 'external'])
      const grants = await world.db.selectFrom('grant').select(['clientName', 'userId']).execute()
      assert.deepEqual(
        grants.map(({ clientName, userId }) => [clientName, userId]),
        [['Known agent', me!.id]],
        'one grant for all assertions',
      )
    })

    it('has one budget for all tokens of a client, and one end', async (world) => {
      const own = await keyClient(world, GRANTS)
      const details = [{ type: 'guildhall_bounds', writes: 2 }]
      const { email } = world.alice
      await world.alice.account()
      await world.alice.accounts.verifyEmail({ code: await world.code(email) })
      const claims = { email, email_verified: true, authorization_details: details }
      const tokens: string[] = []
      for (const named of ['community:write', 'community:read community:write', 'community:write']) {
        const answer = await show(own, await assertion(world, own, { ...claims, scope: named }))
        assert.deepEqual([answer.status, answer.scope], [200, named])
        tokens.push(answer.access_token)
      }
      const write = (token: string) =>
        world.app.fetch(
          new Request('http://localhost:3000/api/community/posts', {
            method: 'POST',
            headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
            body: JSON.stringify({ title: 'By an agent', body: 'B' }),
          }),
        )
      const statuses = []
      for (const token of tokens) statuses.push((await write(token)).status)
      assert.deepEqual(statuses, [201, 201, 429])
      const { items } = await world.alice.signIns.list({})
      assert.equal(items.length, 1)
      await world.alice.signIns.end({ id: items[0]?.id ?? '' })
      for (const token of tokens) assert.equal((await write(token)).status, 401)
    })

    it('is bounded by what it names, what the client registered, and what is asked', async (world) => {
      const own = await keyClient(world, { ...GRANTS, scope: 'community:read library:read' })
      const scopeFor = async (claims: JWTPayload, more: Record<string, string> = {}) => {
        const { scope, error } = await show(own, await assertion(world, own, { ...mira, ...claims }), more)
        return scope ?? error
      }
      assert.equal(await scopeFor({}), 'community:read')
      assert.equal(await scopeFor({ scope: undefined as never }), 'community:read library:read')
      assert.equal(await scopeFor({ scope: 'library:read community:read' }, { scope: 'library:read' }), 'library:read')
      assert.equal(await scopeFor({}, { scope: 'library:write' }), 'invalid_scope')
      assert.equal(await scopeFor({ scope: 'community:write' }), 'invalid_scope')
      assert.equal(await scopeFor({ scope: 'offline_access' }), 'invalid_scope')
      assert.equal(await scopeFor({}, { scope: 'nonsense' }), 'invalid_scope')
      const bounds = [{ type: 'guildhall_bounds', writes: 1, expires_in: 600 }]
      const bound = await show(own, await assertion(world, own, { ...mira, authorization_details: bounds }))
      assert.equal(bound.expires_in, 600)
      assert.deepEqual((bound as unknown as { authorization_details: unknown }).authorization_details, bounds)
      const both = await show(own, await assertion(world, own, { ...mira, authorization_details: bounds }), {
        authorization_details: JSON.stringify(bounds),
      })
      assert.equal(both.error, 'invalid_authorization_details')
    })

    it('is refused when it is forged, of others, for others, of another kind or another time', async (world) => {
      const own = await keyClient(world, GRANTS)
      const other = await keyClient(world, GRANTS)
      const now = Math.floor(world.clock.now() / 1000)
      const { issuer, baseUrl } = world.dependencies.config
      const tries: readonly (readonly [string, JWTPayload, Record<string, unknown>?])[] = [
        ['another audience', { aud: 'https://other.example' }],
        ['the token endpoint', { aud: `${issuer}/oauth2/token` }],
        ['two audiences', { aud: [issuer, 'https://other.example'] }],
        ['an unknown issuer', { iss: 'https://other.example' }],
        ['our own issuer', { iss: issuer }],
        ['another client', { client_id: other.clientId }],
        ['no client', { client_id: undefined as never }],
        ['another resource', { resource: 'https://other.example/api' }],
        ['one resource of two', { resource: [`${baseUrl}/api`, 'https://other.example'] }],
        ['expired', { iat: now - 600, exp: now - 60 }],
        ['of the future', { iat: now + 300, exp: now + 400 }],
        ['for too long', { exp: now + 4_000 }],
        ['without a jti', { jti: undefined as never }],
        ['without a subject', { sub: undefined as never }],
        ['an ID token', {}, { typ: 'JWT' }],
        ['an access token', {}, { typ: 'at+jwt' }],
        ['no type', {}, {}],
      ]
      for (const [what, claims, header = ID_JAG] of tries) {
        const refused = await show(own, await idp.sign(claimsFor(world, own, { ...mira, ...claims }), header))
        assert.deepEqual([refused.status, refused.error], [400, 'invalid_grant'], what)
      }
      const claims = claimsFor(world, own, mira)
      const { privateKey } = await newOwnKey('RS256')
      const secret = new TextEncoder().encode(JSON.stringify(idp.jwks.keys[0]))
      for (const [what, token] of [
        [
          'another key',
          await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'provider', ...ID_JAG }).sign(privateKey),
        ],
        [
          'a shared secret',
          await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'provider', ...ID_JAG }).sign(secret),
        ],
        ['no signature', new UnsecuredJWT(claims).encode()],
        ['a plain ID token', await idp.idToken('mira')],
        ['nothing', 'a.b.c'],
      ] as const) {
        assert.equal((await show(own, token)).error, 'invalid_grant', what)
      }
      assert.equal(
        (await show(other, await assertion(world, own, mira))).error,
        'invalid_grant',
        'shown by another client',
      )
      const open = await own.client.register(GRANTS)
      const unauthenticated = {
        grant_type: JWT_BEARER,
        client_id: open,
        assertion: await assertion(world, { ...own, clientId: open }, mira),
      }
      assert.deepEqual((await own.client.token(unauthenticated)).status, 401)
      const unregistered = await keyClient(world)
      assert.equal((await show(unregistered, await assertion(world, unregistered, mira))).error, 'unauthorized_client')
      assert.equal(
        (await show(own, await assertion(world, own, mira), { resource: 'https://other.example' })).error,
        'invalid_target',
      )
      assert.deepEqual(await world.db.selectFrom('user').select('id').execute(), [])
    })

    it('is good once, of ten that are shown at once', async (world) => {
      const own = await keyClient(world, GRANTS)
      const token = await assertion(world, own, mira)
      const answers = await Promise.all(Array.from({ length: 10 }, () => show(own, token)))
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      assert.deepEqual(await world.db.selectFrom('user').select('email').execute(), [{ email: 'mira@example.com' }])
    })

    it('makes one account of a new person, of three that are shown at once, ten times', async (world) => {
      const own = await keyClient(world, GRANTS)
      for (let round = 0; round < 10; round++) {
        const claims = { sub: `new-${round}`, email: `new-${round}@example.com`, email_verified: true }
        const tokens = await Promise.all(Array.from({ length: 3 }, () => assertion(world, own, claims)))
        const answers = await Promise.all(tokens.map((token) => show(own, token)))
        assert.deepEqual(
          answers.map(({ status, error_description }) => [status, error_description]),
          Array.from({ length: 3 }, () => [200, undefined]),
        )
      }
      assert.equal((await world.db.selectFrom('user').select('id').execute()).length, 10)
      assert.equal((await world.db.selectFrom('grant').select('id').execute()).length, 10)
    })

    it('leads to the account that another one of the same person made since it was looked for', async (world) => {
      const own = await keyClient(world, GRANTS)
      assert.equal((await show(own, await assertion(world, own, mira))).status, 200)
      if (engineOf(world.db) === 'sqlite') return
      const identity = await world.db.deleteFrom('externalIdentity').returningAll().executeTakeFirstOrThrow()
      const answer = await world.db.transaction().execute(async (db) => {
        await sql`lock table "user" in exclusive mode`.execute(db)
        await db.insertInto('externalIdentity').values(identity).execute()
        const shown = show(own, await assertion(world, own, mira))
        await waitingForLock(world)
        return { shown }
      })
      assert.equal((await answer.shown).status, 200, 'one that was connected in between')
      assert.equal((await world.db.selectFrom('grant').select('id').execute()).length, 1)
    })

    it('leads into no account that its provider may not speak for', async (world) => {
      const own = await keyClient(world, GRANTS)
      const refused = async (claims: JWTPayload) => (await show(own, await assertion(world, own, claims))).error
      assert.equal(await refused({}), 'invalid_grant', 'no address')
      assert.equal(await refused({ ...mira, email: 'mira@other.example' }), 'invalid_grant', 'another domain')
      assert.equal(await refused({ ...mira, email: 'mira@sub.example.com' }), 'invalid_grant', 'a domain below')
      assert.equal(await refused({ ...mira, email_verified: false }), 'invalid_grant', 'not verified')
      assert.equal(await refused({ email: mira.email }), 'invalid_grant', 'not said to be verified')
      const { email } = await world.admin.account()
      assert.equal(await refused({ sub: 'admin', email, email_verified: true }), 'invalid_grant', 'of an admin')
      const alice = await world.alice.account()
      const linked = await show(
        own,
        await assertion(world, own, { sub: 'alice', email: alice.email, email_verified: true }),
      )
      assert.equal(linked.status, 200)
      assert.ok((await world.mails(alice.email)).some(({ body }) => body.includes(new URL(idp.issuer).host)))
      assert.equal(
        await refused({ sub: 'another', email: alice.email, email_verified: true }),
        'invalid_grant',
        'another subject',
      )
      await world.admin.admin.block({ id: alice.id, blocked: true })
      assert.equal(await refused({ sub: 'alice' }), 'invalid_grant', 'blocked')
      assert.equal((await own.client.call(linked.access_token)).status, 401)
    })

    it('gives a token that is listed, ended by its owner, and by the moment of the account', async (world) => {
      const own = await keyClient(world, { ...GRANTS, client_name: 'Known agent' })
      const { email } = await world.alice.account()
      await world.alice.accounts.sendVerification()
      await world.alice.accounts.verifyEmail({ code: await world.code(email) })
      const person = { sub: 'alice', email, email_verified: true }
      const linked = await show(own, await assertion(world, own, person))
      assert.equal(linked.status, 200)
      const signedIn = world.alice
      const [app] = (await signedIn.signIns.list()).items
      assert.equal(app?.clientName, 'Known agent')
      await signedIn.signIns.end({ id: app!.id })
      assert.equal((await own.client.call(linked.access_token)).status, 401)
      const early = await assertion(world, own, person)
      const before = await show(own, await assertion(world, own, person))
      assert.equal(before.status, 200)
      await signedIn.accounts.forgotPassword({ email })
      await signedIn.accounts.resetPassword({ email, code: await world.code(email), password: 'another good password' })
      assert.equal((await own.client.call(before.access_token)).status, 401)
      assert.equal((await show(own, early)).error, 'invalid_grant', 'made before the moment')
    })
  },
  SETTINGS,
)

onEveryEngine(
  'an identity assertion where sign-up is closed',
  (it) => {
    it('makes no account', async (world) => {
      const own = await keyClient(world, GRANTS)
      assert.equal((await show(own, await assertion(world, own, mira))).error, 'invalid_grant')
      assert.deepEqual(await world.db.selectFrom('user').select('id').execute(), [])
    })
  },
  { ...SETTINGS, SIGN_UP: 'closed' },
)

onEveryEngine(
  'an identity provider for some clients',
  (it) => {
    it('lets no other one in', async (world) => {
      const own = await keyClient(world, GRANTS)
      assert.equal((await show(own, await assertion(world, own, mira))).error, 'invalid_grant')
    })
  },
  { IDENTITY_PROVIDERS: JSON.stringify([{ ...PROVIDERS[0], clients: ['https://agent.example/client.json'] }]) },
)

onEveryEngine('an assertion that a client signs itself', (it) => {
  const scope = 'community:read community:write offline_access'
  const assert400 = (answer: { error?: string }, what: string) => assert.equal(answer.error, 'invalid_grant', what)

  it('gives what the account lets the client have, while it lets it stay', async (world) => {
    const own = await keyClient(world, GRANTS)
    const { id } = await world.alice.account()
    const bob = await world.bob.account()
    const signs = async (more: Signing = {}, form: Record<string, string> = {}) =>
      show(own, await own.assertion({ ...more, claims: { sub: id, ...more.claims } }), form)
    assert400(await signs(), 'no grant yet')
    const brief = await own.client.signIn(
      world.alice,
      { clientId: own.clientId, scope: 'community:read' },
      await own.credentials(),
    )
    assert.equal(brief.status, 200)
    assert400(await signs(), 'not let to stay')
    const tokens = await own.client.signIn(world.alice, { clientId: own.clientId, scope }, await own.credentials())
    const given = await signs()
    assert.deepEqual([given.status, given.scope], [200, 'community:read community:write'])
    assert.equal((await own.client.call(given.access_token)).status, 200)
    assert.equal((await signs({}, { scope: 'community:read' })).scope, 'community:read')
    assert.equal((await signs({}, { scope: 'library:write' })).error, 'invalid_scope')
    assert400(await signs({ claims: { sub: bob.id } }), 'another account')
    const used = await own.assertion({ claims: { sub: id } })
    assert.equal((await show(own, used)).status, 200)
    assert400(await show(own, used), 'used')
    const other = await keyClient(world, GRANTS)
    assert400(await show(other, await own.assertion({ claims: { sub: id } })), 'of another client')
    assert400(await show(own, await own.assertion({ claims: { sub: id } }, other.key)), 'another key')
    assert400(await signs({ claims: { aud: 'https://other.example' } }), 'another audience')
    await own.client.post('/api/auth/oauth2/revoke', { token: tokens.refresh_token!, ...(await own.credentials()) })
    assert.equal((await own.client.call(given.access_token)).status, 401)
    assert400(await signs(), 'ended')
  })
})

/** The SDK of MCP, from its discovery to a tool: cross-app access. */
async function withSdk(world: World): Promise<void> {
  const { baseUrl, issuer } = world.dependencies.config
  const own = await keyClient(world, GRANTS, await newOwnKey('ES256'))
  idp.clientThere = own.clientId
  idp.people['sdk'] = { ...mira, email: 'sdk@example.com' }
  const access = new CrossAppAccessProvider({
    ...{ clientId: own.clientId, clientSecret: '', expectedIssuer: issuer },
    assertion: async (context) => {
      const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
        ...{ idpUrl: idp.issuer, audience: context.authorizationServerUrl, resource: context.resourceUrl },
        ...{ idToken: await idp.idToken('sdk'), clientId: IDP_CLIENT.id, clientSecret: IDP_CLIENT.secret },
        ...(context.scope !== undefined && { scope: context.scope }),
        ...(context.fetchFn && { fetchFn: context.fetchFn }),
      })
      return jwtAuthGrant
    },
  })
  const privateKey = { ...(await exportJWK(own.key.privateKey)), kid: own.key.kid }
  const keyed = Object.assign(access, {
    addClientAuthentication: createPrivateKeyJwtAuth({
      issuer: own.clientId,
      subject: own.clientId,
      privateKey,
      alg: 'ES256',
    }),
  })
  const outcome = await auth(keyed, { serverUrl: `${baseUrl}/api/mcp`, scope: 'community:read' })
  assert.equal(outcome, 'AUTHORIZED')
  const me = await oauthClient(world).call(access.tokens()!.access_token)
  assert.equal(me.status, 200)
  const users = await world.db.selectFrom('user').select('email').execute()
  assert.deepEqual(users, [{ email: 'sdk@example.com' }])
}

onEngines('cross-app access of the SDK of MCP', (open) => {
  nodeIt('gets a token for an employee without a page', (t: TestContext) =>
    listening(t, withSdk, { open, settings: SETTINGS }),
  )
})
