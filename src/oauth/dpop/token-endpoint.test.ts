// Codes and refresh tokens that are bound to a key, at the token endpoint (RFC 9449, 5).
import assert from 'node:assert/strict'
import { boundTokens, codeForm, keyHolder, newKey, refreshForm, BOUND_SCOPE as scope } from '../../../test/dpop.ts'
import { AGENT, oauthClient } from '../../../test/oauth.ts'
import { onEveryEngine } from '../../../test/world.ts'

interface Answered {
  status: number
  headers: Headers
  error?: string
  token_type?: string
  access_token: string
  refresh_token: string
}

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
