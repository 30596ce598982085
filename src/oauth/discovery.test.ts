// The documents clients begin with.
import assert from 'node:assert/strict'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { oauthClient } from '../../test/oauth.ts'
import { onEveryEngine } from '../../test/world.ts'
import { newSigningKey } from './server/server.ts'

onEveryEngine('discovery', (it) => {
  it('gives the same metadata with the same issuer at every path (RFC 8414, 3)', async (world) => {
    const client = oauthClient(world)
    const documents: Record<string, unknown>[] = []
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      for (const path of [`/api/auth/.well-known/${name}`, `/.well-known/${name}`, `/.well-known/${name}/api/auth`]) {
        const response = await client.send(path, { headers: { Origin: 'https://inspector.example' } })
        assert.equal(response.status, 200, path)
        assert.equal(response.headers.get('access-control-allow-origin'), '*')
        assert.ok(response.headers.get('x-request-id'))
        documents.push((await response.json()) as Record<string, unknown>)
        assert.equal((await client.send(path, { method: 'HEAD' })).status, 200)
        assert.equal((await client.send(path, { method: 'POST' })).status, 405)
      }
    }
    const [metadata] = documents
    for (const document of documents) assert.deepEqual(document, metadata)
    assert.equal(metadata!['issuer'], client.auth)
    assert.equal(metadata!['token_endpoint'], `${client.auth}/oauth2/token`)
    assert.deepEqual(metadata!['code_challenge_methods_supported'], ['S256'])
    assert.deepEqual(metadata!['token_endpoint_auth_methods_supported'], [
      'none',
      'private_key_jwt',
      'client_secret_basic',
      'client_secret_post',
    ])
    assert.equal(metadata!['authorization_response_iss_parameter_supported'], true)
    assert.equal(metadata!['client_id_metadata_document_supported'], true)
    assert.equal((metadata!['scopes_supported'] as string[]).length, 8)
  })

  it('describes the protected resources (RFC 9728, 3)', async (world) => {
    const client = oauthClient(world)
    const { baseUrl } = world.dependencies.config
    for (const [path, resource] of [
      ['', `${baseUrl}/api`],
      ['/api', `${baseUrl}/api`],
      ['/api/mcp', `${baseUrl}/api/mcp`],
    ]) {
      const response = await client.send(`/.well-known/oauth-protected-resource${path}`)
      const body = (await response.json()) as Record<string, unknown>
      assert.equal(body['resource'], resource)
      assert.deepEqual(body['authorization_servers'], [client.auth])
      assert.deepEqual(body['bearer_methods_supported'], ['header'])
    }
  })

  it('answers unknown paths below it in the words of the protocol', async (world) => {
    const client = oauthClient(world)
    const response = await client.send('/api/auth/oauth2/introspect', { method: 'POST' })
    assert.equal(response.status, 404)
    assert.equal(((await response.json()) as { error: string }).error, 'invalid_request')
  })
})

const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
const previous = { ...(await exportJWK(publicKey)), kid: 'before' }
const signing = newSigningKey()

onEveryEngine(
  'keys and issuer',
  (it) => {
    it('publish previous keys beside the one that signs, never a private part (RFC 7517, 5)', async (world) => {
      const client = oauthClient(world)
      const { keys: all } = (await (await client.send('/api/auth/jwks')).json()) as { keys: Record<string, unknown>[] }
      const keys = all.filter(({ kty }) => kty === 'OKP')
      assert.deepEqual(
        keys.map(({ kid }) => kid),
        [signing.kid, 'before'],
      )
      // And the RSA key of ID tokens (OpenID Connect Discovery 1.0, 3).
      const rsa = all.filter(({ kty }) => kty === 'RSA')
      assert.equal(rsa.length, 1)
      assert.deepEqual(Object.keys(rsa[0]!).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
      for (const key of keys) assert.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x'])
    })

    it('take what a previous key signed', async (world) => {
      const client = oauthClient(world)
      const claims = {
        iss: 'https://id.example/guild',
        aud: ['https://agent.example/api'],
        azp: 'desk',
        client_id: 'desk',
        sub: (await world.alice.account()).id,
        scope: 'community:read',
        jti: 'j',
      }
      const header = { alg: 'EdDSA', typ: 'at+jwt', kid: 'before' }
      const token = await new SignJWT(claims)
        .setProtectedHeader(header)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey)
      assert.equal((await client.call(token)).status, 200)
    })

    it('are set apart from the origin: issuer, audience and client (behaviour.md, 0)', async (world) => {
      const client = oauthClient(world)
      const metadata = (await (await client.send('/.well-known/oauth-authorization-server')).json()) as Record<
        string,
        string
      >
      assert.equal(metadata['issuer'], 'https://id.example/guild')
      assert.equal(metadata['token_endpoint'], `${client.auth}/oauth2/token`)
      const resource = 'https://agent.example/api'
      const asked = { clientId: 'desk', redirectUri: 'http://127.0.0.1:9/callback', scope: 'openid community:read' }
      const granted = await client.consent(world.alice, { ...asked, more: { resource } })
      assert.equal(granted.callback.searchParams.get('iss'), 'https://id.example/guild')
      const tokens = await client.exchange(granted, { resource })
      const { iss, aud } = decodeJwt(tokens.access_token)
      assert.deepEqual([iss, aud], ['https://id.example/guild', [resource, `${client.auth}/oauth2/userinfo`]])
      assert.equal((await client.call(tokens.access_token)).status, 200)
      assert.equal(decodeJwt(tokens.id_token!).iss, 'https://id.example/guild')
    })
  },
  {
    SIGNING_KEY: JSON.stringify(signing),
    PREVIOUS_KEYS: JSON.stringify([previous]),
    ISSUER: 'https://id.example/guild',
    AGENT_AUDIENCE: 'https://agent.example/api',
    AGENT_CLIENT_ID: 'desk',
  },
)
