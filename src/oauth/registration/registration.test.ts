// Registration of clients (RFC 7591).
import assert from 'node:assert/strict'
import { oauthClient, REDIRECT } from '../../../test/oauth.ts'
import { onEveryEngine } from '../../../test/world.ts'

onEveryEngine('registration', (it) => {
  it('is open, and gives public clients their id (RFC 7591, 3.2.1)', async (world) => {
    const client = oauthClient(world)
    const response = await client.postJson('/api/auth/oauth2/register', {
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      client_name: 'Loom',
      unheard_of: 1,
    })
    const body = (await response.json()) as Record<string, unknown>
    assert.equal(response.status, 201)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.ok(body['client_id'])
    assert.equal(body['client_secret'], undefined)
    assert.deepEqual(body['redirect_uris'], [REDIRECT])
    assert.equal(body['token_endpoint_auth_method'], 'none')
    assert.equal(body['client_name'], 'Loom')
  })

  it('says what is wrong in the words of RFC 7591, 3.2.2', async (world) => {
    const client = oauthClient(world)
    for (const [metadata, error] of [
      [{ redirect_uris: 'https://client.example' }, 'invalid_redirect_uri'],
      [{ redirect_uris: ['not a uri'] }, 'invalid_redirect_uri'],
      [{ redirect_uris: ['http://client.example/cb'] }, 'invalid_redirect_uri'],
      [{ redirect_uris: [`${REDIRECT}#fragment`] }, 'invalid_redirect_uri'],
      [{ redirect_uris: ['https://user:pass@client.example/cb'] }, 'invalid_redirect_uri'],
      [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
      [{ redirect_uris: ['data:text/html,x'] }, 'invalid_redirect_uri'],
      [{}, 'invalid_redirect_uri'],
      [{ redirect_uris: [] }, 'invalid_redirect_uri'],
      [{ redirect_uris: [REDIRECT], grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
      [{ redirect_uris: [REDIRECT], response_types: ['token'] }, 'invalid_client_metadata'],
      [{ redirect_uris: [REDIRECT], client_name: 7 }, 'invalid_client_metadata'],
      ['text', 'invalid_client_metadata'],
    ] as const) {
      const response = await client.postJson('/api/auth/oauth2/register', metadata)
      const body = (await response.json()) as { error: string }
      assert.deepEqual([response.status, body.error], [400, error], JSON.stringify(metadata))
    }
    assert.equal((await world.db.selectFrom('oauthClient').selectAll().execute()).length, 0)
  })

  it('replaces what it does not offer, and says so (RFC 7591, 2)', async (world) => {
    const client = oauthClient(world)
    const all = 'openid profile email offline_access community:read community:write library:read library:write'
    const both = ['authorization_code', 'refresh_token']
    for (const [given, answered] of [
      [{ token_endpoint_auth_method: 'client_secret_basic' }, { token_endpoint_auth_method: 'none' }],
      [{ token_endpoint_auth_method: 'client_secret_post' }, { token_endpoint_auth_method: 'none' }],
      [{ token_endpoint_auth_method: 'private_key_jwt' }, { token_endpoint_auth_method: 'none' }],
      [
        { grant_types: [...both, 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'] },
        { grant_types: [...both, 'urn:ietf:params:oauth:grant-type:device_code'] },
      ],
      [{ grant_types: ['refresh_token'] }, { grant_types: both }],
      [{ grant_types: ['authorization_code'] }, { grant_types: ['authorization_code'] }],
      [{ grant_types: [] }, { grant_types: both }],
      [{ response_types: ['code', 'code id_token'] }, { response_types: ['code'] }],
      [{ scope: 'read library:read nonsense' }, { scope: 'library:read' }],
      [{ scope: '' }, { scope: all }],
      [{ scope: 'nonsense' }, { scope: all }],
      [{ id_token_signed_response_alg: 'HS256' }, { id_token_signed_response_alg: 'RS256' }],
      [{ id_token_signed_response_alg: 'EdDSA' }, { id_token_signed_response_alg: 'EdDSA' }],
      [{}, { id_token_signed_response_alg: 'RS256' }],
    ] as const) {
      const metadata = { redirect_uris: [REDIRECT], ...given }
      const response = await client.postJson('/api/auth/oauth2/register', metadata)
      const body = (await response.json()) as Record<string, unknown>
      assert.equal(response.status, 201, JSON.stringify([given, body]))
      for (const [name, value] of Object.entries(answered)) assert.deepEqual(body[name], value, JSON.stringify(given))
      assert.equal(body['client_secret'], undefined)
    }
  })

  it('accepts names of one short line, without invisible characters', async (world) => {
    const client = oauthClient(world)
    const nameFor = async (client_name: string) => {
      const response = await client.postJson('/api/auth/oauth2/register', { redirect_uris: [REDIRECT], client_name })
      return ((await response.json()) as { client_name?: string }).client_name
    }
    const sixty = 'x'.repeat(60)
    for (const [given, kept] of [
      [sixty, sixty],
      [`${sixty}y`, sixty],
      [`${'x'.repeat(59)}😀`, 'x'.repeat(59)],
      ['  Morning\r\n\tagent\u2028now  ', 'Morning agent now'],
      ['Guild\u200bhall\u202e\u2066 \u0001\u001b[1m', 'Guildhall [1m'],
      ['Größe 世界', 'Größe 世界'],
      ['\u200b\u202e\u3164', undefined],
    ] as const) {
      assert.equal(await nameFor(given), kept, JSON.stringify(given))
    }
  })

  it('shows names that were stored before there was a rule as the rule has them, in mails behind our own words', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register({ client_name: 'Loom' })
    const evil = 'Urgent\n\nYour account is blocked\u202e'
    const metadata = JSON.stringify({
      client_id: clientId,
      client_name: evil,
      redirect_uris: [REDIRECT, 'mailto:a@b.c'],
    })
    await world.db.updateTable('oauthClient').set({ metadata }).where('id', '=', clientId).execute()
    const { to } = await client.authorize(world.alice, { clientId })
    const page = await (await world.alice.request(to!.pathname + to!.search)).text()
    assert.match(page, /Urgent Your account is blocked wants to use your account/)
    assert.equal((await client.authorize(world.alice, { clientId, redirectUri: 'mailto:a@b.c' })).status, 400)
    await client.signIn(world.alice, { clientId })
    await world.db.updateTable('grant').set({ clientName: evil }).execute()
    assert.equal((await world.alice.signIns.list()).items[0]!.clientName, 'Urgent Your account is blocked')
    await client.claim(world.alice.email, 'community:read', clientId)
    const mail = (await world.mails(world.alice.email)).findLast(({ subject }) => subject === 'Code for your agent')!
    assert.match(
      mail.body,
      /^An app asks to sign in to Guildhall with your account\.\n\nName: "Urgent Your account is blocked"\n/,
    )
  })

  it('takes 4 KB of metadata and no more', async (world) => {
    const client = oauthClient(world)
    const sized = (bytes: number) => {
      const metadata = { redirect_uris: [REDIRECT], client_uri: 'https://client.example/' }
      return { ...metadata, client_uri: metadata.client_uri + 'x'.repeat(bytes - JSON.stringify(metadata).length) }
    }
    assert.equal((await client.postJson('/api/auth/oauth2/register', sized(4_096))).status, 201)
    const refused = await client.postJson('/api/auth/oauth2/register', sized(4_097))
    assert.deepEqual(
      [refused.status, ((await refused.json()) as { error: string }).error],
      [400, 'invalid_client_metadata'],
    )
  })

  it('is forgotten after a day when the client never got a token', async (world) => {
    const client = oauthClient(world)
    const never = await client.register()
    const used = await client.register()
    await client.signIn(world.alice, { clientId: used })
    const left = async () =>
      (await world.db.selectFrom('oauthClient').select('id').orderBy('id').execute()).map(({ id }) => id)
    world.clock.pass(86_399 - 5)
    await world.app.cleanUp()
    assert.deepEqual(await left(), [never, used])
    world.clock.pass(10)
    await world.app.cleanUp()
    assert.deepEqual(await left(), [used])
    assert.equal((await client.authorize(world.person('later'), { clientId: never })).status, 400)
  })

  it('lets a client ask for more than it registered: its person decides', async (world) => {
    const client = oauthClient(world)
    const response = await client.postJson('/api/auth/oauth2/register', {
      redirect_uris: [REDIRECT],
      scope: 'community:read',
    })
    const registered = (await response.json()) as { client_id: string; scope: string }
    assert.equal(registered.scope, 'community:read')
    const scope = 'community:write library:write'
    const tokens = await client.signIn(world.alice, { clientId: registered.client_id, scope })
    assert.equal(tokens.scope, scope)
    const { to } = await client.authorize(world.alice, { clientId: registered.client_id, scope: 'nonsense' })
    assert.equal(to!.searchParams.get('error'), 'invalid_scope')
  })

  it('is deleted when the client was not used for 90 days', async (world) => {
    const client = oauthClient(world)
    const unused = await client.register()
    const used = await client.register()
    world.clock.pass(89 * 86_400)
    assert.equal((await client.signIn(world.person('later'), { clientId: used })).status, 200)
    world.clock.pass(2 * 86_400)
    await world.app.cleanUp()
    const clients = await world.db.selectFrom('oauthClient').select('id').execute()
    assert.deepEqual(clients, [{ id: used }])
    assert.equal((await client.authorize(world.alice, { clientId: unused })).status, 400)
  })
})
