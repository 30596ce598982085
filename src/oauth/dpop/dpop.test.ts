// Tokens that are bound to a key (RFC 9449): made, used, and worth nothing without the key.
import assert from 'node:assert/strict'
import { decodeJwt } from 'jose'
import { boundTokens, codeForm, keyHolder, newKey, BOUND_SCOPE as scope, tokenHash } from '../../../test/dpop.ts'
import { AGENT, oauthClient } from '../../../test/oauth.ts'
import { makeWorld, onEveryEngine, type World } from '../../../test/world.ts'

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
      { db: world.db, url: world.databaseUrl },
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
