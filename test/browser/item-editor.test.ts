// The texts of library items are written in the same editor as all others.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { workflowFile } from '../library.ts'
import { skip } from './chromium.ts'
import { visit, withSite } from './site.ts'

/** The editor with this label. */
const editorOf = (page: Page, label: string) => page.locator('[data-editor]').filter({ has: page.getByLabel(label) })

const file = async () => ({
  name: 'clock.json',
  mimeType: 'application/json',
  buffer: Buffer.from(await workflowFile().arrayBuffer()),
})

describe('the editor of an item', { skip }, () => {
  it('has buttons, a preview, suggestions and drafts, when it is published and when it is edited', () =>
    withSite(async (site) => {
      const { page, open, checkComplaints } = await visit(site, { name: 'mara' })
      await site.world.app.deliver()
      await open('/library/upload')
      const publishing = editorOf(page, 'Description')
      await publishing.locator('textarea').fill('Tells')
      await page.keyboard.press('Control+a')
      await publishing.getByRole('button', { name: 'Bold' }).click()
      await publishing.getByRole('button', { name: 'Preview' }).click()
      await publishing.locator('.markup strong').getByText('Tells').waitFor()
      await publishing.getByRole('button', { name: 'Write' }).click()
      await page.getByText('Draft saved').waitFor()
      await open('/library/upload')
      await page.getByText('Draft restored').waitFor()
      assert.equal(await publishing.locator('textarea').inputValue(), '**Tells**')
      await publishing.locator('textarea').fill('A line.\n\nBy @mar')
      await page.getByRole('option', { name: /mara/ }).click()
      await page.locator('#file').setInputFiles(await file())
      await page.getByLabel('Kind').selectOption('workflow')
      await page.getByRole('button', { name: 'Publish' }).click()
      await page.waitForURL(/\/library\/workflows\/[\w-]+$/)
      await page.locator('main .prose').getByRole('link', { name: '@mara' }).waitFor()
      const item = page.url()
      await open('/library/upload')
      assert.equal(await page.getByText('Draft restored').count(), 0)
      await open(`${item}/edit`)
      await editorOf(page, 'Description').locator('textarea').fill('Shorter')
      await page.getByText('Draft saved').first().waitFor()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.waitForURL(item)
      await open(`${item}/edit`)
      assert.equal(await page.getByText('Draft restored').count(), 0)
      await editorOf(page, 'What is new').getByRole('button', { name: 'Bold' }).waitFor()
      checkComplaints()
    }))

  it('previews without script, and forgets the draft of what is published without it', () =>
    withSite(async (site) => {
      const scripted = await visit(site, { name: 'mara' })
      await scripted.open('/library/upload')
      await editorOf(scripted.page, 'Description').locator('textarea').fill('Kept')
      await scripted.page.getByText('Draft saved').waitFor()
      const context = await site.browser.newContext({ baseURL: site.origin, javaScriptEnabled: false })
      await context.addCookies(await scripted.context.cookies())
      const page = await context.newPage()
      await page.goto('/library/upload')
      assert.equal(await editorOf(page, 'Description').locator('textarea').inputValue(), 'Kept')
      assert.equal(await page.getByRole('button', { name: 'Preview' }).count(), 0)
      await page.locator('#file').setInputFiles(await file())
      await page.getByLabel('Kind').selectOption('workflow')
      await page.getByRole('button', { name: 'Publish' }).click()
      await page.waitForURL(/\/library\/workflows\/[\w-]+$/)
      const item = page.url()
      await page.goto('/library/upload')
      assert.equal(await page.getByText('Draft restored').count(), 0)
      await page.goto(`${item}/edit`)
      await editorOf(page, 'Description').locator('textarea').fill('Now **bold**')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.locator('.markup strong').getByText('bold').waitFor()
      assert.equal(await editorOf(page, 'Description').locator('textarea').inputValue(), 'Now **bold**')
    }))
})
