// Bearer tokens at the API: what an opaque token and a JWT open, and everything that must open nothing.
import assert from 'node:assert/strict'
import { createPrivateKey, createSecretKey, generateKeyPairSync } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { AGENT, oauthClient } from '../../test/oauth.ts'
import { onEveryEngine, SIGNING_KEY, type World } from '../../test/world.ts'
import type { SigningKey } from '../config/signing-key.ts'
import { grantRole } from '../identity/roles.ts'

const signing = JSON.parse(SIGNING_KEY) as SigningKey & JsonWebKey
const key = createPrivateKey({ key: signing, format: 'jwk' })
const everything = 'openid profile email offline_access community:read community:write library:read library:write'

/** A JWT as the authorization server makes it, but for what is changed. */
async function forged(
  world: World,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  signer: Parameters<SignJWT['sign']>[0] = key,
): Promise<string> {
  const client = oauthClient(world)
  const now = Math.floor(world.clock.now() / 1000)
  const payload = {
    iss: client.auth,
    aud: [client.audience],
    azp: AGENT,
    client_id: AGENT,
    sub: (await world.alice.account()).id,
    scope: 'community:read',
    iat: now,
    exp: now + 3600,
    jti: 'j',
    plan: 'free',
    ...claims,
  }
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: signing.kid, ...header })
    .sign(signer)
}

onEveryEngine('bearer tokens', (it) => {
  it('are JWTs of this shape for the agent audience (RFC 9068, 2)', async (world) => {
    const client = oauthClient(world)
    const resource = client.audience
    const tokens = await client.signIn(
      world.alice,
      { clientId: AGENT, scope: everything, more: { resource } },
      { resource },
    )
    assert.deepEqual(decodeProtectedHeader(tokens.access_token), { alg: 'EdDSA', typ: 'at+jwt', kid: signing.kid })
    const { iat, exp, jti, sid, gid, ...claims } = decodeJwt(tokens.access_token)
    assert.equal(exp! - iat!, 3600)
    assert.ok(jti)
    assert.equal(typeof sid, 'string')
    assert.equal(typeof gid, 'string', 'the grant, for its bounds')
    assert.deepEqual(claims, {
      iss: client.auth,
      aud: [resource, `${client.auth}/oauth2/userinfo`],
      azp: AGENT,
      client_id: AGENT,
      sub: (await world.alice.account()).id,
      scope: everything,
      plan: 'free',
    })
    await world.alice.accounts.signOut()
    const later = await client.refresh(AGENT, tokens.refresh_token, { resource })
    assert.equal(decodeJwt(later.access_token)['sid'], null)
    assert.notEqual(decodeJwt(later.access_token).jti, jti)
  })

  it('are opaque without a resource, and either by a refresh of any sign-in (RFC 8707, 2.2)', async (world) => {
    const client = oauthClient(world)
    const scope = 'community:read offline_access'
    const opaque = await client.signIn(world.alice, { clientId: AGENT, scope })
    assert.equal(opaque.access_token.split('.').length, 1)
    const jwt = await client.refresh(AGENT, opaque.refresh_token, { resource: client.audience })
    assert.deepEqual(decodeJwt(jwt.access_token).aud, [client.audience])
    const again = await client.refresh(AGENT, jwt.refresh_token)
    assert.equal(again.access_token.split('.').length, 1)
    for (const { access_token } of [opaque, jwt, again]) assert.equal((await client.call(access_token)).status, 200)
  })

  it('are for the agent audience only with the fixed client, and for our own URLs with any (RFC 8707, 2)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const scope = 'community:read offline_access'
    for (const resource of [client.audience, 'https://other.example/', 'not a URL', `${client.auth}/x`]) {
      const { to } = await client.authorize(world.alice, { clientId, scope, more: { resource } })
      assert.equal(to!.searchParams.get('error'), 'invalid_target', resource)
      const granted = await client.consent(world.alice, { clientId, scope })
      assert.equal((await client.exchange(granted, { resource })).error, 'invalid_target')
      const tokens = await client.exchange(granted)
      assert.equal(tokens.status, 200, 'a refused resource consumes nothing')
      assert.equal((await client.refresh(clientId, tokens.refresh_token, { resource })).error, 'invalid_target')
      assert.equal((await client.refresh(clientId, tokens.refresh_token)).status, 200)
    }
    const { baseUrl } = world.dependencies.config
    for (const resource of [`${baseUrl}/api/mcp`, `${baseUrl}/api`, baseUrl, `${baseUrl}/`]) {
      const tokens = await client.signIn(world.alice, { clientId, scope, more: { resource } }, { resource })
      assert.equal(tokens.access_token.split('.').length, 1)
      assert.equal((await client.refresh(clientId, tokens.refresh_token, { resource })).status, 200)
    }
    const twice = client.request({ clientId: AGENT, scope }, client.newVerifier())
    twice.append('resource', client.audience)
    twice.append('resource', client.audience)
    assert.equal((await client.authorize(world.alice, twice)).to!.searchParams.get('error'), 'invalid_target')
  })

  it('open what their scopes say, to the letter (RFC 6750, 3.1)', async (world) => {
    const client = oauthClient(world)
    const { access_token } = await client.signIn(world.alice, { clientId: AGENT, scope: 'community:write openid' })
    const refused = await client.call(access_token)
    assert.equal(refused.status, 403)
    assert.match(
      refused.headers.get('www-authenticate')!,
      /^Bearer error="insufficient_scope", scope="community:write openid community:read", resource_metadata="[^"]+\/api"$/,
    )
    assert.equal((await client.call(access_token, '/api/community/feed')).status, 200)
    const unknown = await client.call('nothing')
    assert.equal(unknown.status, 401)
    assert.match(
      unknown.headers.get('www-authenticate')!,
      /^Bearer resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/api", scope="community:read"$/,
    )
    const lower = await client.send('/api/community/feed', { headers: { Authorization: `bearer ${access_token}` } })
    assert.equal(lower.status, 200)
  })

  it('end after an hour', async (world) => {
    const client = oauthClient(world)
    const scope = 'community:read'
    const opaque = await client.signIn(world.alice, { clientId: AGENT, scope })
    const jwt = await client.signIn(world.alice, { clientId: AGENT, scope }, { resource: client.audience })
    world.clock.pass(3595)
    for (const { access_token } of [opaque, jwt]) assert.equal((await client.call(access_token)).status, 200)
    world.clock.pass(6)
    for (const { access_token } of [opaque, jwt]) assert.equal((await client.call(access_token)).status, 401)
  })

  it('carry the role and the block the account has now', async (world) => {
    const client = oauthClient(world)
    const { id, email } = await world.alice.account()
    const scope = 'community:read community:write'
    const { access_token } = await client.signIn(world.alice, { clientId: AGENT, scope }, { resource: client.audience })
    const label = () =>
      client.send('/api/community/labels', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${access_token}` },
        body: JSON.stringify({ name: 'urgent', color: '#aa0000' }),
      })
    assert.equal((await label()).status, 403)
    await grantRole(world.dependencies, email, { role: 'moderator', now: new Date().toISOString() })
    assert.equal((await label()).status, 201)
    await world.db.updateTable('user').set({ blockedAt: new Date().toISOString() }).where('id', '=', id).execute()
    const refused = await client.call(access_token)
    assert.deepEqual([refused.status, await refused.json()], [403, { error: 'Account blocked' }])
  })

  it('that are forged open nothing (RFC 8725, 3)', async (world) => {
    const client = oauthClient(world)
    assert.equal(
      (await client.call(await forged(world))).status,
      200,
      'what is changed below is what makes the difference',
    )
    const anonymous = generateKeyPairSync('ed25519').privateKey
    const publicBytes = Buffer.from(signing.x!, 'base64url')
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const payload = (await forged(world)).split('.')[1]!
    const now = Math.floor(world.clock.now() / 1000)
    const bad: Record<string, string> = {
      'alg none': `${part({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      'HS256 with the public key': await forged(world, {}, { alg: 'HS256' }, createSecretKey(publicBytes)),
      'HS256 with the public JWK': await forged(
        world,
        {},
        { alg: 'HS256' },
        createSecretKey(Buffer.from(JSON.stringify({ ...signing, d: undefined }))),
      ),
      'another key under our kid': await forged(world, {}, {}, anonymous),
      'an unknown kid': await forged(world, {}, { kid: 'other' }),
      'a key of its own': await forged(
        world,
        {},
        { jwk: { kty: 'OKP', crv: 'Ed25519', x: signing.x }, kid: 'other' },
        anonymous,
      ),
      'an ID token (typ)': await forged(world, {}, { typ: 'JWT' }),
      'no typ': await forged(world, {}, { typ: undefined }),
      'another issuer': await forged(world, { iss: 'https://evil.example' }),
      'another audience': await forged(world, { aud: ['https://other.example'] }),
      'no audience': await forged(world, { aud: undefined }),
      expired: await forged(world, { exp: now - 1 }),
      'no expiry': await forged(world, { exp: undefined }),
      'another client': await forged(world, { client_id: 'other' }),
      'another party': await forged(world, { azp: 'other' }),
      nobody: await forged(world, { sub: '01a1fb4e-bb9a-7544-87a4-2785318c8f22' }),
      'a changed payload': (await forged(world)).replace(
        /\.[^.]+\./,
        `.${part({ ...decodeJwt(await forged(world)), scope: everything })}.`,
      ),
    }
    for (const [what, token] of Object.entries(bad)) assert.equal((await client.call(token)).status, 401, what)
  })

  it('are never an ID token, a refresh token or a code (RFC 9068, 4)', async (world) => {
    const client = oauthClient(world)
    const granted = await client.consent(world.alice, { clientId: AGENT, scope: everything })
    assert.equal((await client.call(granted.code)).status, 401)
    const tokens = await client.exchange(granted)
    assert.equal((await client.call(tokens.id_token!)).status, 401)
    assert.equal((await client.call(tokens.refresh_token!)).status, 401)
  })

  it('give their account’s claims at userinfo, as their scopes say (OpenID Connect Core, 5.3)', async (world) => {
    const client = oauthClient(world)
    const { id, email } = await world.alice.account()
    const userinfo = async (scope: string, resource?: string) => {
      const tokens = await client.signIn(world.alice, { clientId: AGENT, scope }, resource ? { resource } : {})
      const response = await client.call(tokens.access_token, '/api/auth/oauth2/userinfo')
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    for (const resource of [undefined, client.audience]) {
      const all = await userinfo('openid profile email', resource)
      assert.deepEqual(all.body, { sub: id, name: 'alice', email, email_verified: false })
      assert.deepEqual((await userinfo('openid', resource)).body, { sub: id })
      assert.equal((await userinfo('profile', resource)).status, 403)
    }
    assert.equal((await client.send('/api/auth/oauth2/userinfo')).status, 401)
    assert.equal((await world.alice.request('/api/auth/oauth2/userinfo')).status, 401, 'a session is no token')
  })
})
