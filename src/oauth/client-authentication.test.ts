// Clients that authenticate with keys of their own (RFC 7523), at every endpoint: what is taken once, and all that is refused.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { it as nodeIt, type TestContext } from 'node:test'
import { SignJWT, UnsecuredJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { onEngines } from '../../test/databases.ts'
import { keyClient, newOwnKey, type OwnKey, type Signing } from '../../test/key-client.ts'
import { listening } from '../../test/listening.ts'
import { allowDevice, oauthClient, REDIRECT } from '../../test/oauth.ts'
import { home, receiving } from '../../test/webhook-receiver.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { DEVICE_GRANT, TOKEN_EXCHANGE } from './rules.ts'

const scope = 'community:read offline_access'
const AUTH = '/api/auth/oauth2'
const errorOf = async (response: Response) => ((await response.json()) as { error: string }).error

onEveryEngine('a client with keys', (it) => {
  it('is registered with its keys, and with nothing that is no public key', async (world) => {
    const client = oauthClient(world)
    const { jwk, privateKey } = await newOwnKey()
    const register = (metadata: object) =>
      client.postJson(`${AUTH}/register`, {
        ...{ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'private_key_jwt', ...metadata },
      })
    const response = await register({ jwks: { keys: [jwk] }, token_endpoint_auth_signing_alg: 'ES256' })
    const body = (await response.json()) as Record<string, unknown>
    assert.equal(response.status, 201, JSON.stringify(body))
    assert.equal(body['token_endpoint_auth_method'], 'private_key_jwt')
    assert.deepEqual(body['jwks'], { keys: [jwk] })
    const secret = await crypto.subtle.exportKey('jwk', privateKey)
    for (const wrong of [
      { jwks: { keys: [] } },
      { jwks: { keys: [{ ...secret, kid: 'x' }] } },
      { jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } },
      { jwks: { keys: Array.from({ length: 11 }, () => jwk) } },
      { jwks: 'https://client.example/keys' },
      { jwks_uri: 'http://client.example/keys' },
      { jwks_uri: 'https://127.0.0.1/keys' },
      { jwks_uri: 'https://[::1]/keys' },
      { jwks_uri: 'https://169.254.169.254/keys' },
      { jwks_uri: 'https://client.example/keys', jwks: { keys: [jwk] } },
      { jwks: { keys: [jwk] }, token_endpoint_auth_signing_alg: 'HS256' },
      { jwks: { keys: [jwk] }, token_endpoint_auth_signing_alg: 'none' },
    ]) {
      const refused = await register(wrong)
      assert.deepEqual(
        [refused.status, await errorOf(refused)],
        [400, 'invalid_client_metadata'],
        JSON.stringify(wrong),
      )
    }
  })

  it('alone gets the stored answer to its refresh, also where another writes its id into a field', async (world) => {
    const { clientId, credentials, client } = await keyClient(world)
    const { refresh_token } = await client.signIn(world.alice, { clientId, scope }, await credentials())
    const refreshed = await client.refresh(clientId, refresh_token, await credentials())
    assert.equal(refreshed.status, 200)
    const forged = await client.refresh(clientId, refresh_token, { scope: `\n${clientId}` })
    assert.deepEqual([forged.access_token, forged.status === 200], [undefined, false])
  })

  it('authenticates at every endpoint, and is refused there without its key', async (world) => {
    const { clientId, credentials, client } = await keyClient(world, {
      grant_types: ['authorization_code', 'refresh_token', DEVICE_GRANT, TOKEN_EXCHANGE],
    })
    const granted = await client.consent(world.alice, { clientId, scope })
    assert.equal((await client.exchange(granted)).error, 'invalid_client')
    const tokens = await client.exchange(granted, await credentials())
    assert.equal(tokens.status, 200, JSON.stringify(tokens))
    const refresh = (more: Record<string, string>) => client.refresh(clientId, tokens.refresh_token, more)
    assert.equal((await refresh({})).error, 'invalid_client')
    const refreshed = await refresh(await credentials())
    assert.equal(refreshed.status, 200)
    assert.notEqual((await refresh({})).status, 200, 'the stored answer is for who authenticates alone')
    assert.equal((await refresh(await credentials())).access_token, refreshed.access_token)
    const handOn = (more: Record<string, string>) =>
      client.token({
        ...{ grant_type: TOKEN_EXCHANGE, client_id: clientId, subject_token: refreshed.access_token },
        ...{ subject_token_type: 'urn:ietf:params:oauth:token-type:access_token', ...more },
      })
    assert.equal((await handOn({})).error, 'invalid_client')
    assert.equal((await handOn(await credentials())).status, 200)
    const push = async (more: Record<string, string>) =>
      client.post(`${AUTH}/par`, {
        ...Object.fromEntries(client.request({ clientId, scope }, client.newVerifier())),
        ...more,
      })
    assert.equal((await push({})).status, 401)
    assert.equal((await push(await credentials())).status, 201)
    const kept = await world.db.selectFrom('pushedRequest').selectAll().execute()
    assert.ok(!JSON.stringify(kept).includes('client_assertion'))
    const ask = (more: Record<string, string>) =>
      client.post(`${AUTH}/device_authorization`, { client_id: clientId, scope, ...more })
    assert.equal((await ask({})).status, 401)
    const device = (await (await ask(await credentials())).json()) as Record<string, string>
    const poll = (more: Record<string, string>) =>
      client.token({ grant_type: DEVICE_GRANT, client_id: clientId, device_code: device['device_code']!, ...more })
    assert.equal((await poll({})).error, 'invalid_client')
    await allowDevice(world.alice, device['user_code']!)
    assert.equal((await poll({})).error, 'invalid_client')
    assert.equal((await poll(await credentials())).status, 200)
    assert.equal((await client.revoke(clientId, refreshed.access_token)).status, 401)
    const form = { client_id: clientId, token: refreshed.access_token, ...(await credentials()) }
    assert.equal((await client.post(`${AUTH}/revoke`, form)).status, 200)
    assert.equal((await client.call(refreshed.access_token)).status, 401)
  })

  it('is refused with an assertion that is not its own, not for here, not of now, or not signed by its key', async (world) => {
    const own = await keyClient(world)
    const other = await keyClient(world)
    const { issuer } = world.dependencies.config
    const now = Math.floor(world.clock.now() / 1000)
    const rsa = await newOwnKey('RS256')
    const tries: readonly (readonly [string, Signing, OwnKey?])[] = [
      ['the token endpoint', { claims: { aud: `${issuer}/oauth2/token` } }],
      ['another server', { claims: { aud: 'https://other.example' } }],
      ['two audiences', { claims: { aud: [issuer, 'https://other.example'] } }],
      ['no audience', { claims: { aud: undefined as never } }],
      ['another issuer', { claims: { iss: other.clientId } }],
      ['of another client', { claims: { iss: other.clientId, sub: other.clientId } }],
      ['the key of another', {}, other.key],
      ['the name of its key, and another key', { header: { kid: own.key.kid } }, other.key],
      ['another kind of key', {}, rsa],
      ['expired', { claims: { iat: now - 600, exp: now - 60 } }],
      ['of the future', { claims: { iat: now + 300, exp: now + 360 } }],
      ['not yet', { claims: { nbf: now + 300 } }],
      ['for too long', { claims: { exp: now + 700 } }],
      ['for ever', { claims: { exp: undefined as never } }],
      ['without a time', { claims: { iat: undefined as never } }],
      ['without a jti', { claims: { jti: undefined as never } }],
      ['an access token', { header: { typ: 'at+jwt' } }],
      ['a proof', { header: { typ: 'dpop+jwt' } }],
      ['an identity assertion', { header: { typ: 'oauth-id-jag+jwt' } }],
    ]
    const { client, clientId, credentials } = own
    const { refresh_token } = await client.signIn(world.alice, { clientId, scope }, await credentials())
    for (const [what, signing, key] of tries) {
      const answer = await client.refresh(clientId, refresh_token, await credentials(signing, key))
      assert.ok([400, 401].includes(answer.status), what)
      assert.ok(['invalid_client', 'invalid_request'].includes(answer.error ?? ''), `${what}: ${answer.error}`)
    }
    const claims = { iss: clientId, sub: clientId, aud: issuer, iat: now, exp: now + 60, jti: 'forged' }
    const publicKey = new TextEncoder().encode(JSON.stringify(own.key.jwk))
    const forged = [
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: own.key.kid }).sign(publicKey),
      'a.b.c',
      'x'.repeat(20_000),
    ]
    for (const client_assertion of forged) {
      const form = { ...(await credentials()), client_assertion }
      assert.equal((await client.refresh(clientId, refresh_token, form)).error, 'invalid_client')
    }
    const untyped = {
      ...(await credentials()),
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer',
    }
    assert.equal((await client.refresh(clientId, refresh_token, untyped)).error, 'invalid_request')
    assert.equal((await client.refresh(clientId, refresh_token, await credentials())).status, 200)
    assert.equal(
      (
        await client.refresh(
          clientId,
          refresh_token,
          await credentials({ header: { typ: 'client-authentication+jwt' } }),
        )
      ).status,
      200,
    )
  })

  it('shows each assertion once, in all processes, also where the request was refused', async (world) => {
    const { client, clientId, credentials } = await keyClient(world)
    const { refresh_token } = await client.signIn(world.alice, { clientId, scope }, await credentials())
    const refused = await credentials()
    assert.equal((await client.refresh(clientId, 'unknown', refused)).error, 'invalid_grant')
    assert.equal((await client.refresh(clientId, refresh_token, refused)).error, 'invalid_client')
    const once = await credentials()
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.refresh(clientId, refresh_token, once)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 401)])
  })

  it('is not spoken for by another client, a public one among them', async (world) => {
    const own = await keyClient(world)
    const { client } = own
    const open = await client.register()
    const { refresh_token } = await client.signIn(world.alice, { clientId: open, scope })
    const mixed = await client.refresh(open, refresh_token, await own.credentials())
    assert.deepEqual([mixed.status, mixed.error], [400, 'invalid_request'])
    const form = { grant_type: 'refresh_token', refresh_token: refresh_token!, ...(await own.credentials()) }
    assert.equal((await client.token(form)).error, 'invalid_grant')
    const claims = { iss: open, sub: open }
    assert.equal((await client.refresh(open, refresh_token, await own.credentials({ claims }))).error, 'invalid_client')
    assert.equal((await client.refresh(open, refresh_token)).status, 200)
    const basic = {
      Authorization: `Basic ${btoa(`${own.clientId}:`)}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    }
    const body = new URLSearchParams({ token: 'x' }).toString()
    assert.equal((await client.send(`${AUTH}/revoke`, { method: 'POST', headers: basic, body })).status, 401)
    assert.equal((await client.claim('alice@example.com', 'community:read', own.clientId)).status, 400)
  })
})

onEveryEngine('the keys of a client at its address', (it) => {
  it('are fetched, kept, and fetched again for a key that is not among them', async (world) => {
    await receiving(async (receiver) => {
      world.dependencies.reach = home
      const [first, second] = [await newOwnKey(), await newOwnKey('Ed25519')]
      let keys = [first.jwk]
      receiver.answer = (_, response) => response.end(JSON.stringify({ keys }))
      const { client, clientId, credentials } = await keyClient(world, { jwks_uri: receiver.url }, first)
      const tokens = await client.signIn(world.alice, { clientId, scope }, await credentials())
      assert.equal(tokens.status, 200, JSON.stringify(tokens))
      const again = await client.refresh(clientId, tokens.refresh_token, await credentials())
      assert.equal(again.status, 200)
      assert.ok(receiver.arrived.length <= 2, 'once in each process')
      keys = [second.jwk]
      world.clock.pass(11)
      const rotated = await client.refresh(clientId, again.refresh_token, await credentials({}, second))
      assert.equal(rotated.status, 200, JSON.stringify(rotated))
      // Another process may have kept the old key.
      world.clock.pass(601)
      const stale = await client.refresh(clientId, rotated.refresh_token, await credentials())
      assert.deepEqual([stale.status, stale.error], [401, 'invalid_client'], JSON.stringify(stale))
    })
  })

  it('are not read where they are huge, private, redirected, or no keys', async (world) => {
    await receiving(async (receiver) => {
      const key = await newOwnKey()
      const answers: (typeof receiver)['answer'][] = [
        (_, response) => response.end(JSON.stringify({ keys: [key.jwk], more: 'x'.repeat(40_000) })),
        (_, response) => response.end(JSON.stringify({ keys: Array.from({ length: 101 }, () => ({ kty: 'EC' })) })),
        (_, response) => response.writeHead(302, { Location: receiver.url }).end(),
        (_, response) => response.end('no JSON'),
        (_, response) => response.writeHead(500).end(),
      ]
      for (const [reach, answer] of [
        ...answers.map((one) => [home, one] as const),
        [undefined, answers[0]!] as const,
      ]) {
        if (reach) world.dependencies.reach = reach
        else delete world.dependencies.reach
        receiver.answer = answer
        const { client, clientId, credentials } = await keyClient(
          world,
          { jwks_uri: `${receiver.url}/${hash('sha1', String(answer))}` },
          key,
        )
        const refused = await client.refresh(clientId, 'x', await credentials())
        assert.deepEqual([refused.status, refused.error], [401, 'invalid_client'])
      }
    })
  })
})

async function withOauth4webapi(world: World): Promise<void> {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const { clientId, key } = await keyClient(world)
  const issuer = new URL(world.dependencies.config.issuer)
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
  assert.ok(server.token_endpoint_auth_methods_supported?.includes('private_key_jwt'))
  const client: oauth.Client = { client_id: clientId }
  const authentication = oauth.PrivateKeyJwt({ key: key.privateKey, kid: key.kid })
  const own = oauthClient(world)
  const granted = await own.consent(world.alice, { clientId, scope })
  const parameters = oauth.validateAuthResponse(server, client, granted.callback, 'st-1')
  const answer = await oauth.authorizationCodeGrantRequest(
    ...([server, client, authentication, parameters, granted.redirectUri, granted.verifier, insecure] as const),
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer)
  assert.ok(tokens.access_token)
  const revoked = await oauth.revocationRequest(server, client, authentication, tokens.access_token, insecure)
  await oauth.processRevocationResponse(revoked)
}

async function withOpenidClient(world: World): Promise<void> {
  const { clientId, key } = await keyClient(world, {}, await newOwnKey('Ed25519'))
  const execute = [openid.allowInsecureRequests]
  const authentication = openid.PrivateKeyJwt({ key: key.privateKey, kid: key.kid })
  const config = await openid.discovery(
    new URL(world.dependencies.config.issuer),
    clientId,
    undefined,
    authentication,
    { execute },
  )
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const parameters = {
    ...{ redirect_uri: REDIRECT, scope, state: 'st' },
    ...{ code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier), code_challenge_method: 'S256' },
  }
  const url = await openid.buildAuthorizationUrlWithPAR(config, parameters)
  const client = oauthClient(world)
  const { to } = await client.authorize(world.alice, url.searchParams)
  const callback = await client.decide(world.alice, to!)
  const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState: 'st' })
  assert.ok((await openid.refreshTokenGrant(config, tokens.refresh_token!)).access_token)
}

onEngines('clients of others with keys', (open) => {
  const run = (go: (world: World) => Promise<void>) => (t: TestContext) => listening(t, go, { open })
  nodeIt('oauth4webapi signs in and revokes', run(withOauth4webapi))
  nodeIt('openid-client pushes, signs in and refreshes', run(withOpenidClient))
})
