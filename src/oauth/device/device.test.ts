// The device authorization grant (RFC 8628), over the front door.
import assert from 'node:assert/strict'
import { AGENT, oauthClient } from '../../../test/oauth.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { DEVICE_GRANT } from '../rules.ts'
import { isTooSoon, newUserCode, userCodeIn } from './user-codes.ts'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

interface DeviceAnswer {
  status: number
  error?: string
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}

async function ask(
  { app, dependencies }: World,
  form: Record<string, string>,
  address?: string,
): Promise<DeviceAnswer> {
  const { baseUrl } = dependencies.config
  const init = { method: 'POST', headers: FORM, body: new URLSearchParams(form).toString() }
  const request = new Request(`${baseUrl}/api/auth/oauth2/device_authorization`, init)
  const response = await app.fetch(request, address === undefined ? {} : { address })
  return { ...((await response.json()) as DeviceAnswer), status: response.status }
}

const poll = (world: World, { device_code }: DeviceAnswer, more: Record<string, string> = {}) =>
  oauthClient(world).token({ grant_type: DEVICE_GRANT, device_code, client_id: AGENT, ...more })

const submit = (person: Person, form: Record<string, string>) =>
  person.request('/oauth/device', { method: 'POST', headers: FORM, body: new URLSearchParams(form).toString() })

/** The question that follows a code; undefined where the code is refused. */
async function typeIn(
  person: Person,
  code: string,
): Promise<{ page: string; query: string | undefined; status: number }> {
  const response = await submit(person, { user_code: code })
  const page = await response.text()
  const query = /name="oauth_query" value="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
  return { page, query, status: response.status }
}

async function decide(person: Person, code: string, accept = true) {
  const { query } = await typeIn(person, code)
  return submit(person, { accept: String(accept), oauth_query: query! })
}

const SCOPE = 'library:read offline_access'

onEveryEngine('the device authorization grant', (it) => {
  it('gives tokens once an account allowed it, and once alone', async (world) => {
    const { alice, clock } = world
    await alice.account()
    const asked = await ask(world, { client_id: AGENT, scope: SCOPE })
    assert.equal(asked.status, 200)
    assert.match(asked.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    assert.equal(asked.verification_uri_complete, `${asked.verification_uri}?user_code=${asked.user_code}`)
    assert.deepEqual([asked.expires_in, asked.interval], [600, 5])
    assert.equal((await poll(world, asked)).error, 'authorization_pending')
    assert.equal((await decide(alice, asked.user_code)).status, 200)
    clock.pass(5)
    const [first, second] = await Promise.all([poll(world, asked), poll(world, asked)])
    const [tokens, refused] = first.status === 200 ? [first, second] : [second, first]
    assert.equal(tokens.status, 200)
    assert.equal(tokens.scope, SCOPE)
    assert.ok(tokens.refresh_token)
    assert.equal(refused.error, 'invalid_grant')
    assert.equal((await poll(world, asked)).error, 'invalid_grant')
    const headers = { Authorization: `Bearer ${tokens.access_token}` }
    const me = await oauthClient(world).send('/api/library/me', { headers })
    assert.equal(((await me.json()) as { user: { email: string } }).user.email, alice.email)
    const refreshed = await oauthClient(world).refresh(AGENT, tokens.refresh_token!)
    assert.equal(refreshed.status, 200)
  })

  it('makes a JWT for the agent audience, and an ID token for openid', async (world) => {
    const { alice, dependencies } = world
    await alice.account()
    const resource = dependencies.config.agentAudience
    const asked = await ask(world, { client_id: AGENT, scope: 'openid library:read', resource })
    await decide(alice, asked.user_code)
    const tokens = await poll(world, asked, { resource })
    assert.equal(tokens.access_token.split('.').length, 3)
    assert.equal(tokens.id_token?.split('.').length, 3)
  })

  it('is for clients that registered for it, and for no resource of another', async (world) => {
    const client = oauthClient(world)
    const plain = await client.register()
    assert.equal((await ask(world, { client_id: plain })).error, 'unauthorized_client')
    assert.equal((await ask(world, { client_id: 'nobody' })).error, 'invalid_client')
    const device = await client.register({ grant_types: ['authorization_code', 'refresh_token', DEVICE_GRANT] })
    const resource = world.dependencies.config.agentAudience
    assert.equal((await ask(world, { client_id: device, resource })).error, 'invalid_target')
    assert.equal((await ask(world, { client_id: device, scope: 'nonsense' })).error, 'invalid_scope')
    const asked = await ask(world, { client_id: device })
    assert.equal(asked.status, 200)
    await world.alice.account()
    await decide(world.alice, asked.user_code)
    assert.equal((await poll(world, asked)).error, 'invalid_grant', 'of another client')
    const tokens = await poll(world, asked, { client_id: device })
    assert.deepEqual([tokens.status, tokens.scope, tokens.refresh_token], [200, 'community:read', undefined])
  })

  it('tells a client to slow down, five seconds more each time', async (world) => {
    const { clock } = world
    clock.stop()
    const asked = await ask(world, { client_id: AGENT })
    assert.equal((await poll(world, asked)).error, 'authorization_pending')
    clock.pass(4)
    assert.equal((await poll(world, asked)).error, 'slow_down')
    clock.pass(5)
    assert.equal((await poll(world, asked)).error, 'slow_down')
    clock.pass(15)
    assert.equal((await poll(world, asked)).error, 'authorization_pending')
    const answers = await Promise.all([1, 2, 3].map(() => poll(world, asked)))
    assert.ok(answers.every(({ error }) => error === 'slow_down'))
  })

  it('ends with a denial, and with its time', async (world) => {
    const { alice, clock } = world
    await alice.account()
    clock.stop()
    const denied = await ask(world, { client_id: AGENT })
    await decide(alice, denied.user_code, false)
    assert.equal((await poll(world, denied)).error, 'access_denied')
    assert.equal((await typeIn(alice, denied.user_code)).status, 400)
    const late = await ask(world, { client_id: AGENT })
    const { query } = await typeIn(alice, late.user_code)
    clock.pass(600)
    assert.equal((await submit(alice, { accept: 'true', oauth_query: query! })).status, 400)
    assert.equal((await poll(world, late)).error, 'expired_token')
    await world.app.cleanUp()
    assert.deepEqual(await world.db.selectFrom('deviceCode').selectAll().execute(), [])
  })

  it('asks an account that is signed in, and shows what asks, for what, and from where', async (world) => {
    const { alice, anonymous } = world
    await alice.account()
    const name = '<script>alert(1)</script>'
    const metadata = { client_name: name, grant_types: ['authorization_code', DEVICE_GRANT] }
    const clientId = await oauthClient(world).register(metadata)
    const asked = await ask(world, { client_id: clientId, scope: 'community:read nonsense' })
    const away = await anonymous.request(`/oauth/device?user_code=${asked.user_code}`)
    assert.equal(away.status, 303)
    assert.match(away.headers.get('location')!, /\/sign-in\?to=%2Foauth%2Fdevice%3Fuser_code/)
    const prefilled = await (await alice.request(`/oauth/device?user_code=${asked.user_code}`)).text()
    assert.ok(prefilled.includes(`value="${asked.user_code}"`))
    assert.doesNotMatch(prefilled, /oauth_query/, 'a code in the address alone asks nothing')
    const { page } = await typeIn(alice, asked.user_code.toLowerCase().replace('-', ' '))
    assert.match(page, /&lt;script>alert\(1\)&lt;\/script> wants to use your account/)
    assert.deepEqual(
      [...page.matchAll(/data-scope="([^"]+)"/g)].map((match) => match[1]),
      ['community:read'],
    )
    assert.match(page, /in the network/)
    assert.doesNotMatch(page, /<script>/)
  })

  it('lets the account leave scopes out: the token has what was left', async (world) => {
    const { alice } = world
    await alice.account()
    const asked = await ask(world, { client_id: AGENT, scope: 'library:read library:write offline_access' })
    const { query, page } = await typeIn(alice, asked.user_code)
    assert.equal([...page.matchAll(/<input(?=[^>]*type="checkbox")(?=[^>]*name="scope")[^>]*checked/g)].length, 3)
    const decideWith = (scopes: string[]) => {
      const form = new URLSearchParams([
        ['accept', 'true'],
        ['oauth_query', query!],
      ])
      for (const name of scopes) form.append('scope', name)
      return alice.request('/oauth/device', { method: 'POST', headers: FORM, body: form.toString() })
    }
    assert.equal((await decideWith([''])).status, 400)
    assert.equal((await poll(world, asked)).error, 'authorization_pending')
    assert.equal((await decideWith(['', 'library:read', 'community:write'])).status, 200)
    world.clock.pass(10)
    const tokens = await poll(world, asked)
    assert.deepEqual([tokens.status, tokens.scope, tokens.refresh_token], [200, 'library:read', undefined])
  })

  it('takes a decision from the session that was asked, once, and from no other site', async (world) => {
    const { alice, bob } = world
    await Promise.all([alice.account(), bob.account()])
    const asked = await ask(world, { client_id: AGENT })
    const { query } = await typeIn(alice, asked.user_code)
    assert.equal((await submit(bob, { accept: 'true', oauth_query: query! })).status, 400)
    const elsewhere = { method: 'POST', headers: { ...FORM, 'Sec-Fetch-Site': 'cross-site' } }
    const body = new URLSearchParams({ accept: 'true', oauth_query: query! }).toString()
    assert.equal((await alice.request('/oauth/device', { ...elsewhere, body })).status, 403)
    assert.equal((await poll(world, asked)).error, 'authorization_pending')
    const answers = await Promise.all(
      [true, false].map((accept) => submit(alice, { accept: String(accept), oauth_query: query! })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
  })

  it('gives nothing for an account that is blocked after it allowed', async (world) => {
    const { bob, admin } = world
    const { id } = await bob.account()
    const asked = await ask(world, { client_id: AGENT, scope: SCOPE })
    await decide(bob, asked.user_code)
    await admin.admin.block({ id, blocked: true })
    assert.equal((await poll(world, asked)).error, 'invalid_grant')
  })

  it('stores neither of the codes', async (world) => {
    const asked = await ask(world, { client_id: AGENT })
    const stored = JSON.stringify(await world.db.selectFrom('deviceCode').selectAll().execute())
    assert.ok(!stored.includes(asked.device_code) && !stored.includes(asked.user_code.replace('-', '')))
  })
})

onEveryEngine(
  'guesses of user codes',
  (it) => {
    it('end for an account after five wrong ones, while right ones do not count', async (world) => {
      const { alice } = world
      await alice.account()
      world.clock.stop()
      const asked = await ask(world, { client_id: AGENT })
      for (let guess = 0; guess < 3; guess++) assert.equal((await typeIn(alice, asked.user_code)).status, 200)
      for (let guess = 0; guess < 5; guess++) assert.equal((await typeIn(alice, newUserCode())).status, 400)
      assert.equal((await typeIn(alice, asked.user_code)).status, 429)
      world.clock.pass(601)
      const again = await ask(world, { client_id: AGENT })
      assert.equal((await typeIn(alice, again.user_code)).status, 200)
    })

    it('end for requests of one address, too', async (world) => {
      for (let request = 0; request < 200; request++) {
        assert.equal((await ask(world, { client_id: AGENT })).status, 200)
      }
      assert.equal((await ask(world, { client_id: AGENT })).status, 429)
    })

    it('end for a network of many addresses at a tenth of all, and for no other', async (world) => {
      const from = async (address: string) => (await ask(world, { client_id: AGENT }, address)).status
      for (let n = 0; n < 200; n++) assert.equal(await from(`2001:db8:1:${n.toString(16)}::1`), 200)
      assert.equal(await from('2001:db8:1:ffff::1'), 429)
      assert.equal(await from('2001:db8:2::1'), 200)
    })
  },
  { RATE_LIMITS: 'on' },
)

onEveryEngine('the rules of device codes', (it) => {
  it('read a code in any case and with any signs between', async () => {
    assert.equal(userCodeIn(' wdjb-mjht '), 'WDJBMJHT')
    for (const wrong of ['', 'WDJBMJH', 'WDJBMJHTT', 'WDJBMJHA', '12345678', 'W'.repeat(10_000)]) {
      assert.equal(userCodeIn(wrong), undefined)
    }
    assert.match(newUserCode(), /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
  })

  it('let a poll be half a second early', async () => {
    const polled = { polledAt: '2026-11-20T09:30:00.000Z', intervalSeconds: 5 }
    assert.equal(isTooSoon(polled, '2026-11-20T09:30:04.499Z'), true)
    assert.equal(isTooSoon(polled, '2026-11-20T09:30:04.500Z'), false)
  })
})
