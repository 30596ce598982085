// Finding one's way: menus and filters with script and without, and by script shortcuts, the palette and cards about members.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { skip } from './chromium.ts'
import { PASSWORD, type Site, type Visitor, visit, withSite } from './site.ts'

async function write(visitor: Visitor, titles: readonly string[]): Promise<void> {
  for (const title of titles) {
    const made = await visitor.context.request.post('/api/community/posts', { data: { title, body: 'Of words' } })
    assert.equal(made.status(), 201, await made.text())
  }
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())

for (const scripted of [true, false]) {
  describe(`menus, ${scripted ? 'with' : 'without'} script,`, { skip }, () => {
    it('lead to what is one’s own, to something new, and out', () =>
      withSite(async (site: Site) => {
        const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
        await open('/')
        await page.getByRole('heading', { level: 1, name: 'Welcome, mara' }).waitFor()
        await page.getByRole('button', { name: 'New', exact: true }).click()
        await page.getByLabel('New', { exact: true }).getByRole('link', { name: /post/ }).click()
        await page.waitForURL('**/community/posts/new')
        await page.getByRole('button', { name: 'Your menu, mara' }).click()
        await page.getByRole('link', { name: 'Your profile' }).click()
        await page.waitForURL('**/community/u/mara')
        await page.getByRole('button', { name: 'Your menu, mara' }).click()
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.getByRole('heading', { level: 1, name: /^Where people/ }).waitFor()
        checkComplaints()
      }))
  })
}

for (const scripted of [true, false]) {
  describe(`filters, ${scripted ? 'with' : 'without'} script,`, { skip }, () => {
    it('take several values, say how much each has, and keep the others', () =>
      withSite(async (site) => {
        const { page, context, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
        for (const severity of ['low', 'high', 'high']) {
          const data = { title: `A ${severity} bug`, description: 'It stops', severity }
          assert.equal((await context.request.post('/api/community/bugs', { data })).status(), 201)
        }
        await open('/community/bugs')
        await page.getByText('3 bugs', { exact: true }).waitFor()
        await page.getByRole('button', { name: 'Severity' }).click()
        const apply = () => page.getByRole('button', { name: 'Apply' }).click()
        await page.getByRole('checkbox', { name: 'High 2' }).check()
        await apply()
        await page.getByText('2 bugs', { exact: true }).waitFor()
        await page.getByRole('button', { name: 'Status' }).click()
        await page.getByRole('checkbox', { name: 'Open 2' }).check()
        await apply()
        assert.equal(await page.getByRole('button', { name: 'Written by' }).count(), 0, 'no agent wrote one')
        await page.waitForURL(/severity=high&status=open/)
        await page.getByRole('button', { name: 'Severity: High' }).click()
        await page.getByRole('checkbox', { name: 'Low 1' }).check()
        await apply()
        await page.getByText('3 bugs', { exact: true }).waitFor()
        await page.waitForURL(/severity=low,high|severity=low%2Chigh/)
        await page.getByRole('link', { name: 'Remove the filter Severity: High' }).click()
        await page.getByText('1 bug', { exact: true }).waitFor()
        await page.getByRole('button', { name: 'Severity: Low' }).click()
        await page.getByLabel('Severity').getByRole('link', { name: 'All' }).click()
        await page.waitForURL(/bugs\?status=open$/)
        await page.getByRole('button', { name: 'Saved', exact: true }).click()
        await page.getByLabel('Save this filter').fill('To do')
        await page.getByRole('button', { name: 'Save', exact: true }).click()
        await page.getByRole('button', { name: 'Saved: To do' }).waitFor()
        await open('/community/bugs')
        await page.getByRole('button', { name: 'Saved', exact: true }).click()
        await page.getByLabel('Saved filters').getByRole('link', { name: 'To do' }).click()
        await page.waitForURL(/bugs\?status=open$/)
        await page.getByRole('button', { name: 'Saved: To do' }).click()
        await page.getByRole('button', { name: 'Remove the saved filter To do' }).click()
        await page.getByRole('button', { name: 'Saved', exact: true }).waitFor()
        await open('/community')
        await page.getByRole('button', { name: 'Kind' }).click()
        await page.getByRole('link', { name: 'Bugs 3' }).click()
        await page.getByText('3 entries').waitFor()
        assert.equal(await page.locator('main .badge').filter({ hasText: 'Open' }).count(), 3)
        checkComplaints()
      }))
  })
}

for (const scripted of [true, false]) {
  describe(`visitors, ${scripted ? 'with' : 'without'} script,`, { skip }, () => {
    it('vote, sign up in three steps, and their vote counts once', () =>
      withSite(async (site) => {
        const mara = await visit(site, { name: 'mara' })
        await write(mara, ['First'])
        const { page, open, checkComplaints } = await visit(site, { scripted })
        await open('/community/posts')
        await page.getByRole('button', { name: 'Vote up: First' }).click()
        await page.getByText('We saved your vote').waitFor()
        await page.getByRole('link', { name: 'Sign up' }).click()
        await page.getByText('We saved your vote').waitFor()
        await page.getByLabel('Name').fill('Nora')
        await page.getByLabel('Email address').fill('nora@example.com')
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Sign up' }).click()
        await page.getByRole('list', { name: 'Step 1 of 3' }).waitFor()
        await page.getByRole('link', { name: 'Skip for now' }).click()
        await page.getByRole('list', { name: 'Step 2 of 3' }).waitFor()
        await page.getByLabel('Username').fill('nora')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByRole('list', { name: 'Step 3 of 3' }).waitFor()
        await page.getByRole('button', { name: 'Follow mara' }).click()
        await page.getByRole('button', { name: 'Unfollow mara' }).waitFor()
        await page.getByRole('link', { name: 'Done' }).click()
        await page.waitForURL('**/community/posts')
        const { items } = await site.world.anonymous.posts.list({})
        assert.equal(items[0]!.score, 1)
        assert.equal(await page.getByRole('button', { name: 'Vote up: First' }).getAttribute('aria-pressed'), 'true')
        await page.getByRole('button', { name: 'Vote up: First' }).click()
        await page.locator('[data-mine="0"]').waitFor()
        await open('/community/posts')
        assert.equal((await site.world.anonymous.posts.list({})).items[0]!.score, 0)
        checkComplaints()
      }))
  })
}

describe('shortcuts', { skip }, () => {
  it('go through a list, open an entry, and lead to pages; not while one types, and not where they are off', () =>
    withSite(async (site) => {
      const { page, open, checkComplaints, ...mara } = await visit(site, { name: 'mara' })
      await write({ page, open, checkComplaints, ...mara }, ['First', 'Second', 'Third'])
      await open('/community')
      for (const [key, title] of [
        ['j', 'Third'],
        ['j', 'Second'],
        ['j', 'First'],
        ['j', 'First'],
        ['k', 'Second'],
      ] as const) {
        await page.keyboard.press(key)
        assert.equal(await focused(page), title)
      }
      await page.keyboard.press('o')
      await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor()
      await page.keyboard.press('g')
      await page.keyboard.press('m')
      await page.waitForURL('**/community/members')
      await page.keyboard.press('/')
      await page.keyboard.type('gj?')
      assert.match(page.url(), /members$/)
      assert.equal(await page.locator('#find').inputValue(), 'gj?')
      await page.locator('h1').click()
      await page.keyboard.press('?')
      await page.waitForURL('**/keys')
      await page.getByRole('button', { name: 'Turn single keys off' }).click()
      await page.keyboard.press('Tab')
      await page.keyboard.press('g')
      await page.keyboard.press('l')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Go to a page, or search' }).waitFor()
      assert.match(page.url(), /keys$/)
      checkComplaints()
    }))
})

describe('the palette', { skip }, () => {
  it('has the keys that were pressed while it loaded', () =>
    withSite(async (site) => {
      const { page, open, checkComplaints } = await visit(site, { name: 'mara' })
      await open('/community')
      const { promise, resolve: arrive } = Promise.withResolvers<void>()
      await page.route('**/*.js', async (route) => {
        await promise
        await route.continue()
      })
      await page.keyboard.press('Control+k')
      // Without the palette `g` and `s` lead to the settings.
      await page.keyboard.type('gs of')
      arrive()
      await page.getByRole('combobox').waitFor()
      assert.equal(await page.getByRole('combobox').inputValue(), 'gs of')
      await page.keyboard.type(' mine')
      assert.equal(await page.getByRole('combobox').inputValue(), 'gs of mine')
      assert.equal(new URL(page.url()).pathname, '/community')
      checkComplaints()
    }))

  it('goes to pages and to what the search finds, by keyboard alone, and axe finds nothing in it', () =>
    withSite(async (site) => {
      const mara = await visit(site, { name: 'mara' })
      await write(mara, ['Heat pump in the attic'])
      const { page } = mara
      await mara.open('/community')
      await page.keyboard.press('Control+k')
      const field = page.getByRole('combobox')
      await field.fill('roadm')
      await page.getByRole('option', { name: /Roadmap/ }).waitFor()
      const { violations } = await new AxeBuilder({ page }).include('dialog').setLegacyMode().analyze()
      assert.deepEqual(
        violations.map(({ id }) => id),
        [],
      )
      await page.keyboard.press('Enter')
      await page.waitForURL('**/community/roadmap')
      await page.keyboard.press('Control+k')
      await field.fill('pump')
      await page.getByRole('option', { name: /Heat pump/ }).waitFor()
      await page.keyboard.press('Escape')
      assert.equal(await page.locator('dialog').count(), 1)
      assert.equal(await field.isVisible(), false)
      await page.keyboard.press('Control+k')
      await field.fill('pump')
      await page.getByRole('option', { name: /Heat pump/ }).waitFor()
      assert.equal(await page.locator('[aria-selected="true"]').count(), 1)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Heat pump in the attic' }).waitFor()
      mara.checkComplaints()
    }))
})

describe('the card of a member', { skip }, () => {
  it('shows beside a link that the pointer rests on, and goes with it or by Escape', () =>
    withSite(async (site) => {
      const mara = await visit(site, { name: 'mara' })
      await write(mara, ['First'])
      const { page } = await visit(site)
      await page.goto('/community')
      await page.locator('main a.by').hover()
      const card = page.getByRole('tooltip')
      await card.getByText('1 contribution').waitFor()
      await page.keyboard.press('Escape')
      assert.equal(await card.count(), 0)
      await page.mouse.move(2, 2)
      await page.locator('main a.by').hover()
      await card.waitFor()
      await page.mouse.move(2, 2)
      await card.waitFor({ state: 'detached' })
      // By keyboard too: the focus rests on the link.
      const link = page.locator('main a.by').first()
      for (let n = 0; n < 60 && !(await link.evaluate((one) => one === document.activeElement)); n++)
        await page.keyboard.press('Tab')
      await card.waitFor()
      assert.equal(await link.getAttribute('aria-describedby'), 'member-card')
      await page.keyboard.press('Tab')
      await card.waitFor({ state: 'detached' })
    }))
})
