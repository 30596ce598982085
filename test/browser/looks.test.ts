// Colours are typed on the page of looks: their contrast shows at once, and the server refuses what cannot be read.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skip } from './chromium.ts'
import { visit, withSite } from './site.ts'

describe('the page of looks', { skip }, () => {
  it('shows the contrast of colours while they are typed, in the language of the page', async () => {
    await withSite(async (site) => {
      const { page, open } = await visit(site, { name: 'ada', role: 'admin' })
      await open('/admin/looks')
      const lines = () => page.locator('[data-contrast]').allInnerTexts()
      const before = await lines()
      assert.equal(before.length, 4)
      const accent = page.locator('[name="ACCENT"]')
      await accent.fill('#ffff0')
      await accent.press('0')
      await page.waitForFunction(
        (old) => document.querySelector('[data-contrasts]')?.textContent !== old,
        before.join(''),
      )
      const shown = await lines()
      assert.notDeepEqual(shown, before)
      assert.match(shown.join(), /Light pages: [\d.]+:1, at least 4\.5:1/)
      await accent.fill('#ff')
      assert.deepEqual(await lines(), shown)
    })
  })
})
