// Refresh tokens: rotation, lost answers, reuse, revocation.
import assert from 'node:assert/strict'
import { AGENT, oauthClient } from '../../../test/oauth.ts'
import { secondProcess } from '../../../test/second-process.ts'
import { onEveryEngine } from '../../../test/world.ts'
import { engineOf } from '../../database/engine.ts'

const scope = 'community:read offline_access'

onEveryEngine('refresh tokens', (it) => {
  it('rotate: each gives a new one, which lives 30 days more (RFC 6749, 6)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const first = await client.signIn(world.alice, { clientId, scope })
    let token = first.refresh_token
    for (let month = 0; month < 3; month++) {
      world.clock.pass(29 * 86_400)
      const next = await client.refresh(clientId, token)
      assert.equal(next.status, 200)
      assert.notEqual(next.refresh_token, token)
      token = next.refresh_token
    }
    world.clock.pass(30 * 86_400 + 1)
    assert.equal((await client.refresh(clientId, token)).error, 'invalid_grant')
  })

  it('give the same answer again for five minutes, then end their sign-in, once', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const other = await client.signIn(world.alice, { clientId, scope })
    const { refresh_token: used } = await client.signIn(world.alice, { clientId, scope })
    const first = await client.refresh(clientId, used)
    world.clock.pass(299)
    assert.deepEqual(await client.refresh(clientId, used), first)
    world.clock.pass(2)
    assert.equal((await client.refresh(clientId, used)).error, 'invalid_grant')
    assert.equal((await client.refresh(clientId, first.refresh_token)).error, 'invalid_grant')
    assert.equal((await client.call(first.access_token)).status, 401)
    assert.equal((await client.refresh(clientId, used)).error, 'invalid_grant')
    assert.equal((await client.refresh(clientId, other.refresh_token)).status, 200)
  })

  it('give the same answer only for the same client, scope and resource', async (world) => {
    const client = oauthClient(world)
    const { refresh_token: used } = await client.signIn(world.alice, { clientId: AGENT, scope })
    const first = await client.refresh(AGENT, used)
    assert.equal((await client.refresh(await client.register(), used)).error, 'invalid_grant')
    assert.equal((await client.refresh(AGENT, used, { scope: 'community:read' })).error, 'invalid_grant')
    assert.equal((await client.refresh(AGENT, used, { resource: client.audience })).error, 'invalid_grant')
    assert.equal((await client.refresh(AGENT, used, { resource: 'https://other.example' })).error, 'invalid_target')
    assert.deepEqual(await client.refresh(AGENT, used), first)
    assert.equal((await client.refresh(AGENT, first.refresh_token)).status, 200)
  })

  it('give one answer to six that are presented at once', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    let { refresh_token: token } = await client.signIn(world.alice, { clientId, scope })
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(Array.from({ length: 6 }, () => client.refresh(clientId, token)))
      assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
      assert.equal(answers[0]!.status, 200)
      token = answers[0]!.refresh_token
    }
  })

  it('give the same answer after a restart and in another process', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const { refresh_token: used } = await client.signIn(world.alice, { clientId, scope })
    const other = await secondProcess(world)
    try {
      // Two on one SQLite file wait for each other by blocking, which one thread cannot.
      const atOnce = engineOf(world.db) === 'postgres' ? [client, other.client, client, other.client] : [client]
      const answers = await Promise.all(atOnce.map((one) => one.refresh(clientId, used)))
      assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
      assert.equal(answers[0]!.status, 200)
      assert.deepEqual(await other.client.refresh(clientId, used), answers[0])
    } finally {
      await other.close()
    }
  })

  it('end their sign-in when revoked, retries included, and no other (RFC 7009, 2.1)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const other = await client.signIn(world.alice, { clientId, scope })
    const first = await client.signIn(world.alice, { clientId, scope })
    const second = await client.refresh(clientId, first.refresh_token)
    const revoked = await client.revoke(clientId, second.refresh_token!)
    assert.deepEqual([revoked.status, await revoked.text()], [200, ''])
    assert.equal((await client.refresh(clientId, first.refresh_token)).error, 'invalid_grant')
    assert.equal((await client.refresh(clientId, second.refresh_token)).error, 'invalid_grant')
    assert.equal((await client.call(second.access_token)).status, 401)
    assert.equal((await client.refresh(clientId, other.refresh_token)).status, 200)
  })

  it('are left alone when another client revokes them; any token gets 200 (RFC 7009, 2.2)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const tokens = await client.signIn(world.alice, { clientId, scope })
    const agent = await client.signIn(world.alice, { clientId: AGENT, scope }, { resource: client.audience })
    for (const [who, token] of [
      [AGENT, tokens.refresh_token!],
      [AGENT, tokens.access_token],
      [AGENT, agent.access_token],
      [clientId, 'never given'],
    ] as const) {
      assert.equal((await client.revoke(who, token)).status, 200)
    }
    assert.equal((await client.call(tokens.access_token)).status, 200)
    assert.equal((await client.revoke('nobody', tokens.refresh_token!)).status, 401)
    assert.equal((await client.post('/api/auth/oauth2/revoke', { client_id: clientId })).status, 400)
    assert.equal((await client.revoke(clientId, tokens.access_token)).status, 200)
    assert.equal((await client.call(tokens.access_token)).status, 401)
    assert.equal((await client.refresh(clientId, tokens.refresh_token)).status, 200)
  })

  it('may be asked for less, and get no more than was granted (RFC 6749, 6)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const { refresh_token } = await client.signIn(world.alice, { clientId, scope: `${scope} community:write` })
    const less = await client.refresh(clientId, refresh_token, { scope: 'community:read' })
    assert.equal(less.scope, 'community:read')
    const more = await client.refresh(clientId, less.refresh_token, { scope: 'library:write' })
    assert.deepEqual([more.status, more.error], [400, 'invalid_scope'])
    assert.equal((await client.refresh(clientId, less.refresh_token)).scope, `${scope} community:write`)
  })
})
