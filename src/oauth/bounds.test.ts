// The bounds of a grant: chosen or asked for, enforced in every call, changed and ended by the account.
import assert from 'node:assert/strict'
import { decodeJwt } from 'jose'
import { agentOf, agentWith, EVERYTHING } from '../../test/agents.ts'
import { AGENT, oauthClient, type TokenAnswer } from '../../test/oauth.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { ACCESS_TOKEN_TYPE, TOKEN_EXCHANGE } from './rules.ts'

const bug = { title: 'T', description: 'D', severity: 'low' } as const
const asking = (bounds: object) => ({
  authorization_details: JSON.stringify([{ type: 'guildhall_bounds', ...bounds }]),
})
const handOn = (world: World, subject_token: string) =>
  oauthClient(world).token({
    ...{ grant_type: TOKEN_EXCHANGE, client_id: AGENT },
    ...{ subject_token, subject_token_type: ACCESS_TOKEN_TYPE },
  })

const errorOf = ({ status, error }: TokenAnswer) => [status, error]

const bounded = (world: World, bounds: object) => agentOf(world, world.alice, { more: asking(bounds) })

onEveryEngine('the bounds of a grant', (it) => {
  it('refuse the write after the last one, with the headers of a budget, and reads go on', async (world) => {
    const agent = await bounded(world, { writes: 2 })
    await agent.bugs.create(bug)
    const { id } = await agent.posts.create({ title: 'T', body: 'B' })
    const refused = await agent.posts.comment({ id, body: 'C' }).catch((error: unknown) => error as Refused)
    assert.ok('status' in refused)
    assert.deepEqual([refused.status, refused.headers.get('ratelimit-policy')], [429, '"grant-writes-day";q=2;w=86400'])
    assert.equal((await agent.posts.get({ id })).commentCount, 0)
    world.clock.pass(86_401)
    await world.alice.account()
  })

  it('count calls exactly, also those that come at once', async (world) => {
    const agent = await bounded(world, { calls: 5 })
    const calls = await Promise.allSettled(Array.from({ length: 9 }, () => agent.feed.list()))
    assert.equal(calls.filter(({ status }) => status === 'fulfilled').length, 5)
  })

  it('count the bytes of writes at n and n + 1', async (world) => {
    const body = { title: 'T', body: 'x'.repeat(200) }
    const bytes = JSON.stringify(body).length
    const exact = await bounded(world, { bytes: 2 * bytes })
    await exact.posts.create(body)
    await exact.posts.create(body)
    await assert.rejects(exact.posts.create({ title: 'T', body: 'B' }), { status: 429 })
    const less = await bounded(world, { bytes: 2 * bytes - 1 })
    await less.posts.create(body)
    await assert.rejects(less.posts.create(body), { status: 429 })
  })

  it('refuse kinds of things that are not among theirs', async (world) => {
    const agent = await bounded(world, { kinds: ['comments', 'votes'] })
    const { id } = await world.alice.bugs.create(bug)
    await agent.bugs.comment({ id, body: 'C' })
    await agent.bugs.vote({ id, value: 1 })
    const refused = await agent.bugs.create(bug).catch((error: unknown) => error as Refused)
    assert.ok('status' in refused)
    assert.equal(refused.status, 403)
    assert.match(refused.headers.get('www-authenticate') ?? '', /error="insufficient_authorization_details"/)
    await assert.rejects(agent.library.vote({ id, value: 1 }), { status: 404 })
    await assert.rejects(agent.profile.setUsername({ username: 'other' }), { status: 403 })
    assert.equal((await agent.library.me()).bounds?.kinds?.join(), 'comments,votes')
  })

  it('end when their time is over, whatever is refreshed', async (world) => {
    const oauth = oauthClient(world)
    const agent = await bounded(world, { expires_in: 60 })
    world.clock.pass(59)
    await agent.feed.list()
    const next = await oauth.refresh(agent.clientId, agent.refreshToken)
    assert.equal(next.status, 200)
    world.clock.pass(2)
    await assert.rejects(agentWith(world, next.access_token).profile.me(), { status: 401 })
    assert.equal((await oauth.refresh(agent.clientId, next.refresh_token)).error, 'invalid_grant')
  })

  it('end opaque tokens with their grant: in the answer, in the store and for those made from them', async (world) => {
    const oauth = oauthClient(world)
    world.clock.stop()
    const tokens = await oauth.signIn(world.alice, {
      clientId: AGENT,
      scope: EVERYTHING,
      more: asking({ expires_in: 600 }),
    })
    assert.equal(tokens.expires_in, 600)
    const ends = world.clock.now() + 600_000
    const kept = await world.db.selectFrom('oauthToken').select('expiresAt').where('kind', '=', 'access').execute()
    assert.deepEqual(kept, [{ expiresAt: new Date(ends).toISOString() }])
    world.clock.pass(100)
    const next = await oauth.refresh(AGENT, tokens.refresh_token)
    assert.equal(next.expires_in, 500)
    const helper = await handOn(world, next.access_token)
    assert.ok(helper.expires_in > 490 && helper.expires_in < 500, `${helper.expires_in}`)
    world.clock.pass(500)
    for (const token of [tokens, next, helper]) assert.equal((await oauth.call(token.access_token)).status, 401)
    assert.deepEqual(errorOf(await handOn(world, next.access_token)), [400, 'invalid_grant'])
  })

  it('leave a JWT its hour, which the API ends with the grant, as every exchange', async (world) => {
    const oauth = oauthClient(world)
    world.clock.stop()
    const resource = { resource: oauth.audience }
    const more = { ...asking({ expires_in: 600 }), ...resource }
    const tokens = await oauth.signIn(world.alice, { clientId: AGENT, scope: EVERYTHING, more }, resource)
    const { exp = 0, iat = 0 } = decodeJwt(tokens.access_token)
    assert.deepEqual([tokens.expires_in, exp - iat], [3600, 3600])
    world.clock.pass(300)
    const helper = await handOn(world, tokens.access_token)
    assert.ok(helper.expires_in > 290 && helper.expires_in < 300, `${helper.expires_in}`)
    world.clock.pass(299)
    assert.equal((await oauth.call(tokens.access_token)).status, 200)
    world.clock.pass(1)
    assert.equal((await oauth.call(tokens.access_token)).status, 401)
    assert.deepEqual(errorOf(await handOn(world, tokens.access_token)), [400, 'invalid_grant'])
  })

  it('hold for a JWT, and stay when its grant is gone', async (world) => {
    const oauth = oauthClient(world)
    const details = asking({ kinds: ['votes'] })
    const resource = { resource: oauth.audience }
    const tokens = await oauth.signIn(
      world.alice,
      { clientId: AGENT, scope: EVERYTHING, more: { ...details, ...resource } },
      resource,
    )
    const agent = agentWith(world, tokens.access_token)
    await assert.rejects(agent.bugs.create(bug), { status: 403 })
    await oauth.revoke(AGENT, tokens.refresh_token!)
    await assert.rejects(agent.bugs.create(bug), { status: 403 })
  })

  it('are told to the client, and refused where they are of another shape', async (world) => {
    const oauth = oauthClient(world)
    const clientId = await oauth.register()
    const tokens = (await oauth.signIn(world.alice, {
      clientId,
      scope: EVERYTHING,
      more: asking({ writes: 3 }),
    })) as Awaited<ReturnType<typeof oauth.signIn>> & { authorization_details: unknown }
    assert.deepEqual(tokens.authorization_details, [{ type: 'guildhall_bounds', writes: 3 }])
    const metadata = await oauth.send('/.well-known/oauth-authorization-server')
    const { authorization_details_types_supported: types } = (await metadata.json()) as Record<string, unknown>
    assert.deepEqual(types, ['guildhall_bounds'])
    for (const wrong of [
      'x',
      '{}',
      '[{"type":"other"}]',
      '[{"type":"guildhall_bounds","writes":-1}]',
      '[{"type":"guildhall_bounds","more":1}]',
    ]) {
      const { to } = await oauth.authorize(world.alice, { clientId, more: { authorization_details: wrong } })
      assert.equal(to?.searchParams.get('error'), 'invalid_authorization_details', wrong)
    }
  })

  it('are the account’s to choose, to change and to end, for tokens that are there already', async (world) => {
    const { alice, bob } = world
    const oauth = oauthClient(world)
    const agent = await agentOf(world, alice)
    const [grant] = (await alice.signIns.list()).items
    const { id } = grant!
    assert.equal(grant!.bounds, null)
    await assert.rejects(bob.signIns.update({ id, bounds: null }), { status: 404 })
    await assert.rejects(bob.signIns.get({ id }), { status: 404 })
    await alice.signIns.update({ id, bounds: { kinds: [] } })
    await assert.rejects(agent.bugs.create(bug), { status: 403 })
    await alice.signIns.update({ id, bounds: null })
    await agent.bugs.create(bug)
    await assert.rejects(alice.signIns.update({ id, scopes: ['email'] }), { status: 400 })
    await alice.signIns.update({ id, scopes: ['community:read', 'offline_access'] })
    await assert.rejects(agent.bugs.create(bug), { status: 403 })
    const next = await oauth.refresh(agent.clientId, agent.refreshToken)
    assert.equal(next.scope, 'community:read offline_access')
    assert.deepEqual(await alice.signIns.endAll(), { ended: 1 })
    assert.equal((await oauth.refresh(agent.clientId, next.refresh_token)).error, 'invalid_grant')
  })
})

onEveryEngine('the life of a grant', (it) => {
  it('shows each refresh and retry with its place, the newest 50, and a copy that was stopped', async (world) => {
    const { alice, clock } = world
    const oauth = oauthClient(world)
    const agent = await agentOf(world, alice)
    const [grant] = (await alice.signIns.list()).items
    const first = await oauth.refresh(agent.clientId, agent.refreshToken)
    await oauth.refresh(agent.clientId, agent.refreshToken)
    const { events, scopeUses } = await alice.signIns.get({ id: grant!.id })
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['retried', 'refreshed', 'issued'],
    )
    assert.ok(scopeUses.every(({ unused }) => !unused))
    let token = first.refresh_token
    for (let round = 0; round < 50; round++) token = (await oauth.refresh(agent.clientId, token)).refresh_token
    assert.equal((await alice.signIns.get({ id: grant!.id })).events.length, 50)
    clock.pass(301)
    assert.equal((await oauth.refresh(agent.clientId, agent.refreshToken)).error, 'invalid_grant')
    const { items, stopped } = await alice.signIns.list()
    assert.deepEqual([items.length, stopped.map(({ clientId }) => clientId)], [0, [agent.clientId]])
    const mails = await world.mails(alice.email)
    assert.equal(mails.filter(({ subject }) => /may have been copied/.test(subject)).length, 1)
  })

  it('knows which scopes are not used for 30 days', async (world) => {
    const { alice, clock, db } = world
    await agentOf(world, alice, { scope: 'community:read community:write offline_access' })
    const [grant] = (await alice.signIns.list()).items
    await db.updateTable('grant').set({ createdAt: '2020-01-01T00:00:00.000Z' }).execute()
    const agent = agentWith(world, (await agentOf(world, alice)).accessToken)
    await agent.feed.list()
    const unused = async (id: string) =>
      (await alice.signIns.get({ id })).scopeUses.filter((use) => use.unused).map(({ scope }) => scope)
    assert.deepEqual(await unused(grant!.id), ['community:read', 'community:write'])
    const used = (await alice.signIns.list()).items.find(({ id }) => id !== grant!.id)!
    for (let look = 0; look < 200; look++) {
      if ((await alice.signIns.get({ id: used.id })).scopeUses.some(({ usedAt }) => usedAt !== null)) break
      await new Promise((resolve) => setImmediate(resolve))
    }
    const uses = (await alice.signIns.get({ id: used.id })).scopeUses.filter(({ usedAt }) => usedAt !== null)
    assert.deepEqual(
      uses.map(({ scope }) => scope),
      ['community:read'],
    )
    clock.pass(0)
  })
})

interface Refused {
  status: number
  headers: Headers
}
