// The editor of texts: its buttons and keys, what is over the limit, and the same forms without script.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { tinyPng } from '../pictures.ts'
import { skip } from './chromium.ts'
import { visit, withSite } from './site.ts'
import { fieldOf, NEW, writing } from './writing.ts'

/** What a button does is loaded when it is first pressed. */
async function becomes(page: Page, text: string): Promise<void> {
  for (let tries = 0; tries < 100 && (await fieldOf(page).inputValue()) !== text; tries++) await page.waitForTimeout(50)
  assert.equal(await fieldOf(page).inputValue(), text)
}

describe('the editor', { skip }, () => {
  it('formats by buttons and by keys, and what it did is undone', () =>
    withSite(async (site) => {
      const { page, value, checkComplaints } = await writing(site, 'some words', [5, 10])
      await page.getByRole('button', { name: 'Bold' }).click()
      await becomes(page, 'some **words**')
      await page.keyboard.press('Control+z')
      assert.equal(await value(), 'some words')
      await page.keyboard.press('Control+Shift+z')
      assert.equal(await value(), 'some **words**')
      await fieldOf(page).evaluate((node) => (node as HTMLTextAreaElement).setSelectionRange(7, 12))
      await page.keyboard.press('Control+b')
      assert.equal(await value(), 'some words')
      await page.keyboard.press('Control+i')
      assert.equal(await value(), 'some _words_')
      await page.keyboard.press('Control+i')
      await page.keyboard.press('Control+k')
      assert.equal(await value(), 'some [words](url)')
      assert.equal(await page.locator('.palette').count(), 0)
      await page.keyboard.type('/docs')
      assert.equal(await value(), 'some [words](/docs)')
      await page.keyboard.press('Control+Shift+Period')
      assert.equal(await value(), '> some [words](/docs)')
      await fieldOf(page).fill('one\ntwo')
      await fieldOf(page).press('Control+a')
      await page.getByRole('button', { name: 'Task list' }).click()
      await becomes(page, '- [ ] one\n- [ ] two')
      await fieldOf(page).press('Control+End')
      await page.keyboard.press('Enter')
      await page.keyboard.type('three')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      assert.equal(await value(), '- [ ] one\n- [ ] two\n- [ ] three\n')
      checkComplaints()
    }))

  it('is one stop of Tab, whose arrows move among the buttons, and Tab leaves the field', () =>
    withSite(async (site) => {
      const { page, checkComplaints } = await writing(site)
      await page.getByRole('button', { name: 'Heading' }).focus()
      await page.keyboard.press('ArrowRight')
      assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), 'Bold')
      await page.keyboard.press('End')
      assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), 'Picture')
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA')
      await page.keyboard.press('Tab')
      assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA')
      checkComplaints()
    }))

  it('does what was pressed in it and in its bar before it has arrived', () =>
    withSite(async (site) => {
      const { page, open, checkComplaints } = await visit(site, { name: 'mara' })
      await open(NEW)
      const { promise, resolve: arrive } = Promise.withResolvers<void>()
      await page.route('**/*.js', async (route) => {
        await promise
        await route.continue()
      })
      const field = fieldOf(page)
      await field.click()
      await page.keyboard.type('All of it')
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Control+k')
      await page.getByRole('toolbar').getByRole('button').first().focus()
      await page.keyboard.press('End')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowLeft')
      const focused = page.locator(':focus')
      assert.equal(await focused.getAttribute('aria-label'), 'Picture')
      const chooser = page.waitForEvent('filechooser')
      await page.keyboard.press('Enter')
      arrive()
      await chooser
      assert.equal(await field.inputValue(), '[All of it](url)')
      assert.equal(await page.locator('.palette').count(), 0)
      checkComplaints()
    }))

  it('sends by Ctrl+Enter', () =>
    withSite(async (site) => {
      const { page, checkComplaints } = await writing(site, 'All of it')
      await page.getByLabel('Title').fill('By keys alone')
      await fieldOf(page).press('Control+Enter')
      await page.getByRole('heading', { level: 1, name: 'By keys alone' }).waitFor()
      checkComplaints()
    }))

  it('shows the preview in the place of the text, and nothing moves', () =>
    withSite(async (site) => {
      const { page, checkComplaints } = await writing(site, 'It is **so**')
      const send = page.getByRole('button', { name: 'Publish' })
      const before = await send.boundingBox()
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('region', { name: 'Preview' }).locator('strong', { hasText: 'so' }).waitFor()
      assert.deepEqual(await send.boundingBox(), before)
      await page.getByRole('button', { name: 'Write' }).click()
      assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA')
      assert.deepEqual(await send.boundingBox(), before)
      checkComplaints()
    }))

  it('cuts nothing that is over the limit: it is counted and marked, and the server keeps it', () =>
    withSite(async (site) => {
      const { page, value, checkComplaints } = await writing(site)
      await page.getByLabel('Title').fill('Long')
      await page.evaluate(() => document.querySelector('textarea')?.focus())
      await page.keyboard.insertText(`${'x'.repeat(1999)}y`)
      await page.getByText('0 left', { exact: true }).waitFor()
      assert.equal(await page.locator('.over-long').count(), 0)
      await page.keyboard.insertText('zzz')
      await page.getByText('3 over the limit').waitFor()
      assert.equal((await page.locator('.over-long mark').textContent())?.trim(), 'zzz')
      await fieldOf(page).press('Control+Enter')
      await page.getByText('Must have at most 2000 characters').waitFor()
      assert.equal((await value()).length, 2003)
      checkComplaints()
    }))
})

describe('what is typed after a sign', { skip }, () => {
  it('suggests members and things, by keys and by a tap, and Escape leaves the text as it is', () =>
    withSite(async (site) => {
      const { world } = site
      await world.alice.profile.setUsername({ username: 'mirabel' })
      const { number } = await world.alice.bugs.create({
        title: 'The digest is late',
        description: 'D',
        severity: 'low',
      })
      const { page, value, checkComplaints } = await writing(site)
      await page.keyboard.type('Ask @mir')
      const list = page.getByRole('listbox', { name: 'Suggestions' })
      await list.getByRole('option', { name: '@mirabel' }).waitFor()
      await new AxeBuilder({ page }).analyze().then(({ violations }) => assert.deepEqual(violations, []))
      await page.keyboard.press('Enter')
      assert.equal(await value(), 'Ask @mirabel ')
      await page.keyboard.type('about #dig')
      await list.getByRole('option', { name: /The digest is late/ }).click()
      assert.equal(await value(), `Ask @mirabel about #${number} `)
      await page.keyboard.type('@mir')
      await list.getByRole('option').first().waitFor()
      await page.keyboard.press('Escape')
      await list.waitFor({ state: 'hidden' })
      assert.equal(await value(), `Ask @mirabel about #${number} @mir`)
      checkComplaints()
    }))
})

describe('a picture in a text', { skip }, () => {
  it('comes by the button and by paste, asks for words, and is shown; what is no picture is refused beside the text', () =>
    withSite(async (site) => {
      const { page, value, checkComplaints } = await writing(site, 'Look:')
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Picture' }).click()
      const png = Buffer.from(await (await tinyPng()).arrayBuffer())
      await (await chooser).setFiles([{ name: 'a.png', mimeType: 'image/png', buffer: png }])
      await page.getByText('The picture is in the text.').waitFor()
      await page.keyboard.type('A dot')
      assert.match(await value(), /^Look:\n!\[A dot\]\(\/api\/images\/text\/[0-9a-f-]{36}\?size=\d+x\d+\)\n$/)
      await fieldOf(page).evaluate(
        (node, bytes) => {
          const data = new DataTransfer()
          data.items.add(new File([new Uint8Array(bytes)], 'b.png', { type: 'image/png' }))
          node.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
        },
        [...png],
      )
      await page.getByText('The picture is in the text.').waitFor()
      await page
        .locator('input[type="file"]')
        .setInputFiles([{ name: 'c.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') }])
      await page.getByText('c.gif was not added').waitFor()
      await page.getByLabel('Title').fill('With a picture')
      await page.getByRole('button', { name: 'Publish' }).click()
      const shown = page.locator('main .prose img').first()
      await shown.waitFor()
      // Rejects where it is no picture; before it has come, its width is 0.
      await shown.evaluate((image) => (image as HTMLImageElement).decode())
      checkComplaints()
    }))
})

for (const [width, scheme] of [
  [320, 'light'],
  [390, 'dark'],
  [1280, 'light'],
] as const) {
  it(`the editor has no faults that axe finds, at ${width} px, ${scheme}`, { skip }, () =>
    withSite(async (site) => {
      const { page, open, checkComplaints } = await visit(site, { name: 'mara', width, scheme })
      await open(NEW)
      await fieldOf(page).fill('x'.repeat(2010))
      await page.getByText('10 over the limit').waitFor()
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(wide <= 0, `the page is ${wide} px too wide`)
      const { violations } = await new AxeBuilder({ page }).analyze()
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
        [],
      )
      checkComplaints()
    }),
  )
}
