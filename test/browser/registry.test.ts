// The life of an item in a browser, with script and without: its versions, yanks, deprecation, names, and what it uses.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { automationFile, orgFile, workflowFile } from '../library.ts'
import { newBrowser } from '../visitors.ts'
import { skip } from './chromium.ts'
import { PASSWORD, type Site, visit, withSite } from './site.ts'

type Journey = (site: Site, scripted: boolean) => Promise<void>

/** A visitor, and the same account by the API. */
async function owner(site: Site, scripted: boolean) {
  const visitor = await visit(site, { scripted, name: 'mara' })
  const api = newBrowser(site.world)
  await api.accounts.signIn({ email: 'mara@example.com', password: PASSWORD })
  return { ...visitor, api }
}

const journeys: Record<string, Journey> = {
  async 'read about a version, yank it with a reason, and take that back'(site, scripted) {
    const { page, open, checkComplaints, api } = await owner(site, scripted)
    const changelog = '- Reads **more** sites'
    const { id, slug } = await api.library.publish({
      kind: 'workflow',
      visibility: 'public',
      file: workflowFile(),
      changelog,
    })
    await api.library.publishVersion({ id, file: workflowFile({ n: 1 }) })
    const path = `/library/workflows/${slug}`
    await open(path)
    await page.getByRole('region', { name: 'Versions' }).getByRole('link', { name: '1.0.0', exact: true }).click()
    await page.waitForURL(`**${path}/versions/1.0.0`)
    await page.getByRole('heading', { level: 1, name: /1\.0\.0$/ }).waitFor()
    assert.equal(await page.locator('.prose strong').textContent(), 'more')
    await page.getByText('0 downloads').waitFor()
    await page.getByRole('link', { name: 'The current version is 1.0.1' }).waitFor()
    await page.getByRole('link', { name: 'Download 1.0.0' }).waitFor()
    await open(`${path}/versions/1.0.1`)
    await page.getByLabel('Reason').fill('It sends every mail twice')
    await page.getByRole('button', { name: 'Yank 1.0.1', exact: true }).click()
    await page.getByText('This version was yanked').waitFor()
    await page.getByText('“It sends every mail twice”').waitFor()
    const visitor = await visit(site, { scripted })
    await visitor.open(path)
    await visitor.page.getByText('Version 1.0.0', { exact: true }).waitFor()
    await visitor.page.locator('tr', { hasText: '1.0.1' }).locator('.badge').waitFor()
    await visitor.open(`${path}/versions/1.0.1`)
    await visitor.page.getByText('“It sends every mail twice”').waitFor()
    assert.equal(await visitor.page.getByRole('button', { name: /yank/i }).count(), 0)
    await page.getByRole('button', { name: 'Take back the yank of 1.0.1' }).click()
    await page.getByText('the current version', { exact: true }).waitFor()
    assert.equal((await api.library.get({ id })).version, '1.0.1')
    for (const one of [visitor.checkComplaints, checkComplaints]) one()
  },

  async 'deprecate an item with a successor, fix what was typed wrongly, and take it back'(site, scripted) {
    const { page, open, checkComplaints, api } = await owner(site, scripted)
    const publish = (name: string) =>
      api.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile({ name }) })
    const [old, better] = [await publish('Old digest'), await publish('Better digest')]
    const path = `/library/workflows/${old.slug}`
    await open(`${path}/edit`)
    const form = page.getByRole('region', { name: 'Deprecate' })
    await form.getByLabel('Message').fill('No longer maintained.')
    await form.getByLabel('Use instead').fill('workflow/none')
    await form.getByRole('button', { name: 'Deprecate this workflow' }).click()
    await page.getByText(/everybody has to see it/i).waitFor()
    assert.equal(await page.getByLabel('Message').inputValue(), 'No longer maintained.')
    await page.getByLabel('Use instead').fill(`workflow/${better.slug}`)
    await page.getByRole('button', { name: 'Deprecate this workflow' }).click()
    await page.getByText('This workflow is deprecated. No longer maintained.').waitFor()
    const visitor = await visit(site, { scripted })
    await visitor.open(path)
    await visitor.page.getByText('This workflow is deprecated. No longer maintained.').waitFor()
    await visitor.page.getByRole('link', { name: `workflow/${better.slug}` }).click()
    await visitor.page.getByRole('heading', { level: 1, name: 'Better digest' }).waitFor()
    await open(`${path}/edit`)
    await page.getByRole('button', { name: 'Not deprecated' }).click()
    await page.waitForURL(`**${path}`)
    assert.equal(await page.getByText('is deprecated').count(), 0)
    assert.equal((await api.library.get({ id: old.id })).deprecated, undefined)
    visitor.checkComplaints()
    // A refused form is a failed request, and a browser writes that down; it is shown beside the field.
    if (!scripted) checkComplaints()
  },

  async 'find a renamed item by its former name, and what uses it'(site, scripted) {
    const { page, open, checkComplaints, api } = await owner(site, scripted)
    const board = await api.library.publish({ kind: 'automation', visibility: 'public', file: automationFile() })
    const user = await api.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
    await open('/library/automations/harbor-board/owners')
    await page.getByLabel('Name in the address').fill('quay-board')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.waitForURL('**/library/automations/quay-board**')
    await open('/library/automations/harbor-board')
    assert.equal(new URL(page.url()).pathname, '/library/automations/quay-board')
    await page.getByRole('region', { name: 'Used by 1 item' }).getByRole('link', { name: user.name }).click()
    await page.getByRole('heading', { level: 1, name: user.name }).waitFor()
    await page.getByRole('region', { name: 'Uses' }).getByRole('link', { name: board.name }).click()
    await page.waitForURL('**/library/automations/quay-board')
    checkComplaints()
  },

  async 'read the chart of an org of the library'(site, scripted) {
    const { page, open, checkComplaints, api } = await owner(site, scripted)
    const { slug } = await api.library.publish({ kind: 'org', visibility: 'public', file: orgFile() })
    await open(`/library/orgs/${slug}`)
    const chart = page.getByRole('group', { name: 'Org chart' })
    const roles = chart.getByRole('link')
    assert.ok((await roles.count()) > 1)
    await roles.first().click()
    // With script a role opens beside the chart, and without further down.
    await page
      .locator(scripted ? '.role-panel .facts' : 'details[open] .facts')
      .first()
      .waitFor()
    checkComplaints()
    const narrow = await visit(site, { scripted, width: 390 })
    await narrow.open(`/library/orgs/${slug}`)
    await narrow.page.getByRole('navigation', { name: 'Org chart' }).waitFor()
    narrow.checkComplaints()
  },
}

for (const scripted of [true, false]) {
  describe(`the life of an item in a browser ${scripted ? 'with' : 'without'} script`, { skip }, () => {
    for (const [sentence, journey] of Object.entries(journeys)) {
      it(sentence, () => withSite((site) => journey(site, scripted)))
    }
  })
}
