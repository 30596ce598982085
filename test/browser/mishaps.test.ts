// Errors while a user works with the site, in a browser: no input is lost, and the page shows what happened.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { skip } from './chromium.ts'
import { PASSWORD, type Site, type Visitor, visit, withSite } from './site.ts'

const bug = { title: 'Crash on start', description: 'It stops.', severity: 'high' } as const
const orgJson = await readFile(fileURLToPath(new URL('../fixtures/org-invoice-desk.json', import.meta.url)), 'utf8')
const SIGNED_OUT = 'You are signed out'

async function signInElsewhere({ context, account }: Visitor): Promise<void> {
  const data = { email: account!.email, password: PASSWORD }
  assert.equal((await context.request.post('/api/auth/sign-in/email', { data })).status(), 200)
}

const toast = (page: Page) => page.locator('.toast')

type Mishap = (site: Site, scripted: boolean) => Promise<void>

const both: Record<string, Mishap> = {
  async 'a session that ends while somebody writes leaves the words in the form'(site, scripted) {
    const { id } = await site.world.alice.bugs.create(bug)
    const visitor = await visit(site, { scripted, name: 'mara' })
    const { page, open, context } = visitor
    await open(`/community/bugs/${id}`)
    await page.getByLabel('Your comment').fill('Here as well.')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Comment' }).click()
    await page.getByText(SIGNED_OUT).waitFor()
    assert.equal(await page.getByLabel('Your comment').inputValue(), 'Here as well.')
    await signInElsewhere(visitor)
    await page.getByRole('button', { name: 'Comment' }).click()
    await page.getByText('Here as well.').waitFor()
    await open('/community/bugs/new')
    await page.getByLabel('Title').fill('Another')
    await page.getByLabel('Description').fill('It stops again.')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Report' }).click()
    await page.getByText(SIGNED_OUT).waitFor()
    assert.equal(await page.getByLabel('Description').inputValue(), 'It stops again.')
    await signInElsewhere(visitor)
    await page.getByRole('button', { name: 'Report' }).click()
    await page.getByRole('heading', { name: 'Another' }).waitFor()
  },

  async 'lines do not count twice: a text within the limit is taken as it was typed'(site, scripted) {
    const { page, open } = await visit(site, { scripted, name: 'mara' })
    const description = `${'a\n'.repeat(499)}bc`
    await open('/community/bugs/new')
    await page.getByLabel('Title').fill('Many lines')
    await page.getByLabel('Description').fill(description)
    await page.getByRole('button', { name: 'Report' }).click()
    await page.getByRole('heading', { name: 'Many lines' }).waitFor()
    assert.equal((await site.world.anonymous.bugs.list()).items[0]!.description, description)
  },

  async 'a comment is shown where it stands, on the last page of many'(site, scripted) {
    const { alice } = site.world
    const { id } = await alice.bugs.create(bug)
    for (let n = 0; n < 60; n++) await alice.bugs.comment({ id, body: `Comment ${n}` })
    const { page, open } = await visit(site, { scripted, name: 'mara' })
    await open(`/community/bugs/${id}`)
    await page.getByRole('link', { name: 'Page 2', exact: true }).waitFor()
    await page.getByLabel('Your comment').fill('Mine, after all of them')
    await page.getByRole('button', { name: 'Comment' }).click()
    await page.getByText('Mine, after all of them').waitFor()
    assert.match(page.url(), /\?page=1#comment-/)
    await open(`/community/bugs/${id}?page=99`)
    await page.getByText('No more comments.').waitFor()
  },

  async 'what was saved in another tab is not undone unnoticed'(site, scripted) {
    const { page, open, context } = await visit(site, { scripted, name: 'mara' })
    const org = (await (await context.request.post('/api/community/orgs', { data: { orgJson } })).json()) as {
      id: string
    }
    await open(`/community/orgs/${org.id}/edit`)
    await page.getByLabel('Name').fill('Mine')
    await setTimeout(5)
    await context.request.patch(`/api/community/orgs/${org.id}`, { data: { tagline: 'Saved in between' } })
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByText('This was changed in another tab').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Mine')
    assert.equal((await site.world.anonymous.orgs.get({ id: org.id })).tagline, 'Saved in between')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByRole('heading', { name: 'Mine' }).waitFor()
  },

  async 'a code that was mailed can still be typed after a reload'(site, scripted) {
    const { page, open } = await visit(site, { scripted })
    await open('/sign-in')
    await page.getByLabel('Email address').fill('ann@example.com')
    await page.getByRole('button', { name: 'Email me a code instead' }).click()
    await page.getByLabel('Code').waitFor()
    await open('/sign-in')
    await page.getByText('ann@example.com').waitFor()
    await page.getByLabel('Code').waitFor()
    await page.getByRole('link', { name: 'Use a password or another address' }).click()
    await page.getByLabel('Password').waitFor()
    await open('/sign-in')
    await page.getByLabel('Password').waitFor()
  },

  async 'what became of a form has the focus, however far down it is'(site, scripted) {
    const { page, open } = await visit(site, { scripted, name: 'mara' })
    await open('/settings')
    await page.getByLabel('Tagline').fill('I mend things')
    await page.getByRole('button', { name: 'Save profile' }).click()
    await page.getByText('Saved.').waitFor()
    await page.waitForFunction(() => /notice positive/.test(document.activeElement?.className ?? ''))
    await page.getByLabel('Website').fill('http://insecure.example')
    await page.getByRole('button', { name: 'Save profile' }).click()
    await page.getByText(/https/).last().waitFor()
    await page.waitForFunction(() => document.activeElement?.id === 'field-websiteUrl')
    assert.match(await page.title(), /^Error: /)
  },
}

for (const scripted of [true, false]) {
  describe(`mishaps, ${scripted ? 'with' : 'without'} script:`, { skip }, () => {
    for (const [sentence, mishap] of Object.entries(both))
      it(sentence, () => withSite((site) => mishap(site, scripted)))
  })
}

/** New accounts compute a proof of work first. */
const askForProofs = ({ world }: Site) =>
  world.admin.settings.change({ changes: { PROOF_OF_WORK: 'new', PROOF_NUMBERS: '2000' } })

const withScript: Record<string, (site: Site) => Promise<void>> = {
  async 'an upload whose proof of work does not come says so, and is sent again'(site) {
    const { page, open } = await visit(site, { name: 'mara' })
    await askForProofs(site)
    await open('/library/upload')
    const file = {
      name: 'digest.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"name":"Digest","nodes":[]}'),
    }
    await page.locator('input[name="file"]').setInputFiles(file)
    await page.locator('select[name="visibility"]').selectOption('public')
    const publish = page.getByRole('button', { name: 'Publish' })
    await page.route('**/api/challenge', (route) => route.abort())
    await publish.click()
    await page.getByText('The connection was lost during the upload.').waitFor()
    await page.unroute('**/api/challenge')
    await page.route('**/api/challenge', (route) => route.fulfill({ status: 404 }))
    await publish.click()
    await page.locator('form [role="alert"]').getByText('proof of work').waitFor()
    await page.unroute('**/api/challenge')
    await publish.click()
    await page.getByRole('heading', { level: 1, name: 'Digest' }).waitFor()
  },

  async 'a form whose proof of work does not come keeps what was typed'(site) {
    const { page, open } = await visit(site, { name: 'mara' })
    await askForProofs(site)
    await open('/community/posts/new')
    await page.getByLabel('Title').fill('First')
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello')
    await page.route('**/api/challenge', (route) => route.fulfill({ contentType: 'application/json', body: '{' }))
    await page.getByRole('button', { name: 'Publish' }).click()
    await toast(page).waitFor()
    assert.equal(await page.getByLabel('Title').inputValue(), 'First')
    await page.unroute('**/api/challenge')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('heading', { level: 1, name: 'First' }).waitFor()
  },

  async 'the last of several votes is the one that counts'(site) {
    const { id } = await site.world.alice.bugs.create(bug)
    const { page, open } = await visit(site, { name: 'mara' })
    await open(`/community/bugs/${id}`)
    let votes = 0
    await page.route('**/vote', async (route) => {
      if (votes++ === 0) await setTimeout(3_000)
      await route.continue()
    })
    const [up, down] = [
      page.getByRole('button', { name: /^Vote up/ }),
      page.getByRole('button', { name: /^Vote down/ }),
    ]
    await up.click()
    await down.click()
    await up.click()
    await down.click()
    const last = await page.waitForResponse(
      async (answer) => /vote$/.test(answer.url()) && (await answer.json()).myVote === -1,
    )
    assert.equal(await last.finished(), null)
    await page.getByRole('button', { name: /^Vote down/, pressed: true }).waitFor()
    assert.equal((await site.world.anonymous.bugs.get({ id })).score, -1)
    assert.equal(votes, 2)
  },

  async 'a vote that does not count is taken back, and it is said why'(site) {
    const { id } = await site.world.alice.bugs.create(bug)
    const { page, open } = await visit(site, { name: 'mara' })
    await open(`/community/bugs/${id}`)
    await page.route('**/vote', (route) => route.abort())
    await page.getByRole('button', { name: /^Vote up/ }).click()
    await toast(page).getByText('Your vote did not count. The network did not respond.').waitFor()
    await page.getByRole('button', { name: /^Vote up/, pressed: false }).waitFor()
    await page.unroute('**/vote')
    await site.world.alice.bugs.delete({ id })
    await page.getByRole('button', { name: /^Vote up/ }).click()
    await toast(page).getByText('It no longer exists.').waitFor()
  },

  async 'a form that nobody answers, or somebody in between does, stays with what was typed'(site) {
    const { id } = await site.world.alice.bugs.create(bug)
    const { page, open } = await visit(site, { name: 'mara' })
    await open(`/community/bugs/${id}`)
    const send = async () => {
      await page.getByLabel('Your comment').fill('Here as well.')
      await page.getByRole('button', { name: 'Comment' }).click()
    }
    const isKept = async () => assert.equal(await page.getByLabel('Your comment').inputValue(), 'Here as well.')
    await page.route('**/comment', (route) => route.abort())
    await send()
    await toast(page).getByText('The network did not respond.').waitFor()
    await isKept()
    await page.unroute('**/comment')
    await page.route('**/comment', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    )
    await send()
    await toast(page).getByText('The server did not respond.').waitFor()
    await isKept()
    await page.unroute('**/comment')
    await site.world.alice.bugs.delete({ id })
    await send()
    await toast(page).getByText('No such bug. What you typed is still here.').waitFor()
    await isKept()
  },

  async 'what was typed is there again on the way back'(site) {
    const { page, open } = await visit(site, { name: 'mara' })
    await open('/community/bugs/new')
    await page.getByLabel('Title').fill('Half a thought')
    await page.getByLabel('Severity').selectOption('low')
    await page.getByLabel('Sections').getByRole('link', { name: 'Posts' }).click()
    await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor()
    assert.equal(await page.locator('link[rel="canonical"]').getAttribute('href'), `${site.origin}/community/posts`)
    await page.goBack()
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[name="title"]')?.value === 'Half a thought',
    )
    assert.equal(await page.getByLabel('Severity').inputValue(), 'low')
    assert.equal(await page.locator('link[rel="canonical"]').count(), 0)
    await page.getByLabel('Description').fill('A whole one')
    await page.getByRole('button', { name: 'Report' }).click()
    await page.getByRole('heading', { name: 'Half a thought' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Report a bug' }).waitFor()
    assert.equal(await page.getByLabel('Title').inputValue(), '')
  },

  async 'nothing behind the open sheet of sections has the focus'(site) {
    const { page, open } = await visit(site, { width: 390 })
    await open('/community')
    await page.getByRole('button', { name: 'Menu' }).click()
    const isOpen = () => page.evaluate(() => document.querySelector(':popover-open') !== null)
    await page.waitForFunction(() => document.querySelector(':popover-open') !== null)
    await page.locator(':popover-open a').last().focus()
    assert.equal(await isOpen(), true)
    for (let n = 0; n < 5; n++) {
      await page.keyboard.press('Tab')
      const isBehind = await page.evaluate(() => document.activeElement?.matches(':not(body, .sections *, .menu)'))
      assert.equal(isBehind && (await isOpen()), false)
    }
  },

  async 'the focus stays where the work is'(site) {
    const { id } = await site.world.alice.bugs.create(bug)
    const { page, open } = await visit(site, { name: 'mara', role: 'moderator' })
    await open(`/community/bugs/${id}`)
    await page.getByLabel('Your comment').fill('Here as well.')
    await page.getByRole('button', { name: 'Comment' }).click()
    await page.waitForFunction(() => document.activeElement?.id.startsWith('comment-'))
    await page.locator('#decide-title').click()
    await page.getByLabel('Status').selectOption('resolved')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForFunction(() => document.activeElement?.textContent === 'Save')
    await page.waitForFunction(() => document.querySelector('#announcer')?.textContent === 'Status saved.')
    for (const hasText of ['…', 'Delete']) await page.locator('summary', { hasText }).last().click()
    await page.getByRole('button', { name: 'Delete comment' }).click()
    await page.getByText('No comments yet').waitFor()
    await page.waitForFunction(() => document.activeElement?.id === 'comments')
  },
}

describe('mishaps that need a script:', { skip }, () => {
  for (const [sentence, mishap] of Object.entries(withScript)) it(sentence, () => withSite(mishap))
})
