// A personal access token is made and revoked on the settings page, without script; with it, axe finds nothing on either step.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { oauthClient } from '../oauth.ts'
import { skip } from './chromium.ts'
import { visit, withSite } from './site.ts'

describe('personal access tokens', { skip }, () => {
  for (const scripted of [true, false]) {
    it(`are made, shown once and revoked ${scripted ? 'with' : 'without'} script`, async () => {
      await withSite(async (site) => {
        const visitor = await visit(site, { scripted, name: 'mira' })
        const { page } = visitor
        await visitor.open('/settings/tokens')
        await page.getByLabel('Name', { exact: true }).fill('Nightly backup')
        await page.getByLabel('Read the community as you').check()
        await page.getByLabel('Expires after').selectOption('7')
        await page.getByRole('button', { name: 'Create token' }).click()
        await page.getByText('is not shown again').waitFor()
        const token = await page.locator('.copy code').first().textContent()
        assert.match(token!, /^gpat_/)
        assert.equal((await oauthClient(site.world).call(token!)).status, 200)
        if (scripted) {
          const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
          assert.deepEqual(
            violations.map(({ id }) => id),
            [],
          )
        }
        await visitor.open('/settings/tokens')
        assert.equal(await page.getByText(token!).count(), 0)
        assert.equal(await page.getByText('Last used').count(), 1)
        await page.getByText('Revoke', { exact: true }).click()
        await page.getByRole('button', { name: 'Revoke Nightly backup' }).click()
        await page.getByText('no longer works').waitFor()
        assert.equal((await oauthClient(site.world).call(token!)).status, 401)
      })
    })
  }
})
