// Pushed authorization requests (RFC 9126): the request goes by the back door, a reference to it by the browser.
import assert from 'node:assert/strict'
import { keyHolder, newKey } from '../../test/dpop.ts'
import { AGENT, AGENT_REDIRECT, oauthClient, REDIRECT } from '../../test/oauth.ts'
import { makeWorld, onEveryEngine, type World } from '../../test/world.ts'

const PATH = '/api/auth/oauth2/par'

async function push(world: World, request: URLSearchParams) {
  const response = await oauthClient(world).post(PATH, request)
  const body = (await response.json()) as { request_uri: string; expires_in: number; error?: string }
  return { ...body, status: response.status }
}

const reference = (clientId: string, request_uri: string) => new URLSearchParams({ client_id: clientId, request_uri })

onEveryEngine('a pushed request', (it) => {
  it('takes the place of its reference, and leads to one code (RFC 9126, 2 and 4)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const verifier = client.newVerifier()
    const asked = { clientId, scope: 'community:read offline_access' }
    const pushed = await push(world, client.request(asked, verifier))
    assert.deepEqual([pushed.status, pushed.expires_in], [201, 300])
    assert.match(pushed.request_uri, /^urn:ietf:params:oauth:request_uri:.{20,}$/)
    // What else the browser brings does not count.
    const query = reference(clientId, pushed.request_uri)
    query.set('scope', 'library:write')
    query.set('redirect_uri', 'https://evil.example/')
    const { to } = await client.authorize(world.alice, query)
    assert.equal(to!.pathname, '/oauth/consent')
    assert.equal(to!.searchParams.get('scope'), asked.scope)
    const second = (await client.authorize(world.alice, query)).to!
    const callback = await client.decide(world.alice, to!)
    assert.equal(callback.origin + callback.pathname, REDIRECT)
    assert.equal(callback.searchParams.get('state'), 'st-1')
    await assert.rejects(client.decide(world.alice, second), /400/)
    const after = await client.authorize(world.alice, query)
    assert.deepEqual([after.status, after.to], [400, undefined])
    const code = callback.searchParams.get('code')!
    assert.equal((await client.exchange({ code, verifier, clientId, redirectUri: REDIRECT, callback })).status, 200)
  })

  it('survives signing in', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const pushed = await push(world, client.request({ clientId, more: { prompt: 'login' } }, client.newVerifier()))
    const { to } = await client.authorize(world.alice, reference(clientId, pushed.request_uri))
    assert.equal(to!.pathname, '/oauth/sign-in')
    const form = { email: world.alice.email, password: 'alice has a password', how: 'password' }
    const response = await world.alice.request('/oauth/sign-in', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...form, oauth_query: to!.search.slice(1) }).toString(),
    })
    const next = await client.authorize(world.alice, new URL(response.headers.get('location')!).searchParams)
    assert.equal(next.to!.pathname, '/oauth/consent')
    assert.ok((await client.decide(world.alice, next.to!)).searchParams.get('code'))
  })

  it('is for its client, five minutes long, and can be answered for an hour', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const { request_uri: uri } = await push(world, client.request({ clientId }, client.newVerifier()))
    const other = await client.register()
    assert.equal((await client.authorize(world.alice, reference(other, uri))).status, 400)
    assert.equal((await client.authorize(world.alice, reference(clientId, `${uri}x`))).status, 400)
    const { to } = await client.authorize(world.alice, reference(clientId, uri))
    world.clock.pass(301)
    assert.equal((await client.authorize(world.alice, reference(clientId, uri))).status, 400)
    world.clock.pass(3_000)
    await world.app.cleanUp()
    assert.ok((await client.decide(world.alice, to!)).searchParams.get('code'))
    await push(world, client.request({ clientId }, client.newVerifier()))
    world.clock.pass(4_000)
    await world.app.cleanUp()
    assert.equal((await world.db.selectFrom('pushedRequest').selectAll().execute()).length, 0)
  })

  it('is refused at once when it is not valid, in the words of RFC 6749, 5.2', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    for (const [changes, error] of [
      [{ redirect_uri: 'https://evil.example/' }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ scope: 'nonsense' }, 'invalid_scope'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ resource: 'https://other.example' }, 'invalid_target'],
      [{ request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'invalid_request'],
      [{ client_id: 'nobody' }, 'invalid_client'],
    ] as [Record<string, string>, string][]) {
      const request = client.request({ clientId }, client.newVerifier())
      for (const [name, value] of Object.entries(changes)) request.set(name, value)
      const refused = await push(world, request)
      assert.deepEqual([refused.status, refused.error], [error === 'invalid_client' ? 401 : 400, error])
    }
    assert.equal((await world.db.selectFrom('pushedRequest').selectAll().execute()).length, 0)
  })

  it('is small, and there is an end to how many are pushed', async (world) => {
    const limited = await makeWorld(
      { db: world.db, url: world.databaseUrl },
      { BLOB_URL: world.dependencies.config.blobUrl, RATE_LIMITS: 'on' },
    )
    const client = oauthClient(limited)
    const clientId = await client.register()
    const request = (bytes = 0) => {
      const asked = client.request({ clientId, more: { nonce: 'n' } }, client.newVerifier())
      if (bytes > 0) asked.set('nonce', 'n'.repeat(1 + bytes - asked.toString().length))
      return asked
    }
    assert.equal((await push(limited, request(4_096))).status, 201)
    assert.equal((await push(limited, request(4_097))).status, 413)
    await world.db.updateTable('rateLimit').set({ count: 1_999 }).where('key', '=', 'push 127.0.0.1').execute()
    assert.equal((await push(limited, request())).status, 201)
    const refused = await push(limited, request())
    assert.deepEqual([refused.status, refused.error], [429, 'rate_limited'])
    await world.db.deleteFrom('rateLimit').where('key', '=', 'push 127.0.0.1').execute()
    await world.db.updateTable('rateLimit').set({ count: 20_000 }).where('key', '=', 'push').execute()
    assert.equal((await push(limited, request())).status, 429)
  })

  it('with a proof binds its code to the key (RFC 9449, 10.1)', async (world) => {
    const client = oauthClient(world)
    const key = await newKey()
    const holder = keyHolder(world, key)
    const verifier = client.newVerifier()
    const request = Object.fromEntries(client.request({ clientId: AGENT, scope: 'community:read' }, verifier))
    const wrong = await holder.post(PATH, request, { htu: 'https://evil.example/' })
    assert.deepEqual([wrong.status, wrong.error], [400, 'invalid_dpop_proof'])
    const named = { ...request, dpop_jkt: (await newKey()).thumbprint }
    assert.equal((await holder.post(PATH, named)).error, 'invalid_request')
    const pushed = await holder.post(PATH, request)
    assert.equal(pushed.status, 201)
    const { to } = await client.authorize(world.alice, reference(AGENT, pushed.request_uri!))
    const callback = await client.decide(world.alice, to!)
    const form = {
      grant_type: 'authorization_code',
      client_id: AGENT,
      code: callback.searchParams.get('code')!,
      code_verifier: verifier,
      redirect_uri: AGENT_REDIRECT,
    }
    assert.equal((await client.token(form)).error, 'invalid_grant')
    assert.equal((await holder.token(form)).token_type, 'DPoP')
  })

  it('is found in the metadata (RFC 9126, 5)', async (world) => {
    const client = oauthClient(world)
    const metadata = (await (await client.send('/.well-known/oauth-authorization-server')).json()) as Record<
      string,
      unknown
    >
    assert.equal(metadata['pushed_authorization_request_endpoint'], `${client.auth}/oauth2/par`)
    assert.equal(metadata['require_pushed_authorization_requests'], false)
  })
})
