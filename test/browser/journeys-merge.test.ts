// Two people and a moderator, with script and without: what exists already is shown before it is written again.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skip } from './chromium.ts'
import { type Site, visit, withSite } from './site.ts'

type Journey = (site: Site, scripted: boolean) => Promise<void>

const journeys: Record<string, Journey> = {
  async 'see what exists already, and write it all the same'(site, scripted) {
    const { alice } = site.world
    const first = await alice.features.create({ title: 'Pause a workflow', description: 'During holidays' })
    const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
    await open('/community/features/new')
    const shown = page.locator('[data-similar-things]')
    assert.equal(await shown.isVisible(), false)
    await page.getByLabel('Title').pressSequentially('Pause workflows')
    if (scripted) await shown.getByRole('link', { name: 'Pause a workflow' }).waitFor()
    await page.getByLabel('Description').fill('At night')
    const submit = page.getByRole('button', { name: 'Submit request' })
    if (!scripted) {
      await submit.click()
      const link = shown.getByRole('link', { name: 'Pause a workflow' })
      assert.equal(await link.getAttribute('href'), `/community/features/${first.id}`)
      assert.equal(await page.getByLabel('Title').inputValue(), 'Pause workflows')
      assert.equal(await page.getByLabel('Description').inputValue(), 'At night')
    }
    await submit.click()
    await page.getByRole('heading', { name: 'Pause workflows' }).waitFor()
    checkComplaints()
  },
}

describe('people and a moderator', { skip }, () => {
  for (const scripted of [true, false]) {
    for (const [sentence, journey] of Object.entries(journeys)) {
      it(`${scripted ? 'with' : 'without'} script ${sentence}`, () => withSite((site) => journey(site, scripted)))
    }
  }
})
