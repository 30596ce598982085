// Every way to sign in makes the browser a known one.
import assert from 'node:assert/strict'
import { Authenticator } from '../../test/authenticator.ts'
import { submit } from '../../test/form.ts'
import { oauthClient } from '../../test/oauth.ts'
import { register } from '../../test/passkeys.ts'
import { newBrowser } from '../../test/visitors.ts'
import { onEveryEngine, type Person, type World } from '../../test/world.ts'

const PASSWORD = 'alice has a password'
const NEW = 'an entirely new password'

interface Way {
  world: World
  browser: Person
  email: string
}

async function mailed({ world, browser, email }: Way): Promise<string> {
  await browser.accounts.sendCode({ email })
  return world.code(email)
}

/** The sign-in page on the way to an agent's consent, as its form is sent. */
async function onTheWayToConsent({ world, browser, email }: Way, fields: Record<string, string>): Promise<void> {
  const client = oauthClient(world)
  const { to } = await client.authorize(browser, { clientId: await client.register() })
  const answer = await submit(browser, '/oauth/sign-in', { ...fields, email, oauth_query: to!.search.slice(1) })
  assert.equal(answer.status, 303)
}

const ways: Record<string, (way: Way) => Promise<unknown>> = {
  'a password': ({ browser, email }) => browser.accounts.signIn({ email, password: PASSWORD }),
  'a mailed code': async (way) => way.browser.accounts.signInWithCode({ email: way.email, code: await mailed(way) }),
  async 'a passkey'({ world, browser }) {
    const device = new Authenticator()
    await register(world.alice, device)
    return browser.passkeys.signIn({ response: device.get(await browser.passkeys.beginSignIn({})) })
  },
  async 'a new password by mail'({ world, browser, email }) {
    await browser.accounts.forgotPassword({ email })
    return browser.accounts.resetPassword({ email, code: await world.code(email), password: NEW })
  },
  async 'another password'({ world, browser, email }) {
    await browser.accounts.signIn({ email, password: PASSWORD })
    await world.db.updateTable('session').set({ device: null }).execute()
    return browser.accounts.changePassword({ password: PASSWORD, newPassword: NEW })
  },
  'the sign-in page': ({ browser, email }) => submit(browser, '/sign-in?/password', { email, password: PASSWORD }),
  async 'the sign-in page with a code'(way) {
    const code = await mailed(way)
    return submit(way.browser, '/sign-in?/verify', { email: way.email, code })
  },
  'the sign-in page on the way to consent': (way) => onTheWayToConsent(way, { password: PASSWORD }),
  'the same with a code': async (way) => onTheWayToConsent(way, { how: 'code', code: await mailed(way) }),
}

onEveryEngine('the browser one signed in with', (it) => {
  for (const [name, comeIn] of Object.entries(ways)) {
    it(`is known after ${name}`, async (world) => {
      const { email } = await world.alice.account()
      const browser = newBrowser(world)
      await comeIn({ world, browser, email })
      const { items } = await browser.sessions.list()
      assert.equal(items.find(({ current }) => current)?.device, 'Firefox on Linux')
    })
  }

  it('is known from signing up on', async (world) => {
    const fields = { name: 'Mira', email: 'mira@example.com', password: PASSWORD }
    const [byApi, onSite] = [newBrowser(world), newBrowser(world)]
    await byApi.accounts.signUp(fields)
    await submit(onSite, '/sign-up?/create', { ...fields, email: 'mara@example.com' })
    for (const browser of [byApi, onSite]) {
      assert.deepEqual(
        (await browser.sessions.list()).items.map(({ device }) => device),
        ['Firefox on Linux'],
      )
    }
  })
})
