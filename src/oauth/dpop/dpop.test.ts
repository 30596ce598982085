// Tokens that are bound to a key (RFC 9449): made, used, refreshed, and worth nothing without the key.
import assert from 'node:assert/strict'
import { decodeJwt } from 'jose'
import { type Key, keyHolder, newKey, tokenHash } from '../../../test/dpop.ts'
import { AGENT, type Granted, oauthClient } from '../../../test/oauth.ts'
import { makeWorld, onEveryEngine, type World } from '../../../test/world.ts'

const scope = 'openid profile community:read offline_access'

const codeForm = ({ code, verifier, clientId, redirectUri }: Granted, more: Record<string, string> = {}) => ({
  grant_type: 'authorization_code',
  code,
  code_verifier: verifier,
  client_id: clientId,
  redirect_uri: redirectUri,
  ...more,
})

const refreshForm = (refresh_token: string, more: Record<string, string> = {}) => ({
  grant_type: 'refresh_token',
  client_id: AGENT,
  refresh_token,
  ...more,
})

interface Answered {
  status: number
  headers: Headers
  error?: string
  token_type?: string
  access_token: string
  refresh_token: string
}

/** Tokens of the fixed client, bound to a key: opaque, or a JWT. */
async function boundTokens(world: World, key: Key, { jwt = false } = {}) {
  const client = oauthClient(world)
  const more: Record<string, string> = jwt ? { resource: client.audience } : {}
  const granted = await client.consent(world.alice, { clientId: AGENT, scope, more })
  const tokens = await keyHolder(world, key).token(codeForm(granted, more))
  assert.equal(tokens.status, 200, JSON.stringify(tokens))
  return tokens
}

onEveryEngine('a token that is bound to a key', (it) => {
  it('is used with a proof of the key, opaque or a JWT (RFC 9449, 5 to 7)', async (world) => {
    for (const alg of ['ES256', 'EdDSA'] as const) {
      const key = await newKey(alg)
      const holder = keyHolder(world, key)
      for (const jwt of [false, true]) {
        const { access_token, token_type } = await boundTokens(world, key, { jwt })
        assert.equal(token_type, 'DPoP')
        if (jwt) assert.deepEqual(decodeJwt(access_token)['cnf'], { jkt: key.thumbprint })
        const answer = await holder.call(access_token, { path: '/api/community/me?x=1' })
        assert.equal(answer.status, 200)
        assert.equal(((await answer.json()) as { id: string }).id, (await world.alice.account()).id)
        assert.equal((await holder.call(access_token, { scheme: 'dpop' })).status, 200)
        const path = '/api/auth/oauth2/userinfo'
        assert.equal((await holder.call(access_token, { path })).status, 200)
        assert.equal((await holder.call(access_token, { path, method: 'POST' })).status, 200)
      }
    }
  })

  it('is nothing as a plain bearer token (RFC 9449, 7.2)', async (world) => {
    const client = oauthClient(world)
    const key = await newKey()
    for (const jwt of [false, true]) {
      const { access_token } = await boundTokens(world, key, { jwt })
      for (const path of ['/api/community/me', '/api/library/me', '/api/auth/oauth2/userinfo']) {
        const refused = await client.call(access_token, path)
        assert.equal(refused.status, 401, path)
        const challenge = refused.headers.get('www-authenticate')!
        assert.match(challenge, /^Bearer error="invalid_token"/)
        assert.match(challenge, /, DPoP algs="ES256 EdDSA Ed25519"$/)
      }
      const withProof = await keyHolder(world, key).call(access_token, { scheme: 'Bearer' })
      assert.equal(withProof.status, 401)
      // Where no credential is needed, the caller is anonymous.
      assert.equal((await client.call(access_token, '/api/library/items?scope=mine')).status, 401)
      assert.equal((await client.call(access_token, '/api/community/feed')).status, 200)
    }
  })

  it('is nothing with the proof of another key, request, token or time, and says which (RFC 9449, 4.3)', async (world) => {
    const key = await newKey()
    const holder = keyHolder(world, key)
    const { baseUrl } = world.dependencies.config
    const now = Math.floor(Date.now() / 1000)
    for (const jwt of [false, true]) {
      const { access_token: token } = await boundTokens(world, key, { jwt })
      const refused = async (answer: Response, error: string) => {
        assert.equal(answer.status, 401)
        const challenge = answer.headers.get('www-authenticate')!
        assert.ok(challenge.startsWith(`DPoP algs="ES256 EdDSA Ed25519", error="${error}"`), challenge)
        assert.match(challenge, /resource_metadata="/)
        return answer
      }
      for (const changes of [
        { htm: 'POST' },
        { htu: `${baseUrl}/api/library/me` },
        { htu: 'https://evil.example/api/community/me' },
        { htu: 'text' },
        { ath: tokenHash('another') },
        { ath: undefined as never },
        { jti: '' },
        { nonce: 7 as never },
      ]) {
        await refused(await holder.call(token, { changes }), 'invalid_dpop_proof')
      }
      for (const header of [{ typ: 'jwt' }, { jwk: undefined }]) {
        await refused(await holder.call(token, { header }), 'invalid_dpop_proof')
      }
      for (const iat of [now - 400, now + 400]) {
        const answer = await refused(await holder.call(token, { changes: { iat } }), 'use_dpop_nonce')
        const nonce = answer.headers.get('dpop-nonce')!
        assert.equal((await holder.call(token, { changes: { iat, nonce } })).status, 200)
      }
      await refused(await holder.call(token, { changes: { nonce: 'made up' } }), 'use_dpop_nonce')
      await refused(await keyHolder(world, await newKey()).call(token), 'invalid_token')
      const bare = await world.app.fetch(
        new Request(`${baseUrl}/api/community/me`, { headers: { Authorization: `DPoP ${token}` } }),
      )
      await refused(bare, 'invalid_dpop_proof')
      await refused(await holder.call(token, { headers: { DPoP: 'x'.repeat(5_000) } }), 'invalid_dpop_proof')
    }
  })

  it('takes each proof once, also of those that come at once and at two processes', async (world) => {
    const key = await newKey()
    const { access_token: token } = await boundTokens(world, key)
    const url = `${world.dependencies.config.baseUrl}/api/community/me`
    const second = await makeWorld(
      { db: world.db, dataVersion: undefined, url: world.databaseUrl },
      { BLOB_URL: world.dependencies.config.blobUrl },
    )
    const DPoP = await key.proof('GET', url, { ath: tokenHash(token) })
    const send = (app: World['app']) =>
      app.fetch(new Request(url, { headers: { Authorization: `DPoP ${token}`, DPoP } }))
    const answers = await Promise.all([world, second, world, second, world].map(({ app }) => send(app)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401, 401])
    assert.equal((await send(world.app)).status, 401)
    assert.equal((await world.db.selectFrom('dpopProof').selectAll().execute()).length, 2)
    world.clock.pass(601)
    await world.app.cleanUp()
    assert.equal((await world.db.selectFrom('dpopProof').selectAll().execute()).length, 0)
  })

  it('names the missing scope in its own scheme', async (world) => {
    const client = oauthClient(world)
    const key = await newKey()
    const granted = await client.consent(world.alice, { clientId: AGENT, scope: 'library:read' })
    const { access_token } = await keyHolder(world, key).token(codeForm(granted))
    const refused = await keyHolder(world, key).call(access_token)
    assert.equal(refused.status, 403)
    assert.match(refused.headers.get('www-authenticate')!, /^DPoP algs="[^"]+", error="insufficient_scope", scope="/)
  })

  it('is not what a plain token becomes by another scheme', async (world) => {
    const client = oauthClient(world)
    const { access_token } = await client.signIn(world.alice, { clientId: AGENT, scope })
    assert.equal((await keyHolder(world, await newKey()).call(access_token)).status, 401)
    assert.equal((await client.call(access_token)).status, 200)
  })

  it('calls tools with one proof for the whole request', async (world) => {
    const key = await newKey()
    const holder = keyHolder(world, key)
    const { access_token: token } = await boundTokens(world, key)
    const { access_token: jwt } = await boundTokens(world, key, { jwt: true })
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_me', arguments: {} } }
    const options = {
      method: 'POST',
      path: '/api/mcp',
      body,
      headers: { Accept: 'application/json, text/event-stream' },
    }
    for (const one of [token, jwt]) {
      const answer = await holder.call(one, options)
      const text = await answer.text()
      assert.equal(answer.status, 200, text)
      assert.match(text, new RegExp((await world.alice.account()).id))
      const other = await keyHolder(world, await newKey()).call(one, options)
      assert.equal(other.status, 401)
      assert.match(other.headers.get('www-authenticate')!, /^DPoP algs="[^"]+", error="invalid_token"/)
      const plain = await holder.call(one, { ...options, scheme: 'Bearer' })
      assert.equal(plain.status, 401)
      assert.match(plain.headers.get('www-authenticate')!, /^Bearer error="invalid_token".*, DPoP algs=/)
      const wrong = await holder.call(one, {
        ...options,
        changes: { htu: `${world.dependencies.config.baseUrl}/api/x` },
      })
      assert.match(wrong.headers.get('www-authenticate')!, /error="invalid_dpop_proof"/)
    }
  })
})

onEveryEngine('a refresh token that is bound to a key', (it) => {
  it('is refreshed by that key alone; a thief without it ends nothing (RFC 9449, 5)', async (world) => {
    const client = oauthClient(world)
    const key = await newKey()
    const holder = keyHolder(world, key)
    const first = await boundTokens(world, key)
    assert.equal((await client.refresh(AGENT, first.refresh_token)).error, 'invalid_grant')
    const thief = keyHolder(world, await newKey())
    assert.equal((await thief.token(refreshForm(first.refresh_token))).error, 'invalid_grant')
    const next = await holder.token(refreshForm(first.refresh_token))
    assert.deepEqual([next.status, next.token_type], [200, 'DPoP'])
    assert.equal((await holder.call(next.access_token)).status, 200)
    world.clock.pass(301)
    assert.equal((await client.refresh(AGENT, first.refresh_token)).error, 'invalid_grant')
    assert.equal((await thief.token(refreshForm(first.refresh_token))).error, 'invalid_grant')
    assert.equal((await holder.token(refreshForm(next.refresh_token))).status, 200)
  })

  it('gets its answer again within five minutes from that key alone, each time with a new proof', async (world) => {
    const client = oauthClient(world)
    const key = await newKey()
    const holder = keyHolder(world, key)
    const used = (await boundTokens(world, key)).refresh_token
    const first = await holder.token(refreshForm(used), { jti: 'once' })
    const again = await holder.token(refreshForm(used))
    assert.deepEqual([again.access_token, again.refresh_token], [first.access_token, first.refresh_token])
    assert.equal((await holder.token(refreshForm(used), { jti: 'once' })).error, 'invalid_dpop_proof')
    assert.equal((await client.refresh(AGENT, used)).error, 'invalid_grant')
    assert.equal((await keyHolder(world, await newKey()).token(refreshForm(used))).error, 'invalid_grant')
    const six = await Promise.all(Array.from({ length: 6 }, () => holder.token(refreshForm(first.refresh_token))))
    assert.deepEqual([...new Set(six.map(({ status }) => status))], [200])
    assert.equal(new Set(six.map(({ access_token }) => access_token)).size, 1)
    assert.equal((await holder.call(six[0]!.access_token)).status, 200)
  })

  it('of a plain token answers a lost answer to a plain request alone', async (world) => {
    const client = oauthClient(world)
    const { refresh_token: used } = await client.signIn(world.alice, { clientId: AGENT, scope })
    const first = await client.refresh(AGENT, used)
    const holder = keyHolder(world, await newKey())
    assert.equal((await holder.token(refreshForm(used!))).error, 'invalid_grant')
    assert.deepEqual(await client.refresh(AGENT, used), first)
  })
})

onEveryEngine('the token endpoint and keys', (it) => {
  it('says what is wrong with a proof, and leaves code and token as they are (RFC 9449, 5)', async (world) => {
    const client = oauthClient(world)
    const holder = keyHolder(world, await newKey())
    const granted = await client.consent(world.alice, { clientId: AGENT, scope })
    for (const changes of [{ htm: 'GET' }, { htu: 'https://evil.example/token' }, { jti: '' }]) {
      const refused = await holder.token(codeForm(granted), changes)
      assert.deepEqual([refused.status, refused.error], [400, 'invalid_dpop_proof'], JSON.stringify(changes))
    }
    const old = { iat: Math.floor(Date.now() / 1000) - 400 }
    const late = await holder.token(codeForm(granted), old)
    assert.deepEqual([late.status, late.error], [400, 'use_dpop_nonce'])
    const nonce = late.headers.get('dpop-nonce')!
    const tokens = await holder.token(codeForm(granted), { ...old, nonce, jti: 'j' })
    assert.equal(tokens.status, 200)
    const replayed = await holder.token(refreshForm(tokens.refresh_token), { ...old, nonce, jti: 'j' })
    assert.deepEqual([replayed.status, replayed.error], [400, 'invalid_dpop_proof'])
    assert.equal((await holder.token(refreshForm(tokens.refresh_token))).status, 200)
  })

  it('keeps a code to the key that its request named (RFC 9449, 10)', async (world) => {
    const client = oauthClient(world)
    const key = await newKey()
    const clientId = await client.register()
    const more = { dpop_jkt: key.thumbprint }
    const granted = await client.consent(world.alice, { clientId, more })
    assert.equal((await client.exchange(granted)).error, 'invalid_grant')
    const other = keyHolder(world, await newKey())
    assert.equal((await other.token(codeForm(granted))).error, 'invalid_grant')
    assert.equal((await keyHolder(world, key).token(codeForm(granted))).token_type, 'DPoP')
  })

  it('gives a client that registered for bound tokens no other (RFC 9449, 5.2)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register({ dpop_bound_access_tokens: true })
    const granted = await client.consent(world.alice, { clientId })
    assert.equal((await client.exchange(granted)).status, 400)
    assert.equal((await keyHolder(world, await newKey()).token(codeForm(granted))).token_type, 'DPoP')
  })

  it('binds what a mailed code is turned into, and a bad proof does not burn the code', async (world) => {
    const client = oauthClient(world)
    const key = await newKey()
    const { email } = await world.alice.account()
    await client.claim(email, 'community:read offline_access')
    const code = await client.code(email)
    const path = '/api/auth/agent/claim/verify'
    const url = `${world.dependencies.config.baseUrl}${path}`
    const verify = async (proof: string) => {
      const body = JSON.stringify({ email, code, client_id: AGENT })
      const headers = { 'Content-Type': 'application/json', DPoP: proof }
      const answer = await client.send(path, { method: 'POST', headers, body })
      const tokens = (await answer.json()) as Partial<Record<string, string>>
      return { ...tokens, status: answer.status, headers: answer.headers } as Answered
    }
    for (let attempt = 0; attempt < 6; attempt++) {
      const refused = await verify(await key.proof('GET', url))
      assert.deepEqual([refused.status, refused.error], [400, 'invalid_dpop_proof'])
    }
    const old = { iat: Math.floor(Date.now() / 1000) - 400 }
    const late = await verify(await key.proof('POST', url, old))
    assert.equal(late.error, 'use_dpop_nonce')
    const nonce = late.headers.get('dpop-nonce')!
    const tokens = await verify(await key.proof('POST', url, { ...old, nonce }))
    assert.deepEqual([tokens.status, tokens.token_type], [200, 'DPoP'])
    const holder = keyHolder(world, key)
    assert.equal((await holder.call(tokens.access_token)).status, 200)
    assert.equal((await client.call(tokens.access_token)).status, 401)
    assert.equal((await client.refresh(AGENT, tokens.refresh_token)).error, 'invalid_grant')
    assert.equal((await holder.token(refreshForm(tokens.refresh_token))).token_type, 'DPoP')
  })

  it('is found in the metadata, and open to pages of any origin (CORS)', async (world) => {
    const client = oauthClient(world)
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource/api/mcp']) {
      const document = (await (await client.send(path)).json()) as Record<string, string[]>
      assert.deepEqual(document['dpop_signing_alg_values_supported'], ['ES256', 'EdDSA', 'Ed25519'])
    }
    for (const path of ['/api/community/me', '/api/auth/oauth2/token', '/api/mcp', '/api/auth/agent/claim/verify']) {
      const headers = (await client.send(path, { method: 'OPTIONS' })).headers
      assert.match(headers.get('access-control-allow-headers')!, /\bDPoP\b/, path)
      assert.match(headers.get('access-control-expose-headers')!, /\bDPoP-Nonce\b/, path)
    }
  })
})
