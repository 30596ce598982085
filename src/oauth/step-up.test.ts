// Step-up (RFC 9470): a token of a person who signed in long ago is told so, and a client that asks with `max_age` gets a fresh one.
import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { it as nodeIt, type TestContext } from 'node:test'
import * as oauth from 'oauth4webapi'
import { onEngines } from '../../test/databases.ts'
import { listening } from '../../test/listening.ts'
import { AGENT, AGENT_REDIRECT, oauthClient } from '../../test/oauth.ts'
import { onEveryEngine, type World } from '../../test/world.ts'

const scope = 'library:read library:write offline_access'
const PASSWORD = 'alice has a password'

function newKeyForm(): Record<string, string> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x } = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })).export({ format: 'jwk' })
  return { name: 'Laptop', public_key: Buffer.from(x!, 'base64url').toString('base64') }
}

const addKey = (world: World, token: string) =>
  oauthClient(world).send('/api/library/keys', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(newKeyForm()),
  })

onEveryEngine('what needs a fresh person', (it) => {
  it('takes a token of the last ten minutes, and no refresh makes one', async (world) => {
    const client = oauthClient(world)
    await world.alice.account()
    world.clock.pass(550)
    const tokens = await client.signIn(world.alice, { clientId: AGENT, scope })
    assert.equal((await addKey(world, tokens.access_token)).status, 201)
    world.clock.pass(60)
    const refreshed = await client.refresh(AGENT, tokens.refresh_token)
    const refused = await addKey(world, refreshed.access_token)
    assert.equal(refused.status, 403)
    const challenge = refused.headers.get('www-authenticate') ?? ''
    assert.match(challenge, /^Bearer error="insufficient_user_authentication", max_age="600", resource_metadata="/)
    await world.alice.reauthentication.confirm({ password: PASSWORD })
    assert.equal((await addKey(world, refreshed.access_token)).status, 403, 'the client has to ask')
    assert.equal((await oauthClient(world).call(refreshed.access_token, '/api/library/me')).status, 200)
  })

  it('is reached through a sign-in that the client asks for, without openid too', async (world) => {
    const client = oauthClient(world)
    await world.alice.account()
    world.clock.pass(700)
    for (const max_age of ['600', '0']) {
      const { to } = await client.authorize(world.alice, { clientId: AGENT, scope, more: { max_age } })
      assert.equal(to?.pathname, '/oauth/sign-in', max_age)
    }
    const asked = { clientId: AGENT, scope, more: { max_age: '600' } }
    await world.alice.accounts.signIn({ email: world.alice.email, password: PASSWORD })
    const tokens = await client.signIn(world.alice, asked)
    assert.equal((await addKey(world, tokens.access_token)).status, 201)
  })

  it('takes a personal token and a mailed code of the last ten minutes', async (world) => {
    const { alice } = world
    const { email } = await alice.account()
    const { token } = await alice.personalTokens.create({ name: 'A script', scopes: ['library:write'] })
    assert.equal((await addKey(world, token)).status, 201, 'it was just made by its owner')
    world.clock.pass(601)
    assert.equal((await addKey(world, token)).status, 403)
    const client = oauthClient(world)
    await client.claim(email, 'library:write')
    const claimed = await client.verify(email, await client.code(email))
    assert.equal((await addKey(world, claimed.access_token)).status, 201)
    world.clock.pass(601)
    assert.equal((await addKey(world, claimed.access_token)).status, 403)
  })
})

async function withOauth4webapi(world: World): Promise<void> {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const { baseUrl } = world.dependencies.config
  const client = oauthClient(world)
  await world.alice.account()
  const tokens = await client.signIn(world.alice, { clientId: AGENT, scope, redirectUri: AGENT_REDIRECT })
  world.clock.pass(700)
  const body = JSON.stringify(newKeyForm())
  const headers = new Headers({ 'Content-Type': 'application/json' })
  const url = new URL(`${baseUrl}/api/library/keys`)
  const refreshed = await client.refresh(AGENT, tokens.refresh_token)
  const call = oauth.protectedResourceRequest(refreshed.access_token, 'POST', url, headers, body, insecure)
  const error = await call.catch((reason: unknown) => reason)
  assert.ok(error instanceof oauth.WWWAuthenticateChallengeError, String(error))
  const [challenge] = error.cause
  assert.equal(challenge?.parameters['error'], 'insufficient_user_authentication')
  assert.equal(challenge?.parameters['max_age'], '600')
}

onEngines('a client of others that is told to step up', (open) => {
  nodeIt('oauth4webapi reads the challenge', (t: TestContext) => listening(t, withOauth4webapi, { open }))
})
