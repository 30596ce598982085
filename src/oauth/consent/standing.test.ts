// A consent counts only while account, session and password are what they were when the page was shown.
import assert from 'node:assert/strict'
import { oauthClient, REDIRECT } from '../../../test/oauth.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'

const PASSWORD = 'alice has a password'
const NEXT_PASSWORD = 'alice has another one'

/** What takes an account back, and how its owner does it. */
const changes: Readonly<Record<string, (world: World, id: string) => Promise<unknown>>> = {
  block: ({ admin }, id) => admin.admin.block({ id, blocked: true }),
  password: ({ alice }) => alice.accounts.changePassword({ password: PASSWORD, newPassword: NEXT_PASSWORD }),
  'sign-out': ({ alice }) => alice.accounts.signOut(),
}

const codes = async ({ db }: World) => db.selectFrom('oauthToken').selectAll().where('kind', '=', 'code').execute()

onEveryEngine('a consent', (it) => {
  for (const [name, change] of Object.entries(changes)) {
    it(`makes no code after: ${name}`, async (world) => {
      const client = oauthClient(world)
      const clientId = await client.register()
      const { id } = await world.alice.account()
      await world.admin.account()
      const { to } = await client.authorize(world.alice, { clientId })
      await change(world, id)
      await assert.rejects(client.decide(world.alice, to!))
      assert.equal((await codes(world)).length, 0)
      assert.equal((await world.db.selectFrom('grant').selectAll().execute()).length, 0)
    })
  }

  it('makes no code for another password than the one the page was shown with, though the session goes on', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const { id } = await world.alice.account()
    const { to } = await client.authorize(world.alice, { clientId })
    await world.db.updateTable('user').set({ passwordHash: 'changed' }).where('id', '=', id).execute()
    await assert.rejects(client.decide(world.alice, to!), /400/)
    const again = await client.authorize(world.alice, { clientId })
    assert.ok((await client.decide(world.alice, again.to!)).searchParams.get('code'))
  })

  for (const [name, change] of Object.entries(changes)) {
    it(`and ${name} at once: the code is made before it, or not at all`, async (world) => {
      const client = oauthClient(world)
      const clientId = await client.register()
      const { id } = await world.alice.account()
      await world.admin.account()
      for (let round = 0; round < 4; round++) {
        const { to } = await client.authorize(world.alice, { clientId, scope: 'community:read' })
        const outcomes = await Promise.allSettled(
          round % 2 === 0
            ? [client.decide(world.alice, to!), change(world, id)]
            : [change(world, id), client.decide(world.alice, to!)],
        )
        const decided = outcomes[round % 2 === 0 ? 0 : 1]!
        const changed = outcomes[round % 2 === 0 ? 1 : 0]!
        assert.equal(changed.status, 'fulfilled', JSON.stringify(outcomes))
        const grants = await world.db.selectFrom('grant').selectAll().execute()
        if (decided.status === 'rejected') assert.equal(grants.length, 0)
        // A block and a new password end what was made before them.
        if (name === 'block') assert.equal(grants.length, 0)
        for (const grant of grants) await world.db.deleteFrom('grant').where('id', '=', grant.id).execute()
        if (name === 'block') await world.admin.admin.block({ id, blocked: false })
        if (name === 'password') {
          await world.alice.accounts.changePassword({ password: NEXT_PASSWORD, newPassword: PASSWORD })
        } else {
          await world.alice.accounts.signIn({ email: world.alice.email, password: PASSWORD })
        }
      }
    })
  }
})

onEveryEngine('an error for a client', (it) => {
  it('never redirects an anonymous user to a registered site: they are asked to click (RFC 9700, 4.11.2)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    for (const more of [
      { prompt: 'none' },
      { prompt: 'none', max_age: '0' },
      { code_challenge_method: 'plain' },
      { scope: 'nonsense' },
      { response_type: 'token' },
      { request: 'x' },
      { resource: 'https://other.example' },
    ] as Record<string, string>[]) {
      const asked = { clientId, scope: 'openid', more }
      const query = client.request(asked, client.newVerifier())
      for (const [name, value] of Object.entries(more)) query.set(name, value)
      const response = await world.anonymous.request(`/api/auth/oauth2/authorize?${query}`)
      assert.equal(response.headers.get('location'), null, JSON.stringify(more))
      assert.equal(response.status, 400)
      const page = await response.text()
      assert.match(page, new RegExp(`<a href="${REDIRECT}[?#]error=[^"]*state=st-1`), JSON.stringify(more))
      assert.match(page, /client\.example/)
      const { to } = await client.authorize(world.alice, query)
      assert.equal(to!.origin + to!.pathname, REDIRECT, JSON.stringify(more))
    }
  })

  it('goes back without a click to a program on the machine of the person', async (world) => {
    const client = oauthClient(world)
    const redirectUri = 'http://127.0.0.1:8976/callback'
    const clientId = await client.register({ redirect_uris: ['http://127.0.0.1/callback'] })
    const query = client.request(
      { clientId, redirectUri, scope: 'openid', more: { prompt: 'none' } },
      client.newVerifier(),
    )
    const response = await world.anonymous.request(`/api/auth/oauth2/authorize?${query}`)
    assert.match(response.headers.get('location')!, /^http:\/\/127\.0\.0\.1:8976\/callback\?error=login_required/)
  })
})
