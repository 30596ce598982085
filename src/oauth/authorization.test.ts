// The authorization endpoint, the consent page and the exchange of codes.
import assert from 'node:assert/strict'
import { AGENT, oauthClient, REDIRECT } from '../../test/oauth.ts'
import { onEveryEngine } from '../../test/world.ts'

onEveryEngine('authorization', (it) => {
  it('goes from consent to a code, a token and a call as the consenting user (RFC 6749, 4.1)', async (world) => {
    const client = oauthClient(world)
    const { alice } = world
    const clientId = await client.register()
    const granted = await client.consent(alice, { clientId, scope: 'community:read community:write' })
    assert.equal(granted.callback.origin + granted.callback.pathname, REDIRECT)
    assert.equal(granted.callback.searchParams.get('state'), 'st-1')
    const tokens = await client.exchange(granted)
    assert.equal(tokens.status, 200)
    assert.equal(tokens.token_type, 'Bearer')
    assert.equal(tokens.expires_in, 3600)
    assert.equal(tokens.scope, 'community:read community:write')
    assert.equal(tokens.refresh_token, undefined)
    const me = (await (await client.call(tokens.access_token)).json()) as { id: string }
    assert.equal(me.id, (await alice.account()).id)
  })

  it('names the issuer in every answer, good or bad (RFC 9207, 2)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const { callback } = await client.consent(world.alice, { clientId })
    assert.equal(callback.searchParams.get('iss'), client.auth)
    const { to } = await client.authorize(world.alice, { clientId, more: { code_challenge_method: 'plain' } })
    assert.equal(to!.searchParams.get('iss'), client.auth)
    assert.equal(to!.searchParams.get('error'), 'invalid_request')
  })

  it('gives a refresh token only with offline_access (interface.md, 5)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    assert.equal((await client.signIn(world.alice, { clientId, scope: 'community:read' })).refresh_token, undefined)
    assert.ok((await client.signIn(world.alice, { clientId, scope: 'community:read offline_access' })).refresh_token)
  })

  it('sends anonymous users to sign in first, with the request', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const { status, to } = await client.authorize(world.anonymous, { clientId, scope: 'community:read' })
    assert.equal(status, 303)
    assert.equal(to!.pathname, '/oauth/sign-in')
    assert.equal(to!.searchParams.get('client_id'), clientId)
  })

  it('shows an error page, and never redirects, for an unknown client or redirect (RFC 6749, 4.1.2.1)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    for (const asked of [
      { clientId: 'nobody' },
      { clientId, redirectUri: 'https://evil.example/callback' },
      { clientId, redirectUri: `${REDIRECT}/../evil` },
      { clientId, redirectUri: `${REDIRECT}?more=1` },
      { clientId, redirectUri: 'https://client.example.evil.example/callback' },
      { clientId: AGENT, redirectUri: 'http://localhost:5123/callback' },
      { clientId: AGENT, redirectUri: 'http://127.0.0.1:5123/other' },
      { clientId: AGENT, redirectUri: 'http://127.0.0.1:5123/callback/x' },
      { clientId: AGENT, redirectUri: 'http://127.0.0.1:5123/callback?x=1' },
      { clientId: AGENT, redirectUri: 'https://127.0.0.1:5123/callback' },
      { clientId: AGENT, redirectUri: 'http://127.0.0.2:5123/callback' },
      { clientId: AGENT, redirectUri: 'http://user@127.0.0.1:5123/callback' },
      { clientId: AGENT, redirectUri: 'http://127.0.0.1:5123@evil.example/callback' },
    ]) {
      const query = client.request(asked, client.newVerifier())
      const response = await world.alice.request(`/api/auth/oauth2/authorize?${query}`)
      assert.equal(response.status, 400, JSON.stringify(asked))
      assert.equal(response.headers.get('location'), null)
      assert.match(response.headers.get('content-type')!, /^text\/html/)
    }
  })

  it('lets the fixed client return to any port of the literal loopback addresses (RFC 8252, 7.3)', async (world) => {
    const client = oauthClient(world)
    for (const redirectUri of [
      'http://127.0.0.1:61999/callback',
      'http://[::1]:1024/callback',
      'http://127.0.0.1/callback',
    ]) {
      const granted = await client.consent(world.alice, { clientId: AGENT, redirectUri, scope: 'library:read' })
      assert.equal((await client.exchange(granted)).status, 200)
    }
  })

  it('leaves unknown scopes out, refuses when none is left, and grants community:read when none is named', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    assert.equal(
      (await client.signIn(world.alice, { clientId, scope: 'nonsense community:write' })).scope,
      'community:write',
    )
    const { to } = await client.authorize(world.alice, { clientId, scope: 'nonsense' })
    assert.equal(to!.searchParams.get('error'), 'invalid_scope')
    assert.equal(to!.searchParams.get('state'), 'st-1')
    assert.equal((await client.signIn(world.alice, { clientId })).scope, 'community:read')
  })

  it('refuses PKCE that is missing or plain (RFC 7636, 4.4.1)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    for (const change of [
      (query: URLSearchParams) => query.delete('code_challenge'),
      (query: URLSearchParams) => query.set('code_challenge_method', 'plain'),
      (query: URLSearchParams) => query.delete('code_challenge_method'),
    ]) {
      const query = client.request({ clientId }, client.newVerifier())
      change(query)
      const { to } = await client.authorize(world.alice, query)
      assert.equal(to!.searchParams.get('error'), 'invalid_request')
    }
  })

  it('answers a wrong verifier with invalid_grant and leaves the code to its owner (RFC 7636, 4.6)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const granted = await client.consent(world.alice, { clientId })
    const wrong: Record<string, string>[] = [
      { code_verifier: client.newVerifier() },
      { redirect_uri: 'https://client.example/other' },
    ]
    for (const more of wrong) {
      const refused = await client.exchange(granted, more)
      assert.equal(refused.status, 400)
      assert.equal(refused.error, 'invalid_grant')
    }
    assert.equal((await client.exchange(granted, { code_verifier: '' })).error, 'invalid_grant')
    assert.equal((await client.exchange(granted)).status, 200)
  })

  it('ends the sign-in whose code is used twice (RFC 6749, 4.1.2), and no other', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const scope = 'community:read offline_access'
    const other = await client.signIn(world.alice, { clientId, scope })
    const granted = await client.consent(world.alice, { clientId, scope })
    const tokens = await client.exchange(granted)
    const again = await client.exchange(granted)
    assert.deepEqual([again.status, again.error], [400, 'invalid_grant'])
    assert.equal((await client.call(tokens.access_token)).status, 401)
    assert.equal((await client.refresh(clientId, tokens.refresh_token)).error, 'invalid_grant')
    assert.equal((await client.refresh(clientId, other.refresh_token)).status, 200)
  })

  it('keeps a code to the client it was made for, and for five minutes (RFC 6749, 4.1.3)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const granted = await client.consent(world.alice, { clientId })
    assert.equal((await client.exchange(granted, { client_id: await client.register() })).error, 'invalid_grant')
    world.clock.pass(301)
    assert.equal((await client.exchange(granted)).error, 'invalid_grant')
  })

  it('refuses a request of another method, type or size in the words of RFC 6749, 5.2', async (world) => {
    const client = oauthClient(world)
    const asked = await client.send('/api/auth/oauth2/token')
    assert.deepEqual([asked.status, asked.headers.get('allow')], [405, 'OPTIONS, POST'])
    const json = await client.postJson('/api/auth/oauth2/token', { grant_type: 'refresh_token' })
    assert.deepEqual([json.status, ((await json.json()) as { error: string }).error], [400, 'invalid_request'])
    assert.equal((await client.token({ grant_type: 'password', client_id: AGENT })).error, 'unsupported_grant_type')
    assert.equal((await client.token({ client_id: AGENT })).error, 'invalid_request')
    const unknown = await client.token({ grant_type: 'refresh_token', client_id: 'nobody', refresh_token: 'x' })
    assert.deepEqual([unknown.status, unknown.error], [401, 'invalid_client'])
    const large = await client.token({ grant_type: 'refresh_token', refresh_token: 'x'.repeat(60_000) })
    assert.deepEqual([large.status, large.error], [413, 'invalid_request'])
  })

  it('lets pages of any origin exchange and refresh, but not authorize (CORS)', async (world) => {
    const client = oauthClient(world)
    for (const path of ['token', 'register', 'revoke', 'userinfo']) {
      const response = await client.send(`/api/auth/oauth2/${path}`, {
        method: 'OPTIONS',
        headers: { Origin: 'https://inspector.example', 'Access-Control-Request-Method': 'POST' },
      })
      assert.equal(response.status, 204)
      assert.equal(response.headers.get('access-control-allow-origin'), '*')
      assert.match(response.headers.get('access-control-allow-headers')!, /Authorization/)
      assert.ok(response.headers.get('x-request-id'))
    }
    for (const path of ['/api/auth/oauth2/authorize', '/api/auth/oauth2/consent', '/oauth/consent', '/oauth/sign-in']) {
      const response = await client.send(path, { headers: { Origin: 'https://inspector.example' } })
      assert.equal(response.headers.get('access-control-allow-origin'), null, path)
    }
  })
})
