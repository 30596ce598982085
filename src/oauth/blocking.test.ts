// A block ends everything that is signed in, also against what is under way at the same moment (interface.md, section 3).
import assert from 'node:assert/strict'
import { AGENT, oauthClient } from '../../test/oauth.ts'
import { onEveryEngine, type World } from '../../test/world.ts'

const scope = 'community:read offline_access'

/** The administrators' own operation. */
async function block(world: World, id: string): Promise<void> {
  await world.admin.admin.block({ id, blocked: true })
}

/** What is left that could be used. */
async function left(world: World, id: string): Promise<number> {
  const tokens = await world.db.selectFrom('oauthToken').select('kind').where('userId', '=', id).execute()
  const signIns = await world.db.selectFrom('grant').select('id').where('userId', '=', id).execute()
  return tokens.length + signIns.length
}

onEveryEngine('a block', (it) => {
  it('ends refresh tokens, opaque tokens, codes and sessions, and lets nothing new begin', async (world) => {
    const client = oauthClient(world)
    const { id } = await world.alice.account()
    const tokens = await client.signIn(world.alice, { clientId: AGENT, scope })
    const retried = await client.refresh(AGENT, tokens.refresh_token)
    const granted = await client.consent(world.alice, { clientId: AGENT, scope })
    const pending = await client.authorize(world.alice, { clientId: AGENT, scope })
    await block(world, id)
    assert.equal(await left(world, id), 0)
    assert.equal((await client.call(tokens.access_token)).status, 401)
    assert.equal((await client.refresh(AGENT, tokens.refresh_token)).error, 'invalid_grant')
    assert.equal((await client.refresh(AGENT, retried.refresh_token)).error, 'invalid_grant')
    assert.equal((await client.exchange(granted)).error, 'invalid_grant')
    await assert.rejects(client.decide(world.alice, pending.to!), /401/)
    assert.equal((await client.authorize(world.alice, { clientId: AGENT, scope })).to!.pathname, '/oauth/sign-in')
  })

  it('leaves nothing behind when it races refreshes', async (world) => {
    const client = oauthClient(world)
    const { id } = await world.alice.account()
    const all = await Promise.all([1, 2, 3, 4, 5, 6].map(() => client.signIn(world.alice, { clientId: AGENT, scope })))
    await Promise.all([
      ...all.slice(0, 3).map(({ refresh_token }) => client.refresh(AGENT, refresh_token)),
      block(world, id),
      ...all.slice(3).map(({ refresh_token }) => client.refresh(AGENT, refresh_token)),
    ])
    assert.equal(await left(world, id), 0)
  })

  it('leaves nothing behind when it races the exchange of codes', async (world) => {
    const client = oauthClient(world)
    const { id } = await world.alice.account()
    const all = await Promise.all([1, 2, 3, 4].map(() => client.consent(world.alice, { clientId: AGENT, scope })))
    await Promise.all([
      client.exchange(all[0]!),
      client.exchange(all[1]!),
      block(world, id),
      client.exchange(all[2]!),
      client.exchange(all[3]!),
    ])
    assert.equal(await left(world, id), 0)
  })

  it('leaves nothing behind when it races consent', async (world) => {
    const client = oauthClient(world)
    const { id } = await world.alice.account()
    const pages = await Promise.all([1, 2, 3].map(() => client.authorize(world.alice, { clientId: AGENT, scope })))
    await Promise.allSettled([
      client.decide(world.alice, pages[0]!.to!),
      block(world, id),
      client.decide(world.alice, pages[1]!.to!),
      client.decide(world.alice, pages[2]!.to!),
    ])
    assert.equal(await left(world, id), 0)
  })

  it('leaves nothing behind when it races the verification of a claim', async (world) => {
    const client = oauthClient(world)
    const { id, email } = await world.alice.account()
    const clients = [AGENT, await client.register(), await client.register()]
    const codes: string[] = []
    for (const clientId of clients) {
      await client.claim(email, 'community:read offline_access', clientId)
      codes.push(await client.code(email))
    }
    await Promise.all([
      client.verify(email, codes[0]!, clients[0]),
      block(world, id),
      client.verify(email, codes[1]!, clients[1]),
      client.verify(email, codes[2]!, clients[2]),
    ])
    assert.equal(await left(world, id), 0)
  })
})

onEveryEngine('taking an unproven account back', (it) => {
  it('ends grants that were created without access to the mailbox', async (world) => {
    const client = oauthClient(world)
    const { id, email } = await world.alice.account()
    const theirs = await client.signIn(world.alice, { clientId: AGENT, scope })
    await world.anonymous.accounts.sendCode({ email })
    await world.anonymous.accounts.signInWithCode({ email, code: await world.code(email) })
    assert.equal(await left(world, id), 0)
    assert.equal((await client.refresh(AGENT, theirs.refresh_token)).error, 'invalid_grant')
    assert.equal((await client.call(theirs.access_token)).status, 401)
  })
})
