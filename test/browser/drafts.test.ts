// A release that waits: its author writes, looks and publishes, with script and without; until then it is not there for others.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skip } from './chromium.ts'
import { type Site, visit, withSite } from './site.ts'

async function keepAndPublish(site: Site, scripted: boolean): Promise<void> {
  const bug = await site.world.alice.bugs.create({ title: 'Crash', description: 'At start', severity: 'high' })
  const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara', role: 'moderator' })
  await open('/community/changelog/new')
  await page.getByLabel('Title').fill('It starts again')
  await page.getByLabel('Closes').fill(`#${bug.number}`)
  await page.getByLabel('Text').fill('The *first* draft.')
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await page.getByText('This is a draft').waitFor()
  assert.equal(await page.getByText('Released on').count(), 0)
  const address = new URL(page.url()).pathname

  const reader = await visit(site, { scripted, name: 'vera' })
  assert.equal((await reader.page.goto(address))?.status(), 404)
  await reader.open('/community/changelog')
  assert.equal(await reader.page.getByText('It starts again').count(), 0)
  assert.equal((await site.world.anonymous.bugs.get({ id: bug.id })).status, 'open')

  await open('/community/changelog')
  await page.getByText('Drafts').first().click()
  await page.getByRole('link', { name: 'It starts again' }).click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByText('It stays a draft until you publish it.').waitFor()
  await page.getByLabel('Text').fill('The *second* draft.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The second draft.').waitFor()
  await page.getByRole('button', { name: 'Publish release' }).click()
  await page.getByText('This is a draft').waitFor({ state: 'detached' })
  await page.getByText('Released on').waitFor()
  checkComplaints()

  await reader.open(address)
  await reader.page.getByText('The second draft.').waitFor()
  assert.equal((await site.world.anonymous.bugs.get({ id: bug.id })).status, 'resolved')
}

describe('a draft of a release', { skip }, () => {
  for (const scripted of [true, false]) {
    it(`is kept, edited and published ${scripted ? 'with' : 'without'} script`, () =>
      withSite((site) => keepAndPublish(site, scripted)))
  }
})
