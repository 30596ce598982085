// Apps with a secret: who registers one, in which way its secret is good, what replaces and ends it, and what it opens.
import assert from 'node:assert/strict'
import { it as nodeIt, type TestContext } from 'node:test'
import {
  auth,
  Client,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  exchangeJwtAuthGrant,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/client'
import { onEngines } from '../../../test/databases.ts'
import { IDP_CLIENT, startIdentityProvider } from '../../../test/identity-provider.ts'
import { keyClient } from '../../../test/key-client.ts'
import { listening } from '../../../test/listening.ts'
import { oauthClient, REDIRECT } from '../../../test/oauth.ts'
import { basicOf, registerApp, type SecretApp, show, tokenOf } from '../../../test/secret-app.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { isClientSecret } from '../../identity/checked-secret.ts'
import { JWT_BEARER } from '../rules.ts'
import { MAX_OVERLAP_HOURS, MAX_SECRET_CLIENTS } from './rules.ts'

const idp = await startIdentityProvider()
const PROVIDERS = [{ issuer: idp.issuer, jwks: idp.jwks, emailDomains: ['example.com'] }]
const SETTINGS = { IDENTITY_PROVIDERS: JSON.stringify(PROVIDERS) }
const AUTH = '/api/auth/oauth2'

const statusOf = async (world: World, app: SecretApp, more?: Parameters<typeof show>[3]) =>
  (await show(world, idp, app, more)).status

onEveryEngine(
  'an app with a secret',
  (it) => {
    it('is registered by an admin in a fresh session, and its secret is in one response alone', async (world) => {
      const { admin, moderator, alice, db } = world
      const app = await registerApp(world, { name: ' Inspector\u202e\n\tof us ' })
      assert.deepEqual(
        [app.name, app.method, isClientSecret(app.secret)],
        ['Inspector of us', 'client_secret_basic', true],
      )
      const { secret, ...rest } = app
      assert.deepEqual((await admin.secretClients.list()).items, [rest])
      const stored = JSON.stringify(await db.selectFrom('secretClient').selectAll().execute())
      assert.ok(!stored.includes(secret.slice(8, 30)))
      const log = JSON.stringify(await db.selectFrom('audit').selectAll().execute())
      assert.ok(log.includes('app-secret.create') && !log.includes(secret.slice(8, 30)))
      await admin.account()
      for (const other of [alice, moderator]) {
        await other.account()
        await assert.rejects(other.secretClients.list(), { status: 403 })
        await assert.rejects(other.secretClients.create({ name: 'Mine' }), { status: 403 })
        await assert.rejects(other.secretClients.rotate({ id: app.id }), { status: 403 })
        await assert.rejects(other.secretClients.end({ id: app.id }), { status: 403 })
      }
      await assert.rejects(world.anonymous.secretClients.list(), { status: 401 })
      world.clock.pass(601)
      await assert.rejects(admin.secretClients.create({ name: 'Late' }), { status: 403 })
      await assert.rejects(admin.secretClients.rotate({ id: app.id }), { status: 403 })
      for (const name of ['', 'x'.repeat(61)])
        await assert.rejects(admin.secretClients.create({ name }), { status: 400 })
      await assert.rejects(admin.secretClients.create({ name: 'Wrong', method: 'none' as never }), { status: 400 })
    })

    it('is one of so many at most, also in a race', async (world) => {
      await registerApp(world)
      const one = world.db.selectFrom('secretClient').selectAll()
      const row = await one.executeTakeFirstOrThrow()
      const more = Array.from({ length: MAX_SECRET_CLIENTS - 2 }, (_, at) => ({ ...row, id: `app-${at}` }))
      await world.db.insertInto('secretClient').values(more).execute()
      const tries = await Promise.allSettled([1, 2, 3].map((n) => world.admin.secretClients.create({ name: `${n}` })))
      assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
      await assert.rejects(world.admin.secretClients.create({ name: 'More' }), { status: 409 })
    })

    it('gets a token for an identity assertion, and shows its secret in the way that is registered alone', async (world) => {
      for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
        const app = await registerApp(world, { method })
        const other = await registerApp(world, { method })
        const given = await show(world, idp, app)
        assert.deepEqual([given.status, given.scope, given.refresh_token], [200, 'community:read', undefined])
        assert.equal((await oauthClient(world).call(given.access_token)).status, 200)
        const wrong: Readonly<Record<string, Parameters<typeof show>[3]>> = {
          'in the other way': {
            method: method === 'client_secret_basic' ? 'client_secret_post' : 'client_secret_basic',
          },
          'the secret of another app': { secret: other.secret },
          'no secret': { secret: '' },
          'one letter changed': { secret: `${app.secret.slice(0, -1)}${app.secret.endsWith('a') ? 'b' : 'a'}` },
          'the secret with more': { secret: `${app.secret}a` },
        }
        for (const [what, more] of Object.entries(wrong)) {
          const refused = await show(world, idp, app, more)
          assert.deepEqual([refused.status, refused.error], [401, 'invalid_client'], `${method}: ${what}`)
        }
        const both = await show(world, idp, app, { method: 'both' })
        assert.deepEqual([both.status, both.error], [400, 'invalid_request'])
        assert.equal((await show(world, idp, other, { assertionOf: app.id })).error, 'invalid_grant', 'of another app')
      }
    })

    it('is named once, and never beside an assertion of a client', async (world) => {
      const app = await registerApp(world)
      const keyed = await keyClient(world, { grant_types: ['authorization_code', JWT_BEARER] })
      const assertion = await idp.sign(tokenOf(world, idp, app.id), { typ: 'oauth-id-jag+jwt' })
      const form = { grant_type: JWT_BEARER, assertion }
      const send = async (more: Record<string, string>, credentials = basicOf(app.id, app.secret)) => {
        const response = await oauthClient(world).send(`${AUTH}/token`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: credentials },
          body: new URLSearchParams({ ...form, ...more }).toString(),
        })
        return [response.status, ((await response.json()) as { error?: string }).error]
      }
      assert.deepEqual(await send({ client_id: keyed.clientId }), [400, 'invalid_request'])
      assert.deepEqual(await send(await keyed.credentials()), [400, 'invalid_request'])
      assert.deepEqual(await send({ client_secret: app.secret }), [400, 'invalid_request'])
      assert.deepEqual(await send({}, basicOf(keyed.clientId, app.secret)), [401, 'invalid_client'])
      assert.deepEqual(await send({}, basicOf('nobody', app.secret)), [401, 'invalid_client'])
      assert.deepEqual(await send({ client_id: app.id }), [200, undefined])
    })

    it('opens nothing but that: no page, no code, no device, no refresh, and no registration of a secret', async (world) => {
      const app = await registerApp(world)
      const client = oauthClient(world)
      const headers = {
        'Content-Type': 'application/x-www-form-urlencoded',
        Authorization: basicOf(app.id, app.secret),
      }
      const send = async (path: string, form: Record<string, string>) => {
        const body = new URLSearchParams(form).toString()
        const response = await client.send(`${AUTH}/${path}`, { method: 'POST', headers, body })
        return [response.status, ((await response.json()) as { error?: string }).error]
      }
      const query = client.request({ clientId: app.id, redirectUri: REDIRECT }, client.newVerifier())
      assert.equal((await client.authorize(world.alice, query)).to, undefined)
      assert.deepEqual((await send('par', Object.fromEntries(query)))[0], 400)
      assert.deepEqual(await send('device_authorization', {}), [400, 'unauthorized_client'])
      assert.deepEqual(await send('token', { grant_type: 'authorization_code', code: 'x', redirect_uri: REDIRECT }), [
        400,
        'invalid_request',
      ])
      assert.deepEqual(await send('token', { grant_type: 'refresh_token', refresh_token: 'x' }), [
        400,
        'invalid_request',
      ])
      assert.notEqual((await client.claim('alice@example.com', 'community:read', app.id)).status, 200)
      for (const method of ['client_secret_basic', 'client_secret_post', 'client_secret_jwt']) {
        const metadata = { redirect_uris: [REDIRECT], token_endpoint_auth_method: method, client_secret: 'mine' }
        const response = await client.postJson(`${AUTH}/register`, metadata)
        const made = (await response.json()) as Record<string, unknown>
        assert.deepEqual([made['token_endpoint_auth_method'], made['client_secret']], ['none', undefined])
        const id = String(made['client_id'])
        const asPublic = { ...app, id, method: 'client_secret_post' as const }
        assert.equal(await statusOf(world, asPublic, { secret: 'mine' }), 401, 'a secret for a public client')
      }
    })

    it('is rotated with an overlap of so many hours, or at once', async (world) => {
      const app = await registerApp(world)
      const rotated = await world.admin.secretClients.rotate({ id: app.id, overlapHours: 1 })
      assert.ok(isClientSecret(rotated.secret) && rotated.secret !== app.secret)
      assert.deepEqual([await statusOf(world, app), await statusOf(world, rotated)], [200, 200])
      world.clock.pass(3_599)
      assert.equal(await statusOf(world, app), 200)
      world.clock.pass(1)
      assert.deepEqual([await statusOf(world, app), await statusOf(world, rotated)], [401, 200])
      const [listed] = (await world.admin.secretClients.list()).items
      assert.equal(listed?.formerUntil, null)
    })

    it('has two secrets at most, and one where it is rotated at once', async (world) => {
      const app = await registerApp(world)
      const second = await world.admin.secretClients.rotate({ id: app.id })
      const third = await world.admin.secretClients.rotate({ id: app.id, overlapHours: MAX_OVERLAP_HOURS })
      const good = async (...apps: SecretApp[]) => {
        const statuses = []
        for (const one of apps) statuses.push(await statusOf(world, one))
        return statuses
      }
      assert.deepEqual(await good(app, second, third), [401, 200, 200])
      const fourth = await world.admin.secretClients.rotate({ id: app.id, overlapHours: 0 })
      assert.deepEqual(await good(app, second, third, fourth), [401, 401, 401, 200])
      for (const overlapHours of [-1, 0.5, MAX_OVERLAP_HOURS + 1])
        await assert.rejects(world.admin.secretClients.rotate({ id: app.id, overlapHours }), { status: 400 })
      await assert.rejects(world.admin.secretClients.rotate({ id: 'nothing' }), { status: 404 })
    })

    it('ends with its secrets and every token that it has', async (world) => {
      const app = await registerApp(world)
      const stays = await registerApp(world)
      const [ended, kept] = [await show(world, idp, app), await show(world, idp, stays)]
      const call = async (token: string) => (await oauthClient(world).call(token)).status
      assert.deepEqual([await call(ended.access_token), await call(kept.access_token)], [200, 200])
      await world.admin.secretClients.end({ id: app.id })
      assert.deepEqual([await call(ended.access_token), await call(kept.access_token)], [401, 200])
      assert.deepEqual([await statusOf(world, app), await statusOf(world, stays)], [401, 200])
      await assert.rejects(world.admin.secretClients.end({ id: app.id }), { status: 404 })
      await assert.rejects(world.admin.secretClients.rotate({ id: app.id }), { status: 404 })
    })

    it('has no token after its end, also where both come at once', async (world) => {
      for (let round = 0; round < 5; round++) {
        const app = await registerApp(world)
        const tries = Array.from({ length: 4 }, () => show(world, idp, app))
        const [answers] = await Promise.all([Promise.all(tries), world.admin.secretClients.end({ id: app.id })])
        for (const { status, access_token } of answers) {
          assert.ok([200, 401].includes(status))
          if (status === 200) assert.equal((await oauthClient(world).call(access_token)).status, 401)
        }
        const left = world.db.selectFrom('grant').select('id').where('clientId', '=', app.id)
        assert.deepEqual(await left.execute(), [])
      }
    })

    it('revokes its own tokens with its secret, and no others', async (world) => {
      const [app, other] = [await registerApp(world), await registerApp(world)]
      const given = await show(world, idp, app)
      const revoke = async (by: SecretApp, secret = by.secret) => {
        const response = await oauthClient(world).send(`${AUTH}/revoke`, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/x-www-form-urlencoded',
            ...(secret && { Authorization: basicOf(by.id, secret) }),
          },
          body: new URLSearchParams({ token: given.access_token, ...(!secret && { client_id: by.id }) }).toString(),
        })
        return [response.status, (await oauthClient(world).call(given.access_token)).status]
      }
      assert.deepEqual(await revoke(app, ''), [401, 200])
      assert.deepEqual(await revoke(app, other.secret), [401, 200])
      assert.deepEqual(await revoke(other), [200, 200])
      assert.deepEqual(await revoke(app), [200, 401])
    })
  },
  SETTINGS,
)

onEveryEngine(
  'an app with a secret at the introspection endpoint',
  (it) => {
    it('is told of its own tokens', async (world) => {
      const [app, other] = [await registerApp(world), await registerApp(world, { method: 'client_secret_post' })]
      const { access_token: token } = await show(world, idp, app)
      const ask = async (headers: Record<string, string>, more: Record<string, string> = {}) => {
        const response = await oauthClient(world).send(`${AUTH}/introspect`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
          body: new URLSearchParams({ token, ...more }).toString(),
        })
        return [response.status, ((await response.json()) as { active?: boolean }).active]
      }
      assert.deepEqual(await ask({ Authorization: basicOf(app.id, app.secret) }), [200, true])
      assert.deepEqual(await ask({}, { client_id: other.id, client_secret: other.secret }), [200, false])
      assert.deepEqual(await ask({ Authorization: basicOf(app.id, other.secret) }), [401, undefined])
      assert.deepEqual(await ask({}, { client_id: app.id, client_secret: app.secret }), [401, undefined])
    })
  },
  {
    ...SETTINGS,
    RESOURCE_SERVERS: JSON.stringify([{ id: 'service', secret: 'a-secret-of-a-service-of-32-letters-or-more' }]),
  },
)

onEveryEngine(
  'wrong secrets of apps',
  (it) => {
    it('are counted over all endpoints, and the right one is let in still', async (world) => {
      const app = await registerApp(world)
      const wrong = { ...app, secret: 'gclient_wrong' }
      const statuses = []
      for (let n = 0; n < 30; n++) statuses.push(await statusOf(world, wrong))
      const revoke = () =>
        oauthClient(world).post(`${AUTH}/revoke`, { token: 'x', client_id: app.id, client_secret: 'wrong' })
      for (let n = 0; n < 30; n++) statuses.push((await revoke()).status)
      assert.deepEqual(new Set(statuses), new Set([401]))
      assert.equal(await statusOf(world, wrong), 429)
      assert.equal((await revoke()).status, 429)
      assert.equal(await statusOf(world, app), 200)
    })
  },
  { ...SETTINGS, RATE_LIMITS: 'on' },
)

interface SdkApp {
  world: World
  app: SecretApp
}

/** The assertion that the provider makes for an app at an authorization server. */
async function grantFor(audience: string, resource: string): Promise<string> {
  const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
    ...{ idpUrl: idp.issuer, audience, resource, scope: 'community:read' },
    ...{ idToken: await idp.idToken('sdk'), clientId: IDP_CLIENT.id, clientSecret: IDP_CLIENT.secret },
  })
  return jwtAuthGrant
}

/** The provider of the SDK itself, which shows the secret by Basic. */
async function byBasic({ world, app }: SdkApp): Promise<CrossAppAccessProvider> {
  const { baseUrl, issuer } = world.dependencies.config
  const access = new CrossAppAccessProvider({
    ...{ clientId: app.id, clientSecret: app.secret, expectedIssuer: issuer },
    assertion: ({ authorizationServerUrl, resourceUrl }) => grantFor(authorizationServerUrl, resourceUrl),
  })
  assert.equal(await auth(access, { serverUrl: `${baseUrl}/api/mcp`, scope: 'community:read' }), 'AUTHORIZED')
  return access
}

/** The exchange as the MCP Inspector makes it: with the secret in the form. */
async function byForm({ world, app }: SdkApp): Promise<string> {
  const { baseUrl, issuer } = world.dependencies.config
  const { access_token } = await exchangeJwtAuthGrant({
    ...{ tokenEndpoint: `${baseUrl}${AUTH}/token`, authMethod: 'client_secret_post' },
    ...{ jwtAuthGrant: await grantFor(issuer, `${baseUrl}/api/mcp`), clientId: app.id, clientSecret: app.secret },
  })
  return access_token
}

async function asksWhoItIs(world: World, options: StreamableHTTPClientTransportOptions): Promise<void> {
  const client = new Client({ name: 'a-client', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${world.dependencies.config.baseUrl}/api/mcp`), options),
  )
  assert.match(JSON.stringify(await client.callTool({ name: 'get_me', arguments: {} })), /sdk@example\.com/)
  await client.close()
}

async function withSdk(world: World): Promise<void> {
  idp.people['sdk'] = { email: 'sdk@example.com', email_verified: true }
  const basic = await registerApp(world)
  idp.clientThere = basic.id
  await asksWhoItIs(world, { authProvider: await byBasic({ world, app: basic }) })
  const post = await registerApp(world, { name: 'MCP Inspector', method: 'client_secret_post' })
  idp.clientThere = post.id
  const Authorization = `Bearer ${await byForm({ world, app: post })}`
  await asksWhoItIs(world, { requestInit: { headers: { Authorization } } })
}

onEngines('cross-app access of the SDK of MCP with a secret', (open) => {
  nodeIt('calls a tool for an employee without a page', (t: TestContext) =>
    listening(t, withSdk, { open, settings: SETTINGS }),
  )
})
