// ID tokens: what they say, what signs them, and where the RSA key lives.
import assert from 'node:assert/strict'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { boundTokens, keyHolder, newKey } from '../../test/dpop.ts'
import { AGENT, oauthClient } from '../../test/oauth.ts'
import { makeWorld, onEveryEngine, type World } from '../../test/world.ts'
import { newRsaKey } from '../runtime/rsa-key.ts'
import { newSigningKey } from './keys/keys.ts'

async function jwks(world: World): Promise<JSONWebKeySet> {
  return (await (await oauthClient(world).send('/api/auth/jwks')).json()) as JSONWebKeySet
}

async function idToken(world: World, scope: string, clientId: string, person = world.alice) {
  const client = oauthClient(world)
  const { id_token } = await client.signIn(person, { clientId, scope, more: { nonce: 'n-1' } })
  const keys = createLocalJWKSet(await jwks(world))
  const { payload } = await jwtVerify(id_token!, keys, {
    ...{ issuer: client.auth, audience: clientId },
    currentDate: new Date(world.dependencies.clock.now()),
  })
  return { alg: decodeProtectedHeader(id_token!).alg, claims: payload, text: id_token! }
}

/** Another process on the same database; with `settings` it may have another key. */
const another = (world: World, settings: Record<string, string> = {}) =>
  makeWorld(
    { db: world.db, url: world.databaseUrl },
    { BLOB_URL: world.dependencies.config.blobUrl, ...settings },
    { makeRsaKey: newRsaKey },
  )

onEveryEngine('an ID token', (it) => {
  it('says what the scopes allow (OpenID Connect Core, 5.4)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const { id, email } = await world.alice.account()
    await world.alice.profile.setUsername({ username: 'alice' })
    const names = ['name', 'preferred_username', 'picture', 'email', 'email_verified']
    const claimed = async (scope: string) => {
      const { claims } = await idToken(world, scope, clientId)
      assert.equal(claims.sub, id)
      assert.equal(claims['nonce'], 'n-1')
      return Object.fromEntries(names.filter((name) => name in claims).map((name) => [name, claims[name]]))
    }
    assert.deepEqual(await claimed('openid'), {})
    assert.deepEqual(await claimed('openid email'), { email, email_verified: false })
    assert.deepEqual(await claimed('openid profile'), { name: 'alice', preferred_username: 'alice' })
    await world.db
      .updateTable('user')
      .set({ avatarUpdatedAt: '2026-01-01T00:00:00.000Z' })
      .where('id', '=', id)
      .execute()
    const { picture } = await claimed('openid profile email')
    assert.equal(picture, `${world.dependencies.config.baseUrl}/api/images/avatar/avatars/${id}?v=1767225600000`)
  })

  it('is RS256 for clients that say nothing, and EdDSA for those that say so and the fixed one', async (world) => {
    const client = oauthClient(world)
    assert.equal((await idToken(world, 'openid', await client.register())).alg, 'RS256')
    const eddsa = await client.register({ id_token_signed_response_alg: 'EdDSA' })
    assert.equal((await idToken(world, 'openid', eddsa)).alg, 'EdDSA')
    assert.equal((await idToken(world, 'openid', AGENT)).alg, 'EdDSA')
    const metadata = (await (await client.send('/.well-known/openid-configuration')).json()) as Record<string, unknown>
    assert.deepEqual(metadata['id_token_signing_alg_values_supported'], ['RS256', 'EdDSA'])
  })

  it('is never an access token, and access tokens are never RS256', async (world) => {
    const client = oauthClient(world)
    const { text } = await idToken(world, 'openid profile', AGENT)
    assert.equal((await client.call(text)).status, 401)
    assert.equal((await client.call((await idToken(world, 'openid', await client.register())).text)).status, 401)
    const asked = { clientId: AGENT, scope: 'openid', more: { resource: client.audience } }
    const { access_token } = await client.signIn(world.alice, asked, { resource: client.audience })
    assert.equal(decodeProtectedHeader(access_token).alg, 'EdDSA')
  })
})

onEveryEngine('the RSA key', (it) => {
  it('is one for all processes, also when they start at once, and sealed', async (world) => {
    const processes = await Promise.all([another(world), another(world), another(world)])
    const published = await Promise.all(processes.map(jwks))
    for (const { keys } of published) assert.deepEqual(keys, published[0]!.keys)
    assert.equal(published[0]!.keys.filter(({ kty }) => kty === 'RSA').length, 1)
    const [row] = await world.db.selectFrom('idTokenKey').selectAll().execute()
    assert.doesNotMatch(JSON.stringify(row), /"d\\?"|"p\\?"/)
    const { text } = await idToken(processes[0]!, 'openid', await oauthClient(world).register())
    await jwtVerify(text, createLocalJWKSet(await jwks(processes[2]!)))
  })

  it('changes with the signing key; the one before stays published for a day', async (world) => {
    const before = await another(world)
    const clientId = await oauthClient(world).register()
    const old = await idToken(before, 'openid', clientId)
    const after = await another(world, { SIGNING_KEY: JSON.stringify(newSigningKey()) })
    const fresh = await idToken(after, 'openid', clientId, after.bob)
    assert.notEqual(decodeProtectedHeader(old.text).kid, decodeProtectedHeader(fresh.text).kid)
    for (const process of [before, after]) {
      const keys = createLocalJWKSet(await jwks(process))
      await jwtVerify(old.text, keys)
      await jwtVerify(fresh.text, keys)
    }
    await after.app.cleanUp()
    assert.equal((await jwks(after)).keys.filter(({ kty }) => kty === 'RSA').length, 2)
    after.clock.pass(86_401)
    await after.app.cleanUp()
    const left = (await jwks(after)).keys.filter(({ kty }) => kty === 'RSA')
    assert.deepEqual(
      left.map(({ kid }) => kid),
      [decodeProtectedHeader(fresh.text).kid],
    )
  })
})

onEveryEngine('a machine whose clock is wrong by an hour', (it) => {
  it('signs ID tokens, and takes proofs and their nonces, by the one time', async (world) => {
    const { clock, dependencies } = world
    for (const jump of [3_600, -7_200]) {
      clock.jump(jump)
      const now = Math.floor(dependencies.clock.now() / 1000)
      const { text } = await idToken(world, 'openid', await oauthClient(world).register())
      const { iat, exp } = decodeJwt(text)
      assert.ok(Math.abs(iat! - now) <= 5 && exp! - iat! === 3_600, `${iat} ${exp} ${now}`)
      const key = await newKey()
      const { access_token } = await boundTokens(world, key)
      const holder = keyHolder(world, key)
      assert.equal((await holder.call(access_token)).status, 200)
      const wrong = await holder.call(access_token, { changes: { iat: now - jump } })
      assert.equal(wrong.status, 401)
      const nonce = wrong.headers.get('dpop-nonce')!
      assert.equal((await holder.call(access_token, { changes: { iat: now - jump, nonce } })).status, 200)
    }
  })
})
