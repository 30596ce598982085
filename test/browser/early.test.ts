// What is pressed or typed while a part of the script is still on its way.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { skip } from './chromium.ts'
import { visit, withSite } from './site.ts'
import { fieldOf, NEW } from './writing.ts'

const orgJson = JSON.stringify({
  name: 'Invoice desk',
  roles: [
    { id: 'lead', title: 'Lead' },
    { id: 'matcher', title: 'Matcher', reports_to: 'lead', responsibilities: ['three-way match'] },
  ],
})

/** Holds scripts back from now on; gives what lets them come. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

describe('before the script has come', { skip }, () => {
  it('a tap on a role of the chart opens it when the chart is ready, and the page stays where it is', () =>
    withSite(async (site) => {
      await site.world.alice.orgs.create({ orgJson })
      const { page, open, checkComplaints } = await visit(site, { touch: true })
      await open('/community/orgs/invoice-desk')
      const arrive = await holdScripts(page)
      await page.getByRole('link', { name: /^Matcher/ }).tap()
      await page.waitForTimeout(200)
      arrive()
      const panel = page.getByRole('region', { name: 'Role', exact: true })
      await panel.getByText('three-way match').first().waitFor()
      assert.match(page.url(), /\/invoice-desk$/)
      checkComplaints()
    }))

  it('a tap on a role leads to it where the chart does not come', () =>
    withSite(async (site) => {
      await site.world.alice.orgs.create({ orgJson })
      const { page, open } = await visit(site, { touch: true })
      await open('/community/orgs/invoice-desk')
      await page.route('**/*.js', (route) => route.abort())
      await page.getByRole('link', { name: /^Matcher/ }).tap()
      await page.waitForURL(/#/)
    }))

  it('a name that was begun has its suggestions, whether the editor or all of the script is missing', () =>
    withSite(async (site) => {
      await visit(site, { name: 'mirabel' })
      const { page, open, checkComplaints } = await visit(site, { name: 'mara' })
      await site.world.app.deliver()
      const suggested = page.getByRole('option', { name: /mirabel/ })
      await open(NEW)
      const arrive = await holdScripts(page)
      await fieldOf(page).click()
      await page.keyboard.type('By @mirab')
      await page.waitForTimeout(200)
      arrive()
      await suggested.waitFor()
      await page.keyboard.press('Enter')
      assert.equal(await fieldOf(page).inputValue(), 'By @mirabel ')
      await page.unrouteAll()
      const come = await holdScripts(page)
      await page.goto(NEW, { waitUntil: 'commit' })
      await fieldOf(page).click()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('By @mirab')
      come()
      await suggested.waitFor()
      await page.getByText('Draft saved').waitFor()
      checkComplaints()
    }))
})
