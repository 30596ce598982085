// How clients name themselves at the endpoints that take forms, and what must be in a request for tokens.
import assert from 'node:assert/strict'
import { describe, it as nodeIt } from 'node:test'
import { type Granted, oauthClient, REDIRECT } from '../../test/oauth.ts'
import { onEveryEngine } from '../../test/world.ts'
import { formIn, presentedSecret } from './client-form.ts'

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`

onEveryEngine('a client at the token endpoint', (it) => {
  it('may put its id and an empty secret into Authorization: Basic (RFC 6749, 2.3.1)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const send = (form: Record<string, string>, Authorization: string, path = 'token') =>
      client.send(`/api/auth/oauth2/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Authorization },
        body: new URLSearchParams(form).toString(),
      })
    const form = ({ code, verifier, redirectUri }: Granted) => ({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    })
    const scope = 'community:read offline_access'
    const exchanged = await send(form(await client.consent(world.alice, { clientId, scope })), basic(`${clientId}:`))
    assert.equal(exchanged.status, 200)
    const tokens = (await exchanged.json()) as { refresh_token: string }
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const refreshed = await send({ ...refresh, client_id: clientId }, basic(`${clientId}:`))
    assert.equal(refreshed.status, 200)
    assert.deepEqual(await (await send(refresh, basic(`${clientId}:`))).json(), await refreshed.clone().json())
    const other = await send({ ...refresh, client_id: 'other' }, basic(`${clientId}:`))
    assert.deepEqual([other.status, ((await other.json()) as { error: string }).error], [400, 'invalid_request'])
    const { refresh_token: next } = (await refreshed.json()) as { refresh_token: string }
    assert.equal((await send({ token: next }, basic(`${clientId}:`), 'revoke')).status, 200)
    assert.equal((await client.refresh(clientId, next)).error, 'invalid_grant')
    const post = await client.token({
      ...form(await client.consent(world.alice, { clientId })),
      client_id: clientId,
      client_secret: '',
    })
    assert.equal(post.status, 200)
  })

  it('gets a challenge with every 401 (RFC 9110, 15.5.2)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const form = { grant_type: 'refresh_token', refresh_token: 'x', token: 'x' }
    for (const path of ['token', 'revoke', 'par']) {
      for (const [more, headers] of [
        [{ client_id: 'nobody' }, {}],
        [{}, { Authorization: basic('nobody:') }],
        [{}, { Authorization: basic(`${path === 'revoke' ? 'nobody' : clientId}:secret`) }],
      ] as [Record<string, string>, Record<string, string>][]) {
        const response = await client.send(`/api/auth/oauth2/${path}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
          body: new URLSearchParams({ ...form, ...more } as Record<string, string>).toString(),
        })
        assert.equal(response.status, 401, `${path} ${JSON.stringify([more, headers])}`)
        assert.match(response.headers.get('www-authenticate')!, /^Basic realm="/)
        assert.equal(((await response.json()) as { error: string }).error, 'invalid_client')
      }
    }
  })

  it('names the redirect URI again that its authorization request named (RFC 6749, 4.1.3)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const granted = await client.consent(world.alice, { clientId })
    const form = {
      grant_type: 'authorization_code',
      code: granted.code,
      code_verifier: granted.verifier,
      client_id: clientId,
    }
    for (const more of [{}, { redirect_uri: '' }] as Record<string, string>[]) {
      const refused = await client.token({ ...form, ...more })
      assert.deepEqual([refused.status, refused.error], [400, 'invalid_request'])
    }
    assert.equal((await client.exchange(granted)).status, 200)
  })

  it('may leave it out where its request did, having one alone (RFC 6749, 3.1.2.3)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const verifier = client.newVerifier()
    const query = client.request({ clientId }, verifier)
    query.delete('redirect_uri')
    const { to } = await client.authorize(world.alice, query)
    assert.equal(to!.pathname, '/oauth/consent')
    assert.match(await (await world.alice.request(to!.pathname + to!.search)).text(), /client\.example/)
    const callback = await client.decide(world.alice, to!)
    assert.equal(callback.origin + callback.pathname, REDIRECT)
    const form = { grant_type: 'authorization_code', code_verifier: verifier, client_id: clientId }
    assert.equal((await client.token({ ...form, code: callback.searchParams.get('code')! })).status, 200)
  })
})

describe('Basic credentials', () => {
  const request = (credentials: string) =>
    new Request('http://localhost:3000/', { method: 'POST', headers: { Authorization: basic(credentials) } })

  nodeIt('name a client without a secret also by an address that is not encoded', () => {
    for (const id of ['https://app.example/client.json', 'https%3A%2F%2Fapp.example%2Fclient.json'])
      assert.equal(
        formIn({ request: request(`${id}:`), body: '' }).form.get('client_id'),
        'https://app.example/client.json',
      )
  })

  nodeIt('have a secret where there is one, and no second way beside them', () => {
    const shown = (credentials: string, form: Record<string, string> = {}) =>
      presentedSecret(request(credentials), new URLSearchParams(form))
    assert.deepEqual(shown('a%20b:c%3Ad'), { clientId: 'a b', secret: 'c:d', method: 'client_secret_basic' })
    for (const none of ['a:', 'a', 'a:b:c', 'a:%zz', '']) assert.equal(shown(none), undefined, none)
    for (const [name, value] of [
      ['client_secret', 'c'],
      ['client_assertion', 'x'],
      ['client_id', 'other'],
    ] as const)
      assert.throws(() => shown('a:b', { [name]: value }), /one way alone|mismatch/)
    assert.deepEqual(shown('a:b', { client_id: 'a' })?.secret, 'b')
  })
})
