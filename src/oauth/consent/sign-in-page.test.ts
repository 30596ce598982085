// The sign-in page of the authorization server: its ways in, when it is shown again, and that other sites cannot use it.
import assert from 'node:assert/strict'
import { query, submit } from '../../../test/forms.ts'
import { AGENT, oauthClient } from '../../../test/oauth.ts'
import { onEveryEngine } from '../../../test/world.ts'

onEveryEngine('the sign-in page', (it) => {
  it('leads to the ways of the site, but not where the client asks for a new proof (OpenID Connect Core, 3.1.2.1)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const linkFor = async (more: Record<string, string>) => {
      const { to } = await client.authorize(world.anonymous, { clientId, scope: 'openid', more })
      const page = await (await world.anonymous.request(to!.pathname + to!.search)).text()
      return /href="\/sign-in\?to=([^"]+)"/.exec(page)?.[1]
    }
    assert.match(decodeURIComponent((await linkFor({}))!), new RegExp(`^/oauth/consent\\?.*client_id=${clientId}`))
    const proofs: Record<string, string>[] = [{ prompt: 'login' }, { prompt: 'select_account' }, { max_age: '60' }]
    for (const more of proofs) {
      assert.equal(await linkFor(more), undefined, JSON.stringify(more))
    }
  })

  it('signs in with a password, and goes on with the request', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register({ client_name: 'Loom' })
    const { email } = await world.alice.account()
    await world.alice.accounts.signOut()
    const { to } = await client.authorize(world.alice, { clientId, more: { login_hint: email } })
    const page = await (await world.alice.request(to!.pathname + to!.search)).text()
    assert.match(page, /Sign in to continue to Loom/)
    assert.match(page, new RegExp(`value="${email}"`))
    const form = { email, how: 'password', oauth_query: query(to!) }
    const wrong = await submit(world.alice, '/oauth/sign-in', { ...form, password: 'not the password' })
    assert.equal(wrong.status, 401)
    assert.match(await wrong.text(), /name="password"[^>]* aria-describedby="field-password-error" aria-invalid="true"/)
    const right = await submit(world.alice, '/oauth/sign-in', { ...form, password: 'alice has a password' })
    assert.equal(right.status, 303)
    const next = await client.authorize(world.alice, new URL(right.headers.get('location')!).searchParams)
    assert.equal(next.to!.pathname, '/oauth/consent')
  })

  it('signs in with a mailed code, which creates the account of a new user', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const { to } = await client.authorize(world.anonymous, { clientId })
    const email = 'new@example.com'
    const asked = await submit(world.anonymous, '/oauth/sign-in', { email, how: 'send-code', oauth_query: query(to!) })
    assert.match(await asked.text(), /autocomplete="one-time-code"/)
    const form = { email, how: 'code', oauth_query: query(to!) }
    assert.equal((await submit(world.anonymous, '/oauth/sign-in', { ...form, code: 'abc' })).status, 401)
    const right = await submit(world.anonymous, '/oauth/sign-in', { ...form, code: await world.code(email) })
    const cookie = right.headers.getSetCookie()[0]!.split(';')[0]!
    const next = await client.send(right.headers.get('location')!.slice(world.dependencies.config.baseUrl.length), {
      headers: { Cookie: cookie },
    })
    assert.equal(new URL(next.headers.get('location')!).pathname, '/oauth/consent')
  })

  it('refuses a cross-site sign-in: an attacker cannot log a browser in to another account', async (world) => {
    const { email } = await world.alice.account()
    const form = { email, password: 'alice has a password', how: 'password' }
    const response = await submit(world.anonymous, '/oauth/sign-in', form, { Origin: 'https://evil.example' })
    assert.equal(response.status, 403)
    assert.deepEqual(response.headers.getSetCookie(), [])
  })

  it('leads nowhere but to our own authorization endpoint', async (world) => {
    const { email } = await world.alice.account()
    const form = { email, password: 'alice has a password', how: 'password' }
    for (const oauth_query of ['', 'next=https://evil.example', 'client_id=x&redirect_uri=https://evil.example']) {
      const response = await submit(world.alice, '/oauth/sign-in', { ...form, oauth_query })
      assert.equal(new URL(response.headers.get('location')!).origin, world.dependencies.config.baseUrl)
    }
  })

  it('is shown again for prompt=login and an old session, and never for prompt=none (OpenID Connect Core, 3.1.2.1)', async (world) => {
    const client = oauthClient(world)
    const asked = (more: Record<string, string>) =>
      client.authorize(world.alice, { clientId: AGENT, scope: 'openid', more })
    const login = (await asked({ prompt: 'login' })).to!
    assert.equal(login.pathname, '/oauth/sign-in')
    const again = await submit(world.alice, '/oauth/sign-in', {
      email: world.alice.email,
      password: 'alice has a password',
      how: 'password',
      oauth_query: query(login),
    })
    const next = await client.authorize(world.alice, new URL(again.headers.get('location')!).searchParams)
    assert.equal(next.to!.pathname, '/oauth/consent')
    assert.equal((await asked({ prompt: 'none' })).to!.searchParams.get('error'), 'consent_required')
    const anonymous = await client.authorize(world.anonymous, {
      clientId: AGENT,
      scope: 'openid',
      more: { prompt: 'none' },
    })
    assert.equal(anonymous.to!.searchParams.get('error'), 'login_required')
    world.clock.pass(600)
    assert.equal((await asked({ max_age: '300' })).to!.pathname, '/oauth/sign-in')
    assert.equal((await asked({ max_age: '900' })).to!.pathname, '/oauth/consent')
  })
})
