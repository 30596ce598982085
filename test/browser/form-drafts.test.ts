// Drafts of forms: kept on the server while one writes.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skip } from './chromium.ts'
import { visit, withSite } from './site.ts'
import { fieldOf, NEW, writing } from './writing.ts'

describe('a draft of a form', { skip }, () => {
  it('is kept, restored on another browser, discarded, and forgotten when the form is sent', () =>
    withSite(async (site) => {
      const { page, context, open, checkComplaints } = await writing(site, 'Half of it')
      await page.getByLabel('Title').fill('To be continued')
      await page.getByText('Draft saved').waitFor()
      const other = await site.browser.newContext({ baseURL: site.origin, javaScriptEnabled: false })
      await other.addCookies(await context.cookies())
      const second = await other.newPage()
      await second.goto(NEW)
      await second.getByText('Draft restored').waitFor()
      assert.equal(await fieldOf(second).inputValue(), 'Half of it')
      assert.equal(await second.getByLabel('Title').inputValue(), 'To be continued')
      await second.getByRole('button', { name: 'Discard' }).click()
      assert.equal(await fieldOf(second).inputValue(), '')
      await open(NEW)
      assert.equal(await fieldOf(page).inputValue(), '')
      await fieldOf(page).fill('Once more')
      await page.getByLabel('Title').fill('Sent')
      await page.getByText('Draft saved').waitFor()
      await page.getByRole('button', { name: 'Publish' }).click()
      await page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor()
      await open(NEW)
      assert.equal(await fieldOf(page).inputValue(), '')
      assert.equal(await page.getByText('Draft restored').count(), 0)
      checkComplaints()
    }))

  it('of a comment and of an edit come back with what they were made of', () =>
    withSite(async (site) => {
      const { page, context, open, checkComplaints } = await visit(site, { name: 'mara' })
      const post = await (
        await context.request.post('/api/community/posts', { data: { title: 'A', body: 'First' } })
      ).json()
      await open(`/community/posts/${post.id}`)
      await page.getByLabel('Your comment').fill('Not yet')
      await page.getByText('Draft saved').waitFor()
      await open(`/community/posts/${post.id}/edit`)
      await fieldOf(page).fill('First, and more')
      await page.getByText('Draft saved').waitFor()
      const edited = { data: { body: 'Second' } }
      assert.ok((await context.request.patch(`/api/community/posts/${post.id}`, edited)).ok())
      await open(`/community/posts/${post.id}/edit`)
      await page.getByText('Draft restored').waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('was edited since').first().waitFor()
      assert.equal(await fieldOf(page).inputValue(), 'First, and more')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('First, and more').waitFor()
      assert.equal(await page.getByLabel('Your comment').inputValue(), 'Not yet')
      checkComplaints()
    }))

  it('that is not kept yet warns before the page is left', () =>
    withSite(async (site) => {
      const { page } = await writing(site)
      await page.route('**/api/community/drafts', (route) => route.abort())
      await page.keyboard.type('Words')
      await page.getByText('Draft not saved').waitFor()
      const asked = page.waitForEvent('dialog')
      const left = page.getByRole('link', { name: 'API' }).click()
      const dialog = await asked
      assert.equal(dialog.type(), 'beforeunload')
      await dialog.accept()
      await left
      await page.waitForURL('**/docs/reference')
    }))
})
