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

  async 'merge what is there twice, find it at its old address, and undo that'(site, scripted) {
    const { alice, bob } = site.world
    const [target, source] = [
      await alice.features.create({ title: 'Pause a workflow', description: 'During holidays' }),
      await bob.features.create({ title: 'Stop workflows', description: 'At **night**' }),
    ]
    await alice.features.vote({ id: source.id, value: 1 })
    await alice.features.vote({ id: target.id, value: 1 })
    await bob.features.vote({ id: source.id, value: 1 })
    await alice.features.comment({ id: source.id, body: 'So do I' })
    const moderator = await visit(site, { scripted, name: 'mara', role: 'moderator' })
    await moderator.open(`/community/features/${source.id}`)
    await moderator.page.getByText('Merge into another request').click()
    const card = moderator.page.locator('form[action="?/merge"]')
    await card.getByLabel('Number of the other one').fill('#999')
    await card.getByLabel('Reason').fill('The same wish')
    await card.getByRole('button', { name: 'Merge' }).click()
    await moderator.page.getByText('Nothing has this number').waitFor()
    assert.equal(await card.getByLabel('Reason').inputValue(), 'The same wish')
    await card.getByLabel('Number of the other one').fill(`#${target.number}`)
    await card.getByRole('button', { name: 'Merge' }).click()
    await moderator.page.waitForURL(`**/community/features/${target.number}-*`)
    moderator.checkComplaints()
    const { page, open, checkComplaints } = await visit(site, { scripted })
    await open(`/community/features/${source.id}`)
    await page.waitForURL(`**/community/features/${target.number}-*`)
    await open(`/community/${source.number}`)
    await page.waitForURL(`**/community/features/${target.number}-*`)
    assert.match((await page.locator('.vote').first().textContent()) ?? '', /2/)
    await page.locator('#comments').getByText('So do I').waitFor()
    const merged = page.locator('#merged')
    await merged.getByText('The same wish').waitFor()
    await merged.getByText('Stop workflows').click()
    await merged.locator('strong', { hasText: 'night' }).waitFor()
    await open('/community/roadmap')
    const column = page.locator('.roadmap > section', { has: page.getByRole('heading', { name: 'Open' }) })
    assert.equal(await column.locator('.entry').count(), 1)
    assert.match((await column.locator('.vote').textContent()) ?? '', /2/)
    await column.getByRole('link', { name: 'Pause a workflow' }).waitFor()
    const atom = await page.request.get(`/community/features/${source.id}.atom`)
    assert.match(atom.url(), new RegExp(`/community/features/${target.number}-[a-z-]+\\.atom$`))
    assert.equal(atom.status(), 200)
    assert.equal(await merged.getByText('Undo this merge').count(), 0)
    checkComplaints()
    await moderator.page.reload()
    await moderator.page.getByText('Undo this merge').click()
    await moderator.page.locator('#merged').getByLabel('Reason').fill('Another wish')
    await moderator.page.getByRole('button', { name: `Undo the merge of #${source.number}` }).click()
    await moderator.page.waitForURL(`**/community/features/${source.number}-*`)
    await moderator.page.getByRole('heading', { name: 'Stop workflows' }).waitFor()
    await moderator.page.locator('#comments').getByText('So do I').waitFor()
    assert.match((await moderator.page.locator('.vote').first().textContent()) ?? '', /2/)
    moderator.checkComplaints()
  },

  async 'publish a release, and hear of what they voted for'(site, scripted) {
    const { alice } = site.world
    const wish = await alice.features.create({ title: 'Pause a workflow', description: 'During holidays' })
    const voter = await visit(site, { scripted, name: 'vera' })
    await voter.open(`/community/features/${wish.id}`)
    await voter.page
      .getByRole('button', { name: /Vote up|Up/ })
      .first()
      .click()
    await voter.page.locator('.vote [aria-pressed="true"]').first().waitFor()
    await voter.open('/community/changelog')
    assert.equal(await voter.page.getByRole('link', { name: 'New release' }).count(), 0)
    assert.equal((await voter.page.goto('/community/changelog/new'))?.status(), 403)
    const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara', role: 'admin' })
    await open('/changelog')
    await page.getByRole('link', { name: 'New release' }).first().click()
    await page.getByLabel('Title').fill('Workflows can be paused')
    await page.getByLabel('Version').fill('2.4.0')
    await page.getByLabel('Closes').fill('#999')
    await page.getByLabel('Text').fill('A **paused** workflow keeps its place.')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Nothing has the number 999').waitFor()
    assert.equal(await page.getByLabel('Version').inputValue(), '2.4.0')
    await page.getByLabel('Closes').fill(`#${wish.number}`)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('heading', { name: 'Workflows can be paused' }).waitFor()
    await page.getByText('Version 2.4.0').waitFor()
    await page.getByRole('link', { name: `#${wish.number} Pause a workflow` }).click()
    await page.locator('#comments').getByText('Released with #').waitFor()
    await open('/community/roadmap')
    const shipped = page.locator('.roadmap > section', { has: page.getByRole('heading', { name: 'Shipped' }) })
    await shipped.getByRole('link', { name: 'Pause a workflow' }).waitFor()
    checkComplaints()
    await site.world.app.deliver()
    await voter.open('/notifications')
    const told = voter.page.locator('#inbox')
    await told.getByText('shipped it').waitFor()
    await told.getByRole('button', { name: 'Pause a workflow', exact: true }).click()
    await voter.page.waitForURL(`**/community/features/${wish.number}-*`)
  },
}

describe('people and a moderator', { skip }, () => {
  for (const scripted of [true, false]) {
    for (const [sentence, journey] of Object.entries(journeys)) {
      it(`${scripted ? 'with' : 'without'} script ${sentence}`, () => withSite((site) => journey(site, scripted)))
    }
  }
})
