// Introspection (RFC 7662): who may ask, and what is told of which token.
import assert from 'node:assert/strict'
import { decodeJwt } from 'jose'
import * as oauth4webapi from 'oauth4webapi'
import { boundTokens, newKey } from '../../../test/dpop.ts'
import { ASSERTION_TYPE, keyClient, newOwnKey, signed } from '../../../test/key-client.ts'
import { AGENT, oauthClient } from '../../../test/oauth.ts'
import { makeWorld, onEveryEngine, type World } from '../../../test/world.ts'
import { ACCESS_TOKEN_TYPE, TOKEN_EXCHANGE } from '../rules.ts'

const SECRET = 'a secret of a service, 32 letters'.replaceAll(' ', '-')
const OTHER = 'another secret of a service, as long'.replaceAll(' ', '-')
const servers = [
  { id: 'reports', secret: SECRET },
  { id: 'backups', secret: OTHER, personalTokens: true },
]
const SETTINGS = { RESOURCE_SERVERS: JSON.stringify(servers) }
const PATH = '/api/auth/oauth2/introspect'
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const basic = (id: string, secret: string) => ({ Authorization: `Basic ${btoa(`${id}:${secret}`)}` })

interface Answer {
  active: boolean
  [name: string]: unknown
}

async function ask(world: World, token: string, { id, secret } = servers[0]!): Promise<Answer> {
  const body = new URLSearchParams({ token }).toString()
  const response = await oauthClient(world).send(PATH, {
    method: 'POST',
    headers: { ...FORM, ...basic(id, secret) },
    body,
  })
  assert.equal(response.status, 200)
  assert.match(response.headers.get('cache-control') ?? '', /no-store/)
  return (await response.json()) as Answer
}

const inactive = { active: false }
const scope = 'community:read library:read offline_access'

onEveryEngine('introspection by keys', (it) => {
  it('answers a resource server by its signature, once, and a client with keys of its own tokens alone', async (world) => {
    const key = await newOwnKey()
    const settings = { RESOURCE_SERVERS: JSON.stringify([{ id: 'signing', jwks: { keys: [key.jwk] } }]) }
    const own = await makeWorld(
      { db: world.db, url: world.databaseUrl },
      { BLOB_URL: world.dependencies.config.blobUrl, ...settings },
    )
    const { client, clientId, credentials } = await keyClient(own)
    const mine = await client.signIn(own.alice, { clientId, scope }, await credentials())
    const others = await client.signIn(own.alice, { clientId: AGENT, scope })
    const introspect = async (form: Record<string, string>) => {
      const response = await client.post(PATH, form)
      return { status: response.status, ...((await response.json()) as { active?: boolean; error?: string }) }
    }
    const { issuer } = own.dependencies.config
    const claims = { iss: 'signing', sub: 'signing', aud: issuer }
    const assertion = async (by = key) => ({
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: await signed(own, by, { claims }),
    })
    const once = await assertion()
    for (const { access_token: token } of [mine, others]) {
      assert.equal((await introspect({ token, ...(await assertion()) })).active, true)
    }
    assert.equal((await introspect({ token: mine.access_token, ...once })).active, true)
    assert.equal((await introspect({ token: mine.access_token, ...once })).error, 'invalid_client')
    const forged = await introspect({ token: mine.access_token, ...(await assertion(await newOwnKey())) })
    assert.deepEqual([forged.status, forged.active], [401, undefined])
    assert.equal((await introspect({ token: mine.access_token, ...(await credentials()) })).active, true)
    assert.equal((await introspect({ token: others.access_token, ...(await credentials()) })).active, false)
    const both = { client_secret: SECRET, ...(await assertion()) }
    assert.equal((await introspect({ token: mine.access_token, ...both })).status, 401)
  })
})

onEveryEngine(
  'introspection',
  (it) => {
    it('tells the end of the grant where that comes first', async (world) => {
      const client = oauthClient(world)
      world.clock.stop()
      const bounds = [{ type: 'guildhall_bounds', expires_in: 600 }]
      const details = { authorization_details: JSON.stringify(bounds) }
      const ends = Math.floor(world.clock.now() / 1000) + 600
      for (const resource of [{}, { resource: client.audience }] as Record<string, string>[]) {
        const asked = { clientId: AGENT, scope, more: { ...details, ...resource } }
        const { access_token } = await client.signIn(world.alice, asked, resource)
        const told = await ask(world, access_token)
        assert.deepEqual([told.active, told['exp']], [true, ends])
      }
    })

    it('tells of an opaque token what it is good for, and only while it is (RFC 7662, 2.2)', async (world) => {
      const { alice, clock, dependencies } = world
      const client = oauthClient(world)
      const { id } = await alice.account()
      const clientId = await client.register()
      const { access_token } = await client.signIn(alice, { clientId, scope })
      const { iat, exp, auth_time: signedIn, ...told } = await ask(world, access_token)
      assert.ok(Number(signedIn) <= Number(iat), 'when the person signed in (RFC 9470, 6.2)')
      assert.deepEqual(told, {
        active: true,
        scope,
        client_id: clientId,
        sub: id,
        token_type: 'Bearer',
        iss: dependencies.config.issuer,
        aud: [`${dependencies.config.baseUrl}/api`],
      })
      assert.equal(Number(exp) - Number(iat), 3600)
      clock.pass(3601)
      assert.deepEqual(await ask(world, access_token), inactive)
    })

    it('tells of a JWT its own audience, and of a bound token its key (RFC 9449, 6.2)', async (world) => {
      const client = oauthClient(world)
      const key = await newKey()
      const bound = await boundTokens(world, key)
      const told = await ask(world, bound.access_token)
      assert.deepEqual([told['token_type'], told['cnf']], ['DPoP', { jkt: key.thumbprint }])
      const resource = client.audience
      const { access_token } = await client.signIn(
        world.alice,
        { clientId: AGENT, scope, more: { resource } },
        { resource },
      )
      const claims = decodeJwt(access_token)
      const { active, aud, exp, sub, client_id } = await ask(world, access_token)
      assert.deepEqual([active, aud, exp, sub, client_id], [true, claims.aud, claims.exp, claims.sub, AGENT])
      const form = { grant_type: TOKEN_EXCHANGE, client_id: AGENT, subject_token: access_token }
      const made = await client.token({ ...form, subject_token_type: ACCESS_TOKEN_TYPE, scope: 'library:read' })
      const shown = await ask(world, made.access_token)
      assert.deepEqual(
        [shown.active, shown['scope'], shown['act'], shown['sub'], shown['aud']],
        [
          true,
          'library:read',
          { sub: AGENT, helper: helperIn(shown), act: { sub: AGENT } },
          claims.sub,
          [`${world.dependencies.config.baseUrl}/api`],
        ],
      )
    })

    it('tells who handed a token on (RFC 8693, 4.1)', async (world) => {
      const client = oauthClient(world)
      const { access_token } = await client.signIn(world.alice, { clientId: AGENT, scope })
      const handOn = (subject_token: string) =>
        client.token({
          ...{ grant_type: TOKEN_EXCHANGE, client_id: AGENT, subject_token, scope: 'library:read' },
          subject_token_type: ACCESS_TOKEN_TYPE,
        })
      const first = await handOn(access_token)
      const second = await handOn(first.access_token)
      assert.equal((await ask(world, access_token))['act'], undefined)
      const shown = await ask(world, first.access_token)
      assert.deepEqual(shown['act'], { sub: AGENT, helper: helperIn(shown), act: { sub: AGENT } })
      const told = await ask(world, second.access_token)
      assert.deepEqual(told['act'], { sub: AGENT, helper: helperIn(told), act: shown['act'] })
      assert.equal(told['scope'], 'library:read')
    })

    it('says of everything else that it is inactive, and nothing more', async (world) => {
      const { alice, admin } = world
      const client = oauthClient(world)
      const { id } = await alice.account()
      const tokens = await client.signIn(alice, { clientId: AGENT, scope: `openid ${scope}` })
      const others = [tokens.refresh_token!, tokens.id_token!, 'nothing', `${tokens.access_token}x`, 'a.b.c']
      for (const token of others) assert.deepEqual(await ask(world, token), inactive, token)
      const resource = client.audience
      const jwt = await client.refresh(AGENT, tokens.refresh_token, { resource })
      const next = await client.refresh(AGENT, jwt.refresh_token)
      await client.revoke(AGENT, tokens.access_token)
      assert.deepEqual(await ask(world, tokens.access_token), inactive)
      assert.equal((await ask(world, next.access_token)).active, true)
      assert.equal((await ask(world, jwt.access_token)).active, true)
      await admin.admin.block({ id, blocked: true })
      assert.deepEqual(await ask(world, next.access_token), inactive)
      assert.deepEqual(await ask(world, jwt.access_token), inactive, 'a JWT of a blocked account, too')
    })

    it('tells of personal tokens only the servers that are declared for it', async (world) => {
      await world.alice.account()
      const { token } = await world.alice.personalTokens.create({ name: 'A script', scopes: ['library:read'] })
      assert.deepEqual(await ask(world, token), inactive)
      const told = await ask(world, token, servers[1] as (typeof servers)[0])
      assert.deepEqual([told.active, told['client_id']], [true, 'urn:guildhall:personal-token'])
    })

    it('is for declared servers with their own secret alone', async (world) => {
      const client = oauthClient(world)
      const { access_token: token } = await client.signIn(world.alice, { clientId: AGENT, scope })
      const send = (form: Record<string, string>, headers: Record<string, string> = {}) =>
        client.send(PATH, {
          method: 'POST',
          headers: { ...FORM, ...headers },
          body: new URLSearchParams(form).toString(),
        })
      const wrong: [form: Record<string, string>, headers?: Record<string, string>][] = [
        [{ token }],
        [{ token }, { Authorization: `Bearer ${token}` }],
        [{ token }, basic('reports', OTHER)],
        [{ token }, basic('reports', '')],
        [{ token }, basic('', SECRET)],
        [{ token }, basic('nobody', SECRET)],
        [{ token, client_id: AGENT }],
        [{ token, client_id: 'reports' }],
        [{ token, client_id: 'reports', client_secret: OTHER }],
        [{ token, client_id: 'reports', client_secret: SECRET }, basic('reports', SECRET)],
      ]
      for (const [form, headers] of wrong) {
        const response = await send(form, headers)
        assert.equal(response.status, 401, JSON.stringify([form, headers]))
        assert.match(response.headers.get('www-authenticate') ?? '', /^Basic /)
        assert.equal(((await response.json()) as { error: string }).error, 'invalid_client')
      }
      const inForm = await send({ token, client_id: 'reports', client_secret: SECRET })
      assert.equal(((await inForm.json()) as Answer).active, true)
      assert.equal((await send({}, basic('reports', SECRET))).status, 400)
      assert.equal((await client.send(`${PATH}?token=${token}`, { headers: basic('reports', SECRET) })).status, 405)
    })

    it('is found and used by an independent client', async (world) => {
      const client = oauthClient(world)
      const { access_token } = await client.signIn(world.alice, { clientId: AGENT, scope })
      const issuer = new URL(world.dependencies.config.issuer)
      const options = {
        [oauth4webapi.allowInsecureRequests]: true,
        [oauth4webapi.customFetch]: async (url: string, init: RequestInit) => world.app.fetch(new Request(url, init)),
      } as never
      const metadata = await oauth4webapi.processDiscoveryResponse(
        issuer,
        await oauth4webapi.discoveryRequest(issuer, { algorithm: 'oauth2', ...(options as object) } as never),
      )
      const server = { client_id: 'reports' }
      const auth = oauth4webapi.ClientSecretBasic(SECRET)
      const response = await oauth4webapi.introspectionRequest(metadata, server, auth, access_token, options)
      const told = await oauth4webapi.processIntrospectionResponse(metadata, server, response)
      assert.equal(told.active, true)
      assert.deepEqual(metadata.introspection_endpoint_auth_methods_supported, [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
      ])
    })
  },
  SETTINGS,
)

onEveryEngine(
  'guessing the secret of a resource server',
  (it) => {
    it('ends after 60 tries in 15 minutes', async (world) => {
      const client = oauthClient(world)
      const send = (secret: string) =>
        client.send(PATH, { method: 'POST', headers: { ...FORM, ...basic('reports', secret) }, body: 'token=x' })
      for (let n = 0; n < 60; n++) assert.equal((await send(`guess ${n}`)).status, 401)
      assert.equal((await send('guess')).status, 429)
      assert.equal((await send(SECRET)).status, 200, 'the server itself goes on')
    })
  },
  { ...SETTINGS, RATE_LIMITS: 'on' },
)

onEveryEngine('introspection without declared servers', (it) => {
  it('is not there', async (world) => {
    const client = oauthClient(world)
    const response = await client.send(PATH, { method: 'POST', headers: FORM, body: 'token=x' })
    assert.equal(response.status, 404)
    const metadata = (await (await client.send('/.well-known/oauth-authorization-server')).json()) as object
    assert.ok(!('introspection_endpoint' in metadata))
  })
})

const helperIn = (shown: Record<string, unknown>) => (shown['act'] as { helper?: string }).helper
