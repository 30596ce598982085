// How strong a sign-in is (`acr`): asked for by `acr_values`, told in ID tokens, JWTs and introspection, and never had by what was not done.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { Authenticator } from '../../test/authenticator.ts'
import { AGENT, allowDevice, oauthClient, type TokenAnswer } from '../../test/oauth.ts'
import { register } from '../../test/passkeys.ts'
import { onEveryEngine, type Person, type World } from '../../test/world.ts'
import { strengthsOf } from '../contract/sign-in-strength.ts'
import { DEVICE_GRANT } from './rules.ts'

const scope = 'openid library:read library:write offline_access'
const PASSWORD = 'alice has a password'
const SERVER = { id: 'reports', secret: 'the-reports-have-a-long-secret-of-32', personalTokens: true }

/** Alice with a passkey, signed in by her password. */
async function withPasskey(world: World): Promise<Authenticator> {
  const { alice } = world
  await alice.account()
  const device = new Authenticator()
  await register(alice, device)
  await byPassword(alice)
  return device
}

async function byPassword(alice: Person) {
  await alice.accounts.signOut({})
  await alice.accounts.signIn({ email: alice.email, password: PASSWORD })
}

async function byPasskey({ alice }: World, device: Authenticator) {
  await alice.accounts.signOut({})
  await alice.passkeys.signIn({ response: device.get(await alice.passkeys.beginSignIn({})) })
}

async function introspected(world: World, { access_token: token }: TokenAnswer) {
  const answer = await oauthClient(world).post('/api/auth/oauth2/introspect', {
    token,
    client_id: SERVER.id,
    client_secret: SERVER.secret,
  })
  return (await answer.json()) as Record<string, unknown>
}

const strengthIn = (claims: Record<string, unknown>) => [claims['acr'], claims['amr']]
const PASSKEY = ['phr', ['pop', 'user']]
const NONE = [undefined, undefined]

onEveryEngine(
  'the strength of a sign-in',
  (it) => {
    it('is asked for by a device, too, as is a fresh sign-in', async (world) => {
      const { alice, clock } = world
      const client = oauthClient(world)
      const passkey = await withPasskey(world)
      const ask = (more: Record<string, string> | URLSearchParams) => {
        const form = new URLSearchParams(more)
        for (const [name, value] of Object.entries({ client_id: AGENT, scope })) form.set(name, value)
        return client.post('/api/auth/oauth2/device_authorization', form)
      }
      const codes = async (more: Record<string, string>) => (await (await ask(more)).json()) as Record<string, string>
      const type = async (code: string) => {
        const body = new URLSearchParams({ user_code: code }).toString()
        const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
        const page = await alice.request('/oauth/device', { method: 'POST', headers, body })
        return [page.status, /oauth_query/.test(await page.text())]
      }
      const strong = await codes({ acr_values: 'phr' })
      const wish = await codes({ acr_values: 'urn:other' })
      assert.deepEqual(await type(strong['user_code']!), [403, false])
      assert.deepEqual(await type(wish['user_code']!), [200, true])
      await byPasskey(world, passkey)
      await allowDevice(alice, strong['user_code']!)
      const given = { grant_type: DEVICE_GRANT, client_id: AGENT, device_code: strong['device_code']! }
      assert.deepEqual(strengthIn(await introspected(world, await client.token(given))), PASSKEY)
      const fresh = await codes({ max_age: '500' })
      clock.pass(200)
      assert.deepEqual(await type(fresh['user_code']!), [200, true])
      clock.pass(301)
      assert.deepEqual(await type(fresh['user_code']!), [403, false])
      await byPassword(alice)
      assert.deepEqual(await type(fresh['user_code']!), [200, true])
      for (const wrong of [
        'max_age=-1',
        'max_age=soon',
        'max_age=1&max_age=2',
        'acr_values=',
        'acr_values=a%00b',
        'acr_values=a&acr_values=b',
      ])
        assert.equal((await ask(new URLSearchParams(wrong))).status, 400, wrong)
    })

    it('is in the token where a passkey was used, and of no other sign-in', async (world) => {
      const { alice } = world
      const client = oauthClient(world)
      const device = await withPasskey(world)
      const weak = await client.signIn(alice, { clientId: AGENT, scope }, { resource: client.audience })
      assert.deepEqual(strengthIn(decodeJwt(weak.id_token!)), NONE)
      assert.deepEqual(strengthIn(decodeJwt(weak.access_token)), NONE)
      assert.deepEqual(strengthIn(await introspected(world, weak)), NONE)
      await byPasskey(world, device)
      const strong = await client.signIn(alice, { clientId: AGENT, scope }, { resource: client.audience })
      for (const told of [
        decodeJwt(strong.id_token!),
        decodeJwt(strong.access_token),
        await introspected(world, strong),
      ])
        assert.deepEqual(strengthIn(told), PASSKEY)
      const refreshed = await client.refresh(AGENT, strong.refresh_token)
      assert.deepEqual(strengthIn(decodeJwt(refreshed.id_token!)), PASSKEY)
    })

    it('leads to a sign-in with a passkey where a client asks for that, with openid or without, pushed or not', async (world) => {
      const { alice } = world
      const client = oauthClient(world)
      const device = await withPasskey(world)
      for (const asked of [scope, 'library:read']) {
        const request = { clientId: AGENT, scope: asked, more: { acr_values: 'urn:example:other phr' } }
        await byPassword(alice)
        const { to } = await client.authorize(alice, request)
        assert.equal(to?.pathname, '/oauth/sign-in', asked)
        const page = await alice.request(`/oauth/sign-in${to.search}`)
        assert.doesNotMatch(await page.text(), /name="password"/)
        const form = new URLSearchParams(client.request(request, client.newVerifier()))
        const pushed = (await (await client.post('/api/auth/oauth2/par', form)).json()) as { request_uri: string }
        const query = new URLSearchParams({ client_id: AGENT, request_uri: pushed.request_uri })
        assert.equal((await client.authorize(alice, query)).to?.pathname, '/oauth/sign-in', asked)
        await byPasskey(world, device)
        const strong = await client.signIn(alice, request)
        assert.equal((await introspected(world, strong))['acr'], 'phr')
      }
    })

    it('is said to be missing where no page may be shown, and a value that no one can show is a wish', async (world) => {
      const { alice } = world
      const client = oauthClient(world)
      await withPasskey(world)
      const silent = { acr_values: 'phr', prompt: 'none' }
      const { to } = await client.authorize(alice, { clientId: AGENT, scope, more: silent })
      assert.equal(to?.searchParams.get('error'), 'unmet_authentication_requirements')
      const other = await client.signIn(alice, {
        clientId: AGENT,
        scope,
        more: { acr_values: 'phrh urn:example:gold' },
      })
      assert.deepEqual(strengthIn(decodeJwt(other.id_token!)), NONE)
    })

    it('is not had by asking, by a wrong way in, or by a passkey that is used or taken away later', async (world) => {
      const { alice } = world
      const client = oauthClient(world)
      const device = await withPasskey(world)
      const forged = {
        acr: 'phr',
        amr: 'pop user',
        acr_asked: 'phr0',
        by_passkey: 'true',
        claims: '{"id_token":{"acr":{"value":"phr"}}}',
      }
      const first = await client.signIn(
        alice,
        { clientId: AGENT, scope, more: forged },
        { acr: 'phr', acr_values: 'phr' },
      )
      assert.deepEqual(strengthIn(decodeJwt(first.id_token!)), NONE)
      const { to } = await client.authorize(alice, { clientId: AGENT, scope, more: { acr_values: 'phr' } })
      const typed = { how: 'password', email: alice.email, password: PASSWORD, oauth_query: to!.search.slice(1) }
      const { headers } = await alice.request('/oauth/sign-in', {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(typed).toString(),
      })
      const next = await alice.request(headers.get('location')!.replace(/^https?:[/][/][^/]+/, ''))
      assert.match(next.headers.get('location')!, /[/]oauth[/]sign-in[?]/)

      const options = await alice.reauthentication.beginPasskey({})
      await alice.reauthentication.confirmWithPasskey({ response: device.get(options) })
      const refreshed = await client.refresh(AGENT, first.refresh_token)
      assert.deepEqual(strengthIn(decodeJwt(refreshed.id_token!)), NONE, 'it was let in before')
      assert.deepEqual(strengthIn(await introspected(world, refreshed)), NONE)

      const page = (await client.authorize(alice, { clientId: AGENT, scope, more: { acr_values: 'phr' } })).to!
      assert.equal(page.pathname, '/oauth/consent', 'it is confirmed now')
      const [passkey] = await world.db.selectFrom('passkey').select('id').execute()
      await alice.passkeys.remove({ id: passkey!.id })
      await client.decide(alice, page)
      const grants = await world.db.selectFrom('grant').select('acr').execute()
      assert.deepEqual(
        grants.map(({ acr }) => acr),
        [null, null],
      )
    })

    it('is of its session alone: a page that was signed for another one decides nothing', async (world) => {
      const { alice } = world
      const client = oauthClient(world)
      const device = await withPasskey(world)
      await byPasskey(world, device)
      const { to } = await client.authorize(alice, { clientId: AGENT, scope, more: { acr_values: 'phr' } })
      assert.equal(to?.pathname, '/oauth/consent')
      await byPassword(alice)
      await assert.rejects(client.decide(alice, to), /^Error: 4/)
    })

    it('is asked of a token that adds a key, where the account has a passkey', async (world) => {
      const { alice } = world
      const client = oauthClient(world)
      const device = await withPasskey(world)
      const addKey = ({ access_token }: TokenAnswer) =>
        client.send('/api/library/keys', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${access_token}` },
          body: JSON.stringify({ name: 'Laptop', public_key: randomBytes(32).toString('base64') }),
        })
      const refused = await addKey(await client.signIn(alice, { clientId: AGENT, scope }))
      assert.equal(refused.status, 403)
      const challenge = refused.headers.get('www-authenticate') ?? ''
      assert.match(challenge, /error="insufficient_user_authentication", max_age="600", acr_values="phr"/)
      await byPasskey(world, device)
      const more = { acr_values: 'phr', max_age: '600' }
      const strong = await client.signIn(alice, { clientId: AGENT, scope, more })
      assert.equal((await addKey(strong)).status, 201)
      world.clock.pass(601)
      const late = await addKey(await client.refresh(AGENT, strong.refresh_token))
      assert.match(late.headers.get('www-authenticate') ?? '', /max_age="600", resource_metadata/)
    })

    it('is in the metadata while one can be asked for', async (world) => {
      const supported = async () => {
        const answer = await oauthClient(world).send('/.well-known/openid-configuration')
        return ((await answer.json()) as { acr_values_supported: string[] }).acr_values_supported
      }
      assert.deepEqual(await supported(), ['phr'])
      assert.deepEqual(strengthsOf({ signIn: 'external' }), [])
    })
  },
  { RESOURCE_SERVERS: JSON.stringify([SERVER]) },
)
