// The page on which admins register apps with a secret, as a browser without script uses it.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { startIdentityProvider } from './identity-provider.ts'
import { type SecretApp, show } from './secret-app.ts'
import { onEveryEngine } from './world.ts'

const PAGE = '/admin/apps'
const idp = await startIdentityProvider()
const PROVIDERS = [{ issuer: idp.issuer, jwks: idp.jwks, emailDomains: ['example.com'] }]

onEveryEngine(
  'the page of apps with a secret',
  (it) => {
    it('registers one whose secret is shown once, makes a new secret, and ends it', async (world) => {
      const { admin } = world
      await admin.account()
      const secretIn = (page: string) => /gclient_[\w-]{20,}/.exec(page)?.[0] ?? ''
      const status = async (one: SecretApp) => (await show(world, idp, one)).status
      const form = { name: 'Inspector', method: 'client_secret_post' }
      const made = await (await submit(admin, `${PAGE}?/create`, form)).text()
      const [listed] = (await admin.secretClients.list()).items
      const app = { ...listed!, secret: secretIn(made) }
      assert.ok(made.includes(app.id))
      assert.equal(await status(app), 200)
      const page = await (await admin.request(PAGE)).text()
      assert.deepEqual([secretIn(page), page.includes('Inspector')], ['', true])
      const again = await (await submit(admin, `${PAGE}?/rotate`, { id: app.id, overlapHours: '0' })).text()
      const rotated = { ...app, secret: secretIn(again) }
      assert.deepEqual([await status(app), await status(rotated)], [401, 200])
      assert.match(await (await submit(admin, `${PAGE}?/end`, { id: app.id, name: 'Inspector' })).text(), /is ended/)
      assert.equal(await status(rotated), 401)
    })

    it('is for admins, also in German', async ({ admin, moderator, alice, anonymous }) => {
      for (const other of [alice, moderator]) assert.notEqual((await other.request(PAGE)).status, 200)
      assert.notEqual((await anonymous.request(PAGE, { redirect: 'manual' })).status, 200)
      const headers = { 'Accept-Language': 'de', Accept: 'text/html' }
      assert.match(await (await admin.request(PAGE, { headers })).text(), /Noch gibt es keine App mit Geheimnis/)
    })
  },
  { IDENTITY_PROVIDERS: JSON.stringify(PROVIDERS) },
)
