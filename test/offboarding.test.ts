// When a member leaves a company: one block ends everything that acts for an account, by every way in, and lets nothing new begin. Unblocking
// brings back none of it.
import assert from 'node:assert/strict'
import { ACCESS_TOKEN_TYPE, DEVICE_GRANT, TOKEN_EXCHANGE } from '../src/oauth/rules.ts'
import { CLIENT, startProvider } from './external-provider.ts'
import { AGENT, allowDevice, oauthClient } from './oauth.ts'
import { newBrowser } from './visitors.ts'
import { BASE_URL, onEveryEngine, type World } from './world.ts'

const provider = await startProvider(`${BASE_URL}/sign-in/external`)
const SECRET = 'the secret of a resource server, long'.replaceAll(' ', '-')
const scope = 'community:read community:write offline_access'
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

const ofDevice = async (world: World) => {
  const client = oauthClient(world)
  const response = await client.post('/api/auth/oauth2/device_authorization', { client_id: AGENT, scope })
  return (await response.json()) as { device_code: string; user_code: string }
}

/** Everything that acts for an account, by its name. */
async function everyCredential(world: World) {
  const client = oauthClient(world)
  const { alice } = world
  const user = `leaver-${crypto.randomUUID()}`
  provider.users[user] = {}
  const { url } = await alice.external.beginLink({})
  await alice.external.finish({ query: await provider.signIn(url, user) })
  const app = await client.signIn(alice, { clientId: AGENT, scope })
  const resource = client.audience
  const jwt = await client.signIn(alice, { clientId: AGENT, scope, more: { resource } }, { resource })
  const helper = await client.token({
    ...{ grant_type: TOKEN_EXCHANGE, client_id: AGENT, subject_token: app.access_token },
    subject_token_type: ACCESS_TOKEN_TYPE,
  })
  const personal = await alice.personalTokens.create({ name: 'A script', scopes: ['community:read'] })
  const device = await ofDevice(world)
  await allowDevice(alice, device.user_code)
  const code = await client.consent(alice, { clientId: AGENT, scope })
  const opaque = { app: app.access_token, helper: helper.access_token, personal: personal.token }
  return { user, app, jwt, device, code, opaque }
}

/** What introspection says of a token. */
async function introspect(world: World, token: string): Promise<unknown> {
  const headers = { ...FORM, Authorization: `Basic ${btoa(`reports:${SECRET}`)}` }
  const body = new URLSearchParams({ token }).toString()
  return (await oauthClient(world).send('/api/auth/oauth2/introspect', { method: 'POST', headers, body })).json()
}

/** Nothing of it acts, nothing of it makes a new credential, and a resource server hears that it is over. */
async function assertOver(world: World, all: Awaited<ReturnType<typeof everyCredential>>) {
  const client = oauthClient(world)
  for (const [name, token] of Object.entries(all.opaque)) {
    assert.equal((await client.call(token)).status, 401, name)
    assert.deepEqual(await introspect(world, token), { active: false }, name)
  }
  assert.equal((await client.refresh(AGENT, all.app.refresh_token)).error, 'invalid_grant')
  assert.equal((await client.exchange(all.code)).error, 'invalid_grant')
  const { device_code } = all.device
  assert.equal((await client.token({ grant_type: DEVICE_GRANT, client_id: AGENT, device_code })).error, 'invalid_grant')
  const again = { grant_type: TOKEN_EXCHANGE, client_id: AGENT, subject_token: all.app.access_token }
  assert.equal((await client.token({ ...again, subject_token_type: ACCESS_TOKEN_TYPE })).error, 'invalid_request')
}

onEveryEngine(
  'a block of an account',
  (it) => {
    it('ends apps, helpers, personal tokens, devices, codes and sessions, and every way to new ones', async (world) => {
      const { alice, admin } = world
      const { id, email } = await alice.account()
      const all = await everyCredential(world)
      for (const token of Object.values(all.opaque)) assert.equal((await oauthClient(world).call(token)).status, 200)
      await admin.admin.block({ id, blocked: true })
      await assertOver(world, all)
      const jwt = await oauthClient(world).call(all.jwt.access_token)
      assert.equal(jwt.status, 403, 'a JWT cannot be ended, but does nothing (interface.md, section 5)')
      assert.deepEqual(await introspect(world, all.jwt.access_token), { active: false })
      await assert.rejects(alice.personalTokens.create({ name: 'x', scopes: ['community:read'] }), { status: 401 })
      const browser = newBrowser(world)
      await assert.rejects(browser.accounts.signIn({ email, password: 'alice has a password' }), { status: 403 })
      const { url } = await browser.external.begin({})
      const query = await provider.signIn(url, all.user)
      await assert.rejects(browser.external.finish({ query }), { status: 403, code: 'blocked' })
    })

    it('is not undone by unblocking: the account signs in, and has no credential of before', async (world) => {
      const { alice, admin } = world
      const { id, email } = await alice.account()
      const all = await everyCredential(world)
      await admin.admin.block({ id, blocked: true })
      await admin.admin.block({ id, blocked: false })
      await assertOver(world, all)
      const browser = newBrowser(world)
      await browser.accounts.signIn({ email, password: 'alice has a password' })
      assert.deepEqual((await browser.signIns.list()).items, [])
      assert.deepEqual((await browser.personalTokens.list()).items, [])
    })
  },
  {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    RESOURCE_SERVERS: JSON.stringify([{ id: 'reports', secret: SECRET, personalTokens: true }]),
  },
)
