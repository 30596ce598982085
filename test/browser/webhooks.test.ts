// Webhooks in a browser, with script and without: added, tested, seen in the log, sent again, given a new secret, and removed.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { home, isSigned, receiving } from '../webhook-receiver.ts'
import { skip } from './chromium.ts'
import { type Site, type Visitor, visit, withSite } from './site.ts'

const shownSecret = async ({ page }: Visitor) => (await page.locator('.copy code').textContent()) ?? ''
const press = ({ page }: Visitor, name: string) => page.getByRole('button', { name, exact: true }).click()

for (const scripted of [true, false]) {
  describe(`an admin, ${scripted ? 'with' : 'without'} script,`, { skip }, () => {
    it('adds a webhook, tests it, reads its log, and removes it', () =>
      receiving((receiver) =>
        withSite(async (site: Site) => {
          site.world.dependencies.reach = home
          const { app } = site.world
          const admin = await visit(site, { scripted, name: 'mara', role: 'admin' })
          const { page } = admin
          await admin.open('/admin')
          await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
          await page.getByLabel('Address').fill('https://10.0.0.1/hook')
          await page.getByLabel('Bug filed').check()
          await press(admin, 'Add webhook')
          await page.getByText('This is not a public address').waitFor()
          assert.equal(await page.getByLabel('Bug filed').isChecked(), true)
          await page.getByLabel('Address').fill(receiver.url)
          await press(admin, 'Add webhook')
          await page.getByText('Copy its secret now').waitFor()
          const secret = await shownSecret(admin)
          assert.match(secret, /^whsec_/)
          // Loaded again, the page neither shows the secret nor adds another one.
          await page.reload()
          assert.equal(await page.getByText(secret).count(), 0)
          await admin.open('/admin/webhooks')
          assert.equal(await page.getByRole('link', { name: receiver.url }).count(), 1)
          await page.getByRole('link', { name: receiver.url }).click()
          await press(admin, 'Send a test')
          await page.getByText('The test is on its way').waitFor()
          await app.sendWebhooks()
          await page.reload()
          await page.getByText('Status 204').waitFor()
          await page.locator('summary', { hasText: 'Details' }).click()
          await page.getByRole('button', { name: /^Send .* again$/ }).click()
          await page.getByText('The delivery is on its way').waitFor()
          await app.sendWebhooks()
          await page.getByText('New secret', { exact: true }).first().click()
          await page.getByRole('button', { name: 'New secret', exact: true }).click()
          await page.getByText('Copy its secret now').waitFor()
          const next = await shownSecret(admin)
          assert.notEqual(next, secret)
          assert.equal(receiver.arrived.length, 2)
          for (const arrived of receiver.arrived) assert.ok(isSigned(arrived, secret))
          await press(admin, 'Disable')
          await page.getByText('The webhook is disabled').waitFor()
          await press(admin, 'Enable')
          await page.getByText('The webhook is enabled').waitFor()
          await page.getByText('Remove webhook', { exact: true }).first().click()
          await page.getByRole('button', { name: 'Remove webhook', exact: true }).click()
          await page.getByText('No webhooks').waitFor()
          admin.checkComplaints()
        }),
      ))
  })
}
