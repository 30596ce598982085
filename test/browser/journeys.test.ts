// What members do, in a browser, with script and without.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skip } from './chromium.ts'
import { type Site, visit, withSite } from './site.ts'

type Journey = (site: Site, scripted: boolean) => Promise<void>

/** One server for all journeys; each has people of its own. */
function journeys(table: Record<string, Journey>): void {
  for (const scripted of [true, false]) {
    describe(`members, ${scripted ? 'with' : 'without'} script,`, { skip }, () => {
      for (const [sentence, journey] of Object.entries(table)) {
        it(sentence, () => withSite((site) => journey(site, scripted)))
      }
    })
  }
}

describe('members whose network is slow', { skip }, () => {
  it('see a skeleton until the preview is there, and not the preview before it', () =>
    withSite(async (site) => {
      const { page, open, checkComplaints } = await visit(site, { scripted: true, name: 'mara' })
      await open('/community/bugs/new')
      const preview = page.getByRole('region', { name: 'Preview' })
      await page.getByLabel('Description').fill('The first words')
      await page.getByRole('button', { name: 'Preview' }).click()
      await preview.getByText('The first words').waitFor()
      await page.getByRole('button', { name: 'Write' }).click()
      const { promise, resolve: answer } = Promise.withResolvers<void>()
      await page.route('**/preview', async (route) => {
        await promise
        await route.continue()
      })
      await page.getByLabel('Description').fill('The second words')
      await page.getByRole('button', { name: 'Preview' }).click()
      await preview.locator('.skeleton').first().waitFor()
      assert.equal(await preview.getByText('The first words').count(), 0)
      answer()
      await preview.getByText('The second words').waitFor()
      assert.equal(await preview.locator('.skeleton').count(), 0)
      checkComplaints()
    }))
})

journeys({
  async 'report a bug: what is refused is said beside the field, and what was typed stays'(site, scripted) {
    const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
    await open('/community/bugs')
    await page.getByRole('link', { name: 'Report a bug' }).first().click()
    await page.getByLabel('Title').fill('   ')
    await page.getByLabel('Description').fill('It stops at **once**.')
    await page.getByLabel('Severity').selectOption('critical')
    await page.getByRole('button', { name: 'Report' }).click()
    await page.getByText('Must have at least 1 character').waitFor()
    assert.equal(await page.getByLabel('Description').inputValue(), 'It stops at **once**.')
    assert.equal(await page.getByLabel('Severity').inputValue(), 'critical')
    await page.getByLabel('Title').fill('Crash on start')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('region', { name: 'Preview' }).getByText('once').waitFor()
    await page.getByRole('button', { name: 'Report' }).click()
    await page.getByRole('heading', { level: 1, name: 'Crash on start' }).waitFor()
    await page.getByText('Critical').waitFor()
    checkComplaints()
  },

  async 'vote, change their mind, and take it back'(site, scripted) {
    const { id } = await site.world.alice.bugs.create({ title: 'A bug', description: 'Text', severity: 'low' })
    const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
    await open('/community/bugs')
    const score = page.locator('output')
    for (const [button, expected] of [
      ['Vote up: A bug', 'Score 1'],
      ['Vote down: A bug', 'Score -1'],
      ['Vote down: A bug', 'Score 0'],
      ['Vote up: A bug', 'Score 1'],
    ] as const) {
      await page.getByRole('button', { name: button }).click()
      await page
        .waitForFunction(([words]) => document.querySelector('output')?.textContent === words, [expected] as const)
        .catch(() => undefined)
      assert.equal(await score.textContent(), expected)
    }
    await open(`/community/bugs/${id}`)
    assert.equal(await score.textContent(), 'Score 1')
    checkComplaints()
  },

  async 'are sent to sign in when they are not, and come back to where they were'(site, scripted) {
    await site.world.alice.bugs.create({ title: 'A bug', description: 'Text', severity: 'low' })
    const { page, open } = await visit(site, { scripted })
    await open('/community/bugs')
    await page.getByRole('button', { name: 'Vote up: A bug' }).click()
    await page.waitForURL('**/sign-in?to=%2Fcommunity%2Fbugs')
  },

  async 'comment, and remove what they said'(site, scripted) {
    const { id } = await site.world.alice.bugs.create({ title: 'A bug', description: 'Text', severity: 'low' })
    const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
    await open(`/community/bugs/${id}`)
    await page.getByLabel('Your comment').fill('Seen here too, with `node`.')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('heading', { name: '1 comment' }).waitFor()
    assert.equal(await page.getByLabel('Your comment').inputValue(), '')
    await page.reload()
    assert.equal((await site.world.alice.bugs.comments({ id })).total, 1, 'a reload does not say it again')
    await page.locator('.others > summary').click()
    await page.getByText('Delete', { exact: true }).click()
    await page.getByRole('button', { name: 'Delete comment' }).click()
    await page.getByRole('heading', { name: 'No comments yet' }).waitFor()
    checkComplaints()
  },

  async 'moderate: triage a bug, label it, and remove it with a reason'(site, scripted) {
    const { id } = await site.world.alice.bugs.create({ title: 'A bug', description: 'Text', severity: 'low' })
    await site.world.admin.labels.create({ name: 'uploads', color: '#2277cc' })
    const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mod', role: 'moderator' })
    await open(`/community/bugs/${id}`)
    await page.locator('#decide-title').click()
    await page.getByLabel('Status').selectOption('in_progress')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.thread-facts .badge', { hasText: 'In progress' }).waitFor()
    await page.getByLabel('Label', { exact: true }).selectOption({ label: 'uploads' })
    await page.getByRole('button', { name: 'Add label' }).click()
    await page.getByRole('button', { name: 'Remove label uploads' }).waitFor()
    await page.getByText('Delete bug').first().click()
    await page.getByLabel('Reason', { exact: true }).fill('Reported twice')
    await page.getByRole('button', { name: 'Delete bug' }).click()
    await page.waitForURL('**/community/bugs')
    const { items } = await site.world.admin.admin.listAudit({ targetId: id })
    assert.equal(items[0]!.reason, 'Reported twice')
    checkComplaints()
  },
})
