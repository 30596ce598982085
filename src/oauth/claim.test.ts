// The email-code flow for agents without a browser.
import assert from 'node:assert/strict'
import { decodeJwt } from 'jose'
import { AGENT, oauthClient } from '../../test/oauth.ts'
import { prove } from '../../test/passkeys.ts'
import { onEveryEngine, type World } from '../../test/world.ts'

const codesFor = async (world: World, email: string) =>
  (await world.mails(email)).filter(({ subject }) => subject === 'Code for your agent')

const wrongBut = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

onEveryEngine('claims', (it) => {
  it('turn a mailed code into a token that acts as the account', async (world) => {
    const client = oauthClient(world)
    const { id, email } = await world.alice.account()
    const clientId = await client.register()
    assert.equal((await client.claim(` ${email.toUpperCase()} `, 'community:read', clientId)).status, 200)
    const { status, ...token } = await client.verify(email, await client.code(email), clientId)
    assert.equal(status, 200)
    assert.deepEqual(
      { ...token, access_token: '' },
      {
        access_token: '',
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'community:read',
      },
    )
    assert.equal(((await (await client.call(token.access_token)).json()) as { id: string }).id, id)
  })

  it('give a refresh token to the fixed client with offline_access, to others never', async (world) => {
    const client = oauthClient(world)
    const { email } = await world.alice.account()
    await client.claim(email, 'library:read offline_access')
    const tokens = await client.verify(email, await client.code(email))
    const jwt = await client.refresh(AGENT, tokens.refresh_token, { resource: client.audience })
    assert.equal(decodeJwt(jwt.access_token).scope, 'library:read offline_access')
    const clientId = await client.register()
    await client.claim(email, 'library:read offline_access', clientId)
    assert.equal((await client.verify(email, await client.code(email), clientId)).refresh_token, undefined)
  })

  it('give a JWT and a refresh token at once for the agent audience (RFC 8707, 2)', async (world) => {
    const client = oauthClient(world)
    const { id, email } = await world.alice.account()
    await client.claim(email, 'openid library:read')
    const tokens = await client.verify(email, await client.code(email), AGENT, { resource: client.audience })
    const { sub, aud, sid } = decodeJwt(tokens.access_token)
    assert.deepEqual([sub, aud, sid], [id, [client.audience, `${client.auth}/oauth2/userinfo`], undefined])
    assert.equal((await client.refresh(AGENT, tokens.refresh_token, { resource: client.audience })).status, 200)
  })

  it('refuse a resource before the code is looked at', async (world) => {
    const client = oauthClient(world)
    const { email } = await world.alice.account()
    const clientId = await client.register()
    await client.claim(email, 'library:read', clientId)
    const code = await client.code(email)
    for (const resource of [client.audience, 'https://other.example', [client.audience, client.audience]]) {
      const refused = await client.verify(email, code, clientId, { resource })
      assert.deepEqual([refused.status, refused.error], [400, 'invalid_target'])
    }
    assert.equal((await client.verify(email, code, clientId)).status, 200)
  })

  it('are answered alike whether or not the address has an account, and mail only those that have', async (world) => {
    const client = oauthClient(world)
    const { email } = await world.alice.account()
    const known = await client.claim(email, 'community:read')
    const unknown = await client.claim('nobody@example.com', 'community:read')
    assert.deepEqual([unknown.status, unknown.body], [known.status, known.body])
    assert.equal((await world.mails('nobody@example.com')).length, 0)
    assert.equal((await codesFor(world, email)).length, 1)
    const rows = await world.db
      .selectFrom('outbox')
      .select(['sentAt', 'body'])
      .where('recipient', '=', 'nobody@example.com')
      .execute()
    assert.deepEqual(
      rows.map(({ sentAt, body }) => [sentAt !== null, body]),
      [[true, null]],
    )
  })

  it('stop at the fourth that is outstanding within an hour, for known and unknown addresses', async (world) => {
    const client = oauthClient(world)
    const { email } = await world.alice.account()
    for (const address of [email, 'nobody@example.com']) {
      for (let n = 0; n < 3; n++) assert.equal((await client.claim(address, 'community:read')).status, 200)
      const fourth = await client.claim(address, 'community:read')
      assert.deepEqual([fourth.status, fourth.body['error']], [429, 'rate_limited'])
      assert.ok(Number(fourth.response.headers.get('retry-after')) > 0)
    }
    world.clock.pass(601)
    assert.equal((await client.claim(email, 'community:read')).status, 429, 'a dead code counts too')
    world.clock.pass(3001)
    assert.equal((await client.claim(email, 'community:read')).status, 200)
  })

  it('count no more once used, but are ten a day at most: fifty guesses', async (world) => {
    const client = oauthClient(world)
    const { email } = await world.alice.account()
    for (let n = 0; n < 10; n++) {
      assert.equal((await client.claim(email, 'community:read')).status, 200)
      assert.equal((await client.verify(email, await client.code(email))).status, 200)
    }
    assert.equal((await client.claim(email, 'community:read')).status, 429)
    world.clock.pass(86_401)
    assert.equal((await client.claim(email, 'community:read')).status, 200)
  })

  it('hold their limit when many come at once', async (world) => {
    const client = oauthClient(world)
    const { email } = await world.alice.account()
    const all = await Promise.all(Array.from({ length: 8 }, () => client.claim(email, 'community:read')))
    assert.equal(all.filter(({ status }) => status === 200).length, 3)
  })

  it('say the same of a wrong, used, old, dead or foreign code', async (world) => {
    const client = oauthClient(world)
    const { email } = await world.alice.account()
    const clientId = await client.register()
    const dead = {
      status: 400,
      error: 'invalid_or_expired_code',
      error_description: 'The code is wrong or no longer good; ask for a new one',
    }
    assert.deepEqual(await client.verify('nobody@example.com', '000000'), dead)
    await client.claim(email, 'community:read')
    const first = await client.code(email)
    assert.deepEqual(await client.verify(email, wrongBut(first)), dead)
    assert.deepEqual(await client.verify(email, first, clientId), dead)
    await client.claim(email, 'community:read')
    const second = await client.code(email)
    if (second !== first) assert.deepEqual(await client.verify(email, first), dead, 'only the newest works')
    assert.equal((await client.verify(email, second)).status, 200)
    assert.deepEqual(await client.verify(email, second), dead)
    await client.claim(email, 'community:read')
    const third = await client.code(email)
    world.clock.pass(601)
    assert.deepEqual(await client.verify(email, third), dead)
  })

  it('die of five wrong tries', async (world) => {
    const client = oauthClient(world)
    const { email } = await world.alice.account()
    await client.claim(email, 'community:read')
    const code = await client.code(email)
    for (let n = 0; n < 5; n++) assert.equal((await client.verify(email, wrongBut(code))).status, 400)
    assert.equal((await client.verify(email, code)).status, 400)
  })

  it('give one token to many who present the same code at once', async (world) => {
    const client = oauthClient(world)
    const { email } = await world.alice.account()
    await client.claim(email, 'community:read')
    const code = await client.code(email)
    const all = await Promise.all(Array.from({ length: 6 }, () => client.verify(email, code)))
    assert.equal(all.filter(({ status }) => status === 200).length, 1)
  })

  it('refuse bad input with invalid_request', async (world) => {
    const client = oauthClient(world)
    const limited = await client.register({ scope: 'community:read' })
    for (const [email, scope, clientId] of [
      ['not an address', 'community:read', AGENT],
      ['alice@example.com', 'community:read', ''],
      ['alice@example.com', 'community:read', 'nobody'],
      ['alice@example.com', 'community:read nonsense', AGENT],
      ['alice@example.com', 'community:write', limited],
    ] as const) {
      const { status, body } = await client.claim(email, scope, clientId)
      assert.deepEqual([status, body['error']], [400, 'invalid_request'])
    }
  })

  it('verify an address that was verified before without removing anything', async (world) => {
    const client = oauthClient(world)
    const { email } = await world.alice.account()
    await prove(world, world.alice)
    const clientId = await client.register({ client_name: 'Old app' })
    const before = await client.signIn(world.alice, { clientId, scope: 'community:read offline_access' })
    const mailed = (await world.mails(email)).length
    await client.claim(email, 'community:read')
    assert.equal((await client.verify(email, await client.code(email))).status, 200)
    assert.ok(await world.alice.accounts.getSession())
    assert.equal((await client.refresh(clientId, before.refresh_token)).status, 200)
    assert.equal((await world.mails(email)).length, mailed + 1, 'nothing but the code')
  })

  it('never let a blocked account in', async (world) => {
    const client = oauthClient(world)
    const { id, email } = await world.alice.account()
    await client.claim(email, 'community:read')
    const code = await client.code(email)
    await world.admin.admin.block({ id, blocked: true })
    assert.equal((await client.verify(email, code)).error, 'invalid_or_expired_code')
    assert.equal((await client.claim(email, 'community:read')).status, 200)
    assert.equal((await codesFor(world, email)).length, 1)
  })
})
