// The pages: their content, their redirects, and that other users cannot use them.
import assert from 'node:assert/strict'
import { AGENT, oauthClient, REDIRECT } from '../../../test/oauth.ts'
import { onEveryEngine, type Person } from '../../../test/world.ts'
import { createApp } from '../../app.ts'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

const submit = (person: Person, path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  person.request(path, { method: 'POST', headers: { ...FORM, ...headers }, body: new URLSearchParams(form).toString() })

const query = (url: URL) => url.search.slice(1)

onEveryEngine('the consent page', (it) => {
  it('shows exactly the requested scopes, the name, and the host it returns to; everything is escaped', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register({ client_name: '<script>alert(1)</script>' })
    const { to } = await client.authorize(world.alice, { clientId, scope: 'community:read offline_access nonsense' })
    const response = await world.alice.request(to!.pathname + to!.search)
    const page = await response.text()
    assert.deepEqual(
      [...page.matchAll(/data-scope="([^"]+)"/g)].map((match) => match[1]),
      ['community:read', 'offline_access'],
    )
    assert.match(page, />How long<\/h2>\s*<ul[^>]*><!--\[--><li data-scope="offline_access">/)
    assert.match(page, /&lt;script>alert\(1\)&lt;\/script> wants to use your account/)
    assert.doesNotMatch(page, /<script/)
    assert.match(page, /client\.example/)
    assert.match(page, /alice@example\.com/)
    assert.match(page, /<html lang="en"/)
  })

  it('cannot be framed, loads only our styles, font and images, and lets its form lead to the client (CSP 3)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register({ redirect_uris: [REDIRECT, 'cursor://callback', 'http://[::1]/callback'] })
    for (const [redirectUri, target] of [
      [REDIRECT, 'https://client.example'],
      ['cursor://callback', 'cursor:'],
      ['http://[::1]:999/callback', 'http:'],
    ] as const) {
      const { to } = await client.authorize(world.alice, { clientId, redirectUri })
      const { headers } = await world.alice.request(to!.pathname + to!.search)
      const policy = headers.get('content-security-policy')!
      assert.match(
        policy,
        /^default-src 'none'; style-src 'self' 'nonce-[^']+'; font-src 'self'; img-src 'self'; form-action 'self' \S+; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
      )
      assert.ok(policy.includes(`form-action 'self' ${target};`), policy)
      assert.equal(headers.get('x-frame-options'), 'DENY')
      assert.equal(headers.get('cache-control'), 'no-store')
    }
  })

  it('works as a plain form: allow and deny both redirect to the client', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    for (const [accept, answer] of [
      ['true', 'code'],
      ['false', 'error'],
    ] as const) {
      const { to } = await client.authorize(world.alice, { clientId })
      const response = await submit(world.alice, '/api/auth/oauth2/consent', { accept, oauth_query: query(to!) })
      assert.equal(response.status, 303)
      const location = new URL(response.headers.get('location')!)
      assert.equal(location.origin + location.pathname, REDIRECT)
      assert.ok(location.searchParams.get(answer))
      assert.equal(location.searchParams.get('state'), 'st-1')
    }
    const { to } = await client.authorize(world.alice, { clientId })
    assert.equal((await client.decide(world.alice, to!, false)).searchParams.get('error'), 'access_denied')
  })

  it('lets a person leave scopes out: the token, the sign-in and a refresh have what was left', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const scope = 'community:read community:write library:write offline_access'
    const asked = { clientId, redirectUri: REDIRECT, scope }
    const verifier = client.newVerifier()
    const decideWith = async (scopes: string[]) => {
      const { to } = await client.authorize(world.alice, client.request(asked, verifier))
      const form = new URLSearchParams([
        ['accept', 'true'],
        ['oauth_query', query(to!)],
      ])
      for (const name of scopes) form.append('scope', name)
      return world.alice.request('/api/auth/oauth2/consent', { method: 'POST', headers: FORM, body: form.toString() })
    }
    const page = await world.alice.request(
      await client.authorize(world.alice, asked).then(({ to }) => to!.pathname + to!.search),
    )
    const boxes = [...(await page.text()).matchAll(/<input(?=[^>]*type="checkbox")[^>]*>/g)].map(([box]) => box)
    assert.deepEqual(
      [boxes.length, boxes.every((box) => box.includes('checked') && box.includes('"scope"'))],
      [4, true],
    )
    // The field of the page is empty where everything is left out; what was not asked for is never added.
    for (const none of [[''], ['', 'library:read'], ['', 'nonsense']])
      assert.equal((await decideWith(none)).status, 400)
    assert.deepEqual(await world.db.selectFrom('grant').select('id').execute(), [])
    const reply = await decideWith(['', 'offline_access', 'community:read', 'library:read'])
    const callback = new URL(reply.headers.get('location')!)
    const granted = { code: callback.searchParams.get('code')!, verifier, clientId, redirectUri: REDIRECT, callback }
    const tokens = await client.exchange(granted)
    assert.equal(tokens.scope, 'community:read offline_access')
    const refreshed = await client.refresh(clientId, tokens.refresh_token)
    assert.deepEqual([refreshed.status, refreshed.scope], [200, 'community:read offline_access'])
    const body = { title: 'T', body: 'B' }
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${refreshed.access_token}` }
    const post = { method: 'POST', headers, body: JSON.stringify(body) }
    assert.equal((await client.send('/api/community/posts', post)).status, 403)
    assert.deepEqual(
      (await world.alice.signIns.list({})).items.map(({ scopes }) => scopes),
      [['community:read', 'offline_access']],
    )
    // Without `offline_access` there is no refresh token.
    const brief = new URL((await decideWith(['', 'community:write'])).headers.get('location')!)
    const once = await client.exchange({ ...granted, code: brief.searchParams.get('code')! })
    assert.deepEqual([once.scope, once.refresh_token], ['community:write', undefined])
  })

  it('takes the scopes that are left in as JSON too', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const decided = async (scope: unknown) => {
      const { to } = await client.authorize(world.alice, { clientId, scope: 'community:read library:read' })
      return world.alice.request('/api/auth/oauth2/consent', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ accept: true, oauth_query: query(to!), scope }),
      })
    }
    for (const wrong of ['', 7, ['community:read'], 'openid']) assert.equal((await decided(wrong)).status, 400)
    assert.equal((await decided('library:read')).status, 200)
    const grants = await world.db.selectFrom('grant').select('scope').execute()
    assert.deepEqual(grants, [{ scope: 'library:read' }])
  })

  it('takes a decision only from the session that was shown the request, unchanged, within an hour', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const { to } = await client.authorize(world.alice, { clientId, scope: 'community:read' })
    await world.bob.account()
    await assert.rejects(client.decide(world.bob, to!), /400/)
    await assert.rejects(client.decide(world.anonymous, to!), /401/)
    for (const [name, value] of [
      ['scope', 'community:read community:write'],
      ['redirect_uri', 'https://evil.example/callback'],
      ['code_challenge', 'x'.repeat(43)],
      ['exp', '9999999999'],
      ['sig', ''],
    ] as const) {
      const changed = new URL(to!)
      changed.searchParams.set(name, value)
      await assert.rejects(client.decide(world.alice, changed), /400/, name)
    }
    const extended = new URL(to!)
    extended.searchParams.append('resource', client.audience)
    await assert.rejects(client.decide(world.alice, extended), /400/)
    world.clock.pass(3601)
    await assert.rejects(client.decide(world.alice, to!), /400/)
    assert.equal((await world.db.selectFrom('grant').selectAll().execute()).length, 0)
  })

  it('refuses decisions that another site sends (RFC 6749, 10.12)', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const { to } = await client.authorize(world.alice, { clientId })
    const decision = { accept: 'true', oauth_query: query(to!) }
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site', Origin: world.dependencies.config.baseUrl },
    ] as Record<string, string>[]) {
      assert.equal((await submit(world.alice, '/api/auth/oauth2/consent', decision, headers)).status, 403)
    }
    const ours = { Origin: world.dependencies.config.baseUrl, 'Sec-Fetch-Site': 'same-origin' }
    assert.equal((await submit(world.alice, '/api/auth/oauth2/consent', decision, ours)).status, 303)
  })

  it('is signed again for another session, and sends anonymous users to sign in', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const { to } = await client.authorize(world.alice, { clientId })
    await world.bob.account()
    const again = await world.bob.request(to!.pathname + to!.search)
    assert.equal(again.status, 303)
    const fresh = await client.authorize(world.bob, new URL(again.headers.get('location')!).searchParams)
    assert.equal(fresh.to!.pathname, '/oauth/consent')
    assert.ok((await client.decide(world.bob, fresh.to!)).searchParams.get('code'))
  })

  it('offers a username and does not need one', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const { to } = await client.authorize(world.alice, { clientId })
    const bad = await submit(world.alice, '/oauth/username', { username: 'a', oauth_query: query(to!) })
    assert.match(await bad.text(), /aria-describedby="field-username-help field-username-error"/)
    const good = await submit(world.alice, '/oauth/username', { username: 'alice', oauth_query: query(to!) })
    assert.equal(new URL(good.headers.get('location')!).search, to!.search)
    const page = await (await world.alice.request(to!.pathname + to!.search)).text()
    assert.match(page, /\(alice\)/)
    assert.doesNotMatch(page, /Pick a username/)
  })

  it('lets a user change to another account', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const { to } = await client.authorize(world.alice, { clientId })
    const response = await submit(world.alice, '/oauth/sign-out', { oauth_query: query(to!) })
    const next = new URL(response.headers.get('location')!)
    assert.equal(next.pathname, '/oauth/sign-in')
    assert.equal(next.searchParams.get('client_id'), clientId)
    assert.equal(next.searchParams.get('sig'), null)
    assert.equal(await world.alice.accounts.getSession(), null)
  })
})

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
    const anew: Record<string, string>[] = [{ prompt: 'login' }, { prompt: 'select_account' }, { max_age: '60' }]
    for (const more of anew) {
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
    assert.match(page, /Sign in to go on to Loom/)
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

onEveryEngine(
  'a page of the authorization server',
  (it) => {
    it('has the colour that the operator set, in a style its policy names', async ({ anonymous }) => {
      const response = await anonymous.request('/oauth/sign-in')
      const [, nonce, style] = /<style nonce="([^"]+)">([^<]*)<\/style>/.exec(await response.text())!
      assert.equal(style, ':root{--brand:#2277cc}')
      assert.ok(response.headers.get('content-security-policy')!.includes(`style-src 'self' 'nonce-${nonce}'`))
    })

    it('has the theme of its reader, and nothing else of them', async ({ alice }) => {
      const theme = 'theme=dark&back=%2F'
      await alice.request('/theme', { method: 'POST', headers: { ...FORM, 'Content-Length': '19' }, body: theme })
      const response = await alice.request('/oauth/sign-in')
      const page = await response.text()
      assert.match(page, /data-theme="dark"/)
      assert.doesNotMatch(page, /Settings|alice/)
      assert.deepEqual(response.headers.getSetCookie(), [])
    })

    it('is its sentence as text where the site is not there, or fails', async ({ dependencies }) => {
      const broken = { open: () => Promise.reject(new Error('The site does not load')) }
      for (const [more, status] of [
        [{}, 400],
        [{ site: broken }, 500],
      ] as const) {
        const { baseUrl } = dependencies.config
        const response = await createApp(dependencies, more).fetch(new Request(`${baseUrl}/api/auth/oauth2/authorize`))
        assert.equal(response.status, status)
        assert.match(await response.text(), /^We can’t complete this sign-in\n.+\n$/)
        assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
      }
    })

    it('shows what the server hands over in process: asked for from outside it is not there', async ({ alice }) => {
      for (const path of ['/oauth/problem', '/oauth/problem?title=x&sentence=x', '/oauth/']) {
        assert.equal((await alice.request(path)).status, 404, path)
      }
      for (const name of ['consent', 'sign-in', 'problem']) {
        const response = await alice.request(`/oauth/${name}/__data.json`, { headers: { 'x-view': '{"title":"x"}' } })
        assert.equal(response.status, 404, name)
        assert.equal(await response.text(), '')
      }
    })
  },
  { ACCENT: '#2277cc' },
)
