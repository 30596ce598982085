// A moderator selects rows of a list and changes them at once: by keys and the mouse, and without script.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skip } from './chromium.ts'
import { type Site, visit, withSite } from './site.ts'

async function makeBugs({ world: { alice } }: Site): Promise<string[]> {
  const ids = []
  for (let n = 1; n <= 5; n++) {
    ids.unshift((await alice.bugs.create({ title: `Lamp ${n}`, description: 'It blinks', severity: 'low' })).id)
  }
  return ids
}

describe('several rows of a list', { skip }, () => {
  it('are selected by keys, by a range and by none, and changed at once', () =>
    withSite(async (site) => {
      const ids = await makeBugs(site)
      const visitor = await visit(site, { name: 'mara', role: 'moderator', width: 1440 })
      const { page } = visitor
      await visitor.open('/community/bugs')
      const box = (n: number) => page.getByRole('checkbox', { name: `Select Lamp ${n}` })
      const selected = () => page.locator('input.pick:checked').count()
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      await box(5).and(page.locator(':checked')).waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      await box(4).and(page.locator(':checked')).waitFor()
      await page.keyboard.press('x')
      await box(4).and(page.locator(':not(:checked)')).waitFor()
      await page.keyboard.press('Escape')
      await page.waitForFunction(() => document.querySelectorAll('input.pick:checked').length === 0)
      await box(4).click()
      await page.locator('[data-many-count]', { hasText: '1' }).waitFor()
      await box(2).click({ modifiers: ['Shift'] })
      await page.locator('[data-many-count]', { hasText: '3' }).waitFor()
      assert.equal(await selected(), 3)
      await page.getByRole('combobox', { name: 'Choose what to do' }).selectOption('set:status:resolved')
      await page.getByRole('button', { name: 'Apply to selected' }).click()
      await page.getByText('Done: 3 of 3').waitFor()
      const { items } = await site.world.anonymous.bugs.list({ status: 'resolved' })
      assert.deepEqual(
        items.map(({ id }) => id),
        ids.slice(1, 4),
      )
      visitor.checkComplaints()
    }))

  it('are changed without script, with the filters of the list', () =>
    withSite(async (site) => {
      await makeBugs(site)
      const visitor = await visit(site, { name: 'mara', role: 'moderator', scripted: false })
      const { page } = visitor
      await visitor.open('/community/bugs?severity=low&status=open')
      for (const n of [1, 3]) await page.getByRole('checkbox', { name: `Select Lamp ${n}` }).check()
      await page.getByRole('combobox', { name: 'Choose what to do' }).selectOption('set:status:wontfix')
      await page.getByRole('button', { name: 'Apply to selected' }).click()
      await page.getByText('Done: 2 of 2').waitFor()
      assert.equal(await page.locator('.entries > li').count(), 3)
      await page.getByRole('link', { name: 'Remove the filter Status: Open' }).click()
      assert.equal(new URL(page.url()).search, '?severity=low')
      assert.equal(await page.locator('.entries > li').count(), 5)
      visitor.checkComplaints()
    }))
})
