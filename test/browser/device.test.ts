// A device without a browser is allowed in one: signed in on the way, with and without script, and nothing for axe to find.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { DEVICE_GRANT } from '../../src/oauth/rules.ts'
import { AGENT, oauthClient } from '../oauth.ts'
import { skip } from './chromium.ts'
import { PASSWORD, type Site, type Visitor, visit, withSite } from './site.ts'

const FOLDER = join(import.meta.dirname, '../../screenshots')

interface Codes {
  device_code: string
  user_code: string
  verification_uri_complete: string
}

async function ask({ world, origin }: Site): Promise<Codes> {
  const body = new URLSearchParams({ client_id: AGENT, scope: 'library:read library:write offline_access' }).toString()
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'User-Agent': 'guildhall (Linux)' }
  const request = new Request(`${origin}/api/auth/oauth2/device_authorization`, { method: 'POST', headers, body })
  return (await (await world.app.fetch(request)).json()) as Codes
}

async function assertSound({ page }: Visitor, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  assert.deepEqual(
    violations.map(({ id }) => id),
    [],
  )
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0)
}

describe('connecting a device', { skip }, () => {
  for (const [scheme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    it(`leads from the code to a decision, ${scheme}, ${width} px wide`, async () => {
      await withSite(async (site) => {
        const codes = await ask(site)
        // axe runs in the page, so that one has script; the other tests of these forms send them without.
        const visitor = await visit(site, { scheme, width, name: 'mira' })
        const { page } = visitor
        await visitor.context.request.post('/api/auth/sign-out', { data: {} })
        await visitor.open(codes.verification_uri_complete)
        assert.match(page.url(), /\/sign-in\?to=/)
        await page.getByLabel('Email').first().fill('mira@example.com')
        await page.getByLabel('Password').first().fill(PASSWORD)
        await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
        await page.getByRole('heading', { name: 'Connect a device' }).waitFor()
        assert.equal(await page.getByLabel('Code').inputValue(), codes.user_code)
        await assertSound(visitor, `device-code-${scheme}-${width}`)
        await page.getByRole('button', { name: 'Continue' }).click()
        await page.getByText('wants to use your account').waitFor()
        await page.getByText('Linux in the network').waitFor()
        await page.getByRole('group', { name: 'Limits' }).getByRole('radio').last().check()
        await assertSound(visitor, `device-decide-${scheme}-${width}`)
        await page.getByRole('button', { name: 'Allow' }).click()
        await page.getByRole('heading', { name: 'Your device is connected' }).waitFor()
        await assertSound(visitor, `device-done-${scheme}-${width}`)
        visitor.checkComplaints()
        const form = { grant_type: DEVICE_GRANT, device_code: codes.device_code, client_id: AGENT }
        assert.equal((await oauthClient(site.world).token(form)).status, 200)
      })
    })
  }
})
