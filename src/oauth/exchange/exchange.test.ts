// Token exchange (RFC 8693): an agent hands a narrower, shorter token to a helper.
import assert from 'node:assert/strict'
import { boundTokens, keyHolder, newKey } from '../../../test/dpop.ts'
import { AGENT, oauthClient, type TokenAnswer } from '../../../test/oauth.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { ACCESS_TOKEN_TYPE, JWT_TYPE, TOKEN_EXCHANGE } from '../rules.ts'
import { HANDED_ON_SECONDS, MAX_OPEN } from './exchanging.ts'

const scope = 'community:read community:write library:read offline_access'

const formOf = (subject_token: string, more: Record<string, string> = {}) => ({
  grant_type: TOKEN_EXCHANGE,
  client_id: AGENT,
  subject_token,
  subject_token_type: ACCESS_TOKEN_TYPE,
  ...more,
})

type Exchanged = TokenAnswer & { issued_token_type: string }

const handOn = (world: World, token: string, more: Record<string, string> = {}) =>
  oauthClient(world).token(formOf(token, more)) as Promise<Exchanged>

const agentOf = (world: World) => oauthClient(world).signIn(world.alice, { clientId: AGENT, scope })

const status = async (world: World, token: string, path?: string) => (await oauthClient(world).call(token, path)).status

onEveryEngine('a token that is handed on', (it) => {
  it('has fewer scopes, a shorter life and no refresh token', async (world) => {
    const { access_token } = await agentOf(world)
    const helper = await handOn(world, access_token, { scope: 'community:read' })
    const { access_token: token, ...told } = helper
    assert.deepEqual(told, {
      status: 200,
      issued_token_type: ACCESS_TOKEN_TYPE,
      token_type: 'Bearer',
      expires_in: HANDED_ON_SECONDS,
      scope: 'community:read',
    })
    assert.equal(await status(world, token), 200)
    assert.equal(await status(world, token, '/api/library/items?scope=mine'), 403)
    world.clock.pass(HANDED_ON_SECONDS - 2)
    assert.equal(await status(world, token), 200)
    world.clock.pass(3)
    assert.equal(await status(world, token), 401)
    assert.equal(await status(world, access_token), 200, 'the agent goes on')
  })

  it('never outlives the token that it is made from', async (world) => {
    const { access_token } = await agentOf(world)
    world.clock.stop()
    world.clock.pass(3600 - 100)
    const { expires_in } = await handOn(world, access_token)
    assert.ok(expires_in < 100 && expires_in > 90, String(expires_in))
    world.clock.pass(99)
    assert.equal((await handOn(world, access_token)).error, 'invalid_request')
  })

  it('has all scopes but offline_access where none is named, and never another one', async (world) => {
    const client = oauthClient(world)
    const { access_token } = await agentOf(world)
    assert.equal((await handOn(world, access_token)).scope, 'community:read community:write library:read')
    for (const asked of ['library:write', 'community:read library:write', 'offline_access', 'nothing']) {
      assert.equal((await handOn(world, access_token, { scope: asked })).error, 'invalid_scope', asked)
    }
    const bare = await client.signIn(world.alice, { clientId: AGENT, scope: 'offline_access' })
    assert.equal((await handOn(world, bare.access_token)).error, 'invalid_scope')
  })

  it('can be handed on once more, with no more than it has', async (world) => {
    const { access_token } = await agentOf(world)
    const first = await handOn(world, access_token, { scope: 'community:read library:read' })
    const second = await handOn(world, first.access_token, { scope: 'library:read' })
    assert.equal(second.scope, 'library:read')
    assert.equal((await handOn(world, first.access_token, { scope: 'community:write' })).error, 'invalid_scope')
    const [signIn] = (await world.alice.signIns.list()).items
    assert.deepEqual(
      signIn!.handedOn.map(({ scopes, depth }) => [scopes, depth]),
      [
        [['community:read', 'library:read'], 1],
        [['library:read'], 2],
      ],
    )
    assert.ok(!JSON.stringify(signIn).includes(second.access_token))
    assert.deepEqual((await world.bob.signIns.list()).items, [])
  })

  it('ends with its grant, and with the token that it was made from', async (world) => {
    const client = oauthClient(world)
    const agent = await agentOf(world)
    const first = await handOn(world, agent.access_token)
    const second = await handOn(world, first.access_token)
    const sibling = await handOn(world, agent.access_token)
    await client.revoke(AGENT, first.access_token)
    assert.deepEqual([await status(world, first.access_token), await status(world, second.access_token)], [401, 401])
    assert.equal(await status(world, sibling.access_token), 200)
    const [signIn] = (await world.alice.signIns.list()).items
    await world.alice.signIns.end({ id: signIn!.id })
    assert.equal(await status(world, sibling.access_token), 401)
    assert.equal((await handOn(world, agent.access_token)).error, 'invalid_request')
  })

  it('is made of a live access token of the client alone, as a form asks for it (RFC 8693, 2.1)', async (world) => {
    const client = oauthClient(world)
    const agent = await agentOf(world)
    const token = agent.access_token
    const other = await client.register({ grant_types: ['authorization_code', TOKEN_EXCHANGE] })
    const unregistered = await client.register()
    const personal = await world.alice.personalTokens.create({ name: 'A script', scopes: ['library:read'] })
    const resource = client.audience
    const jwt = await client.signIn(world.alice, { clientId: AGENT, scope, more: { resource } }, { resource })
    const refused: [error: string, token: string, more?: Record<string, string>][] = [
      ['invalid_request', 'nothing'],
      ['invalid_request', ''],
      ['invalid_request', agent.refresh_token!],
      ['invalid_request', personal.token],
      ['invalid_request', `${jwt.access_token.slice(0, -4)}AAAA`],
      ['invalid_request', jwt.access_token, { client_id: other }],
      ['invalid_request', token, { subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' }],
      ['invalid_request', token, { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }],
      ['invalid_request', token, { actor_token: token, actor_token_type: ACCESS_TOKEN_TYPE }],
      ['invalid_request', token, { client_id: other }],
      ['invalid_request', token, { dpop_jkt: 'short' }],
      ['unauthorized_client', token, { client_id: unregistered }],
      ['invalid_client', token, { client_id: 'nobody' }],
      ['invalid_target', token, { resource: 'https://elsewhere.example' }],
      ['invalid_target', token, { audience: 'https://elsewhere.example' }],
    ]
    for (const [error, subject, more] of refused) {
      assert.equal((await handOn(world, subject, more)).error, error, JSON.stringify([subject, more]))
    }
    const twice = new URLSearchParams(formOf(token))
    twice.append('subject_token', token)
    assert.equal((await client.token(twice)).error, 'invalid_request')
    const { baseUrl } = world.dependencies.config
    const fine = { resource: `${baseUrl}/api/mcp`, requested_token_type: ACCESS_TOKEN_TYPE }
    assert.equal((await handOn(world, token, fine)).status, 200)
    world.clock.pass(3601)
    assert.equal((await handOn(world, token)).error, 'invalid_request')
  })

  it('is made of a JWT as well, as long as its grant lives, and never with more than that allows', async (world) => {
    const client = oauthClient(world)
    const resource = client.audience
    const asked = { clientId: AGENT, scope, more: { resource } }
    const { access_token: jwt } = await client.signIn(world.alice, asked, { resource })
    assert.equal(jwt.split('.').length, 3)
    for (const subject_token_type of [ACCESS_TOKEN_TYPE, JWT_TYPE]) {
      const helper = await handOn(world, jwt, { subject_token_type, scope: 'library:read' })
      assert.deepEqual([helper.status, helper.scope, helper.expires_in], [200, 'library:read', HANDED_ON_SECONDS])
      assert.equal(helper.access_token.includes('.'), false)
      assert.equal(await status(world, helper.access_token, '/api/library/items?scope=mine'), 200)
      assert.equal((await handOn(world, helper.access_token, { scope: 'community:read' })).error, 'invalid_scope')
    }
    const first = await handOn(world, jwt)
    await client.revoke(AGENT, jwt)
    assert.equal(await status(world, first.access_token), 401)
    const { access_token } = await handOn(world, jwt)
    const [signIn] = (await world.alice.signIns.list()).items
    assert.equal(signIn!.handedOn.length, 1)
    await world.alice.signIns.update({ id: signIn!.id, scopes: ['library:read', 'offline_access'] })
    assert.equal((await handOn(world, jwt)).scope, 'library:read')
    assert.equal((await handOn(world, jwt, { scope: 'community:write' })).error, 'invalid_scope')
    await world.alice.signIns.end({ id: signIn!.id })
    assert.equal(await status(world, access_token), 401)
    assert.equal((await handOn(world, jwt)).error, 'invalid_request')
    assert.equal(await status(world, jwt), 401, 'its account ended it: no API of ours takes the rest of its hour')
  })

  it('of a bound token needs a proof of its key, and is bound to that or to the key of the helper', async (world) => {
    const [mine, helpers, thiefs] = [await newKey(), await newKey(), await newKey()]
    const { access_token } = await boundTokens(world, mine)
    const holder = keyHolder(world, mine)
    assert.equal((await handOn(world, access_token)).error, 'invalid_dpop_proof')
    assert.equal((await keyHolder(world, thiefs).token(formOf(access_token))).error, 'invalid_dpop_proof')
    const kept = await holder.token(formOf(access_token), { jti: 'once' })
    assert.equal(kept.token_type, 'DPoP')
    assert.equal((await holder.token(formOf(access_token), { jti: 'once' })).error, 'invalid_dpop_proof')
    assert.equal((await holder.call(kept.access_token)).status, 200)
    const given = await holder.token(formOf(access_token, { dpop_jkt: helpers.thumbprint }))
    assert.equal((await keyHolder(world, helpers).call(given.access_token)).status, 200)
    assert.equal((await holder.call(given.access_token)).status, 401)
    assert.equal(await status(world, given.access_token), 401)
  })

  it('of a plain token is bound where the agent names or proves a key', async (world) => {
    const key = await newKey()
    const { access_token } = await agentOf(world)
    const named = await handOn(world, access_token, { dpop_jkt: key.thumbprint })
    assert.equal(named.token_type, 'DPoP')
    assert.equal((await keyHolder(world, key).call(named.access_token)).status, 200)
    const proven = await keyHolder(world, key).token(formOf(access_token))
    assert.equal(await status(world, proven.access_token), 401)
  })

  it(`is one of at most ${MAX_OPEN} of a grant, also when many are asked for at once`, async (world) => {
    const { access_token } = await agentOf(world)
    const all = await Promise.all(Array.from({ length: MAX_OPEN + 5 }, () => handOn(world, access_token)))
    assert.equal(all.filter(({ status: code }) => code === 200).length, MAX_OPEN)
    assert.equal(all.filter(({ status: code }) => code === 429).length, 5)
    world.clock.pass(HANDED_ON_SECONDS + 1)
    assert.equal((await handOn(world, access_token)).status, 200)
  })

  it('is never there after a block that it races', async (world) => {
    const { id } = await world.alice.account()
    const { access_token } = await agentOf(world)
    await world.admin.account()
    const block = () => world.admin.admin.block({ id, blocked: true })
    await Promise.all([handOn(world, access_token), block(), handOn(world, access_token)])
    assert.deepEqual(await world.db.selectFrom('oauthToken').select('kind').where('userId', '=', id).execute(), [])
  })
})

onEveryEngine(
  'the budget of handing on',
  (it) => {
    it('is 600 an hour for a grant', async (world) => {
      const { access_token } = await agentOf(world)
      const key = `hand-on ${(await world.db.selectFrom('grant').select('id').executeTakeFirstOrThrow()).id}`
      assert.equal((await handOn(world, access_token)).status, 200)
      await world.db.updateTable('rateLimit').set({ count: 599 }).where('key', '=', key).execute()
      assert.equal((await handOn(world, access_token)).status, 200)
      assert.equal((await handOn(world, access_token)).status, 429)
    })
  },
  { RATE_LIMITS: 'on' },
)
