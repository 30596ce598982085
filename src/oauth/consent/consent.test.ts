// The pages: their content, their redirects, and that other users cannot use them.
import assert from 'node:assert/strict'
import { FORM, query, submit } from '../../../test/forms.ts'
import { oauthClient, REDIRECT } from '../../../test/oauth.ts'
import { onEveryEngine } from '../../../test/world.ts'
import { createApp } from '../../app.ts'

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
    const scripts = page.match(/<script[^>]*>[^<]*/g)
    assert.equal(scripts?.length, 1)
    assert.match(
      scripts[0],
      /^<script type="module" nonce="[^"]+" src="\/_app\/immutable\/workers\/keys-alone-[\w-]+\.js">$/,
    )
    assert.match(page, /client\.example/)
    assert.match(page, /alice@example\.com/)
    assert.match(page, /<html lang="en"/)
  })

  it('cannot be framed, loads only our styles, font, images and a script of shortcuts, and lets its form lead to the client (CSP 3)', async (world) => {
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
        /^default-src 'none'; script-src 'nonce-[^']+' 'strict-dynamic'; connect-src 'self'; style-src 'self' 'nonce-[^']+'; font-src 'self'; img-src 'self'; form-action 'self' \S+; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
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
