// Documents and the pages of the authorization server have what all pages have: keyboard shortcuts, and a Copy button at each block of code.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { oauthClient } from '../oauth.ts'
import { skip } from './chromium.ts'
import { type Site, type Visitor, visit, withSite } from './site.ts'

const PAGES = ['/docs', '/docs/mcp', '/docs/reference', '/docs/reference/bugs', '/privacy', '/terms']

/** Opens the palette and closes it, then goes to the list of shortcuts. */
async function useKeys({ page, open, checkComplaints }: Visitor, path: string): Promise<void> {
  await open(path)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type('mara')
  await page.getByRole('option', { name: /mara/ }).first().waitFor()
  await page.keyboard.press('Escape')
  // Until the focus has left the dialog, what is typed is typed into it.
  await page.waitForFunction(() => !document.activeElement?.closest('dialog'))
  await page.keyboard.press('?')
  await page.waitForURL('**/keys')
  await page.goBack()
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await page.waitForURL('**/community/posts')
  checkComplaints()
}

async function consentPath({ world }: Site): Promise<string> {
  const client = oauthClient(world)
  const clientId = await client.register({ client_name: 'Night clerk' })
  return `/api/auth/oauth2/authorize?${client.request({ clientId, scope: 'community:read' }, client.newVerifier())}`
}

/** Whether a Copy button lies over the code that it copies. */
const isCovered = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main .code')].some((block) => {
      const [code, button] = ['pre', '[data-copy]'].map((part) => block.querySelector(part)?.getBoundingClientRect())
      return !code || !button || (code.right > button.left && code.top < button.bottom)
    }),
  )

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** Tries a read without a token, and a write with one: as a dry run, then for good. */
async function tryCalls({ world }: Site, { page, open, checkComplaints }: Visitor): Promise<void> {
  await open('/docs/reference/bugs')
  const call = (name: string) => page.locator(`section[aria-labelledby="${name}"] details.trial`)
  const read = call('bugs.list')
  await read.locator('summary').click()
  await read.getByRole('button').click()
  await read.locator('output', { hasText: '200 OK' }).waitFor()
  const write = call('bugs.create')
  await write.locator('summary').click()
  const { token } = await world.alice.personalTokens.create({ name: 'Try', scopes: ['community:write'] })
  await page.getByLabel('Your token').fill(token)
  await write.getByRole('button').click()
  await write.locator('output', { hasText: '"title"' }).waitFor()
  assert.equal((await world.alice.bugs.list({})).total, 0)
  await write.getByLabel('Dry run: nothing is kept').uncheck()
  // The answer to the dry run is a 201 as well: what is waited for is the second.
  const made = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/community/bugs')
  await write.getByRole('button').click()
  assert.equal((await made).status(), 201)
  await write.locator('output', { hasText: '201 Created' }).waitFor()
  assert.equal((await world.alice.bugs.list({})).total, 1)
  await write.locator('textarea').fill('{ "title"')
  await write.getByRole('button').click()
  await write.locator('output', { hasText: 'could not be sent' }).waitFor()
  checkComplaints()
}

describe('documents and pages of the authorization server', { skip }, () => {
  it('have the keyboard shortcuts', () =>
    withSite(async (site) => {
      const mara = await visit(site, { name: 'mara' })
      await site.world.app.deliver()
      for (const path of PAGES) await useKeys(mara, path)
      await useKeys(mara, await consentPath(site))
    }))

  it('try calls from the reference', () =>
    withSite(async (site) => {
      await site.world.alice.account()
      await tryCalls(site, await visit(site, {}))
    }))

  it('send forms of the authorization server by the browser, as before', () =>
    withSite(async (site) => {
      const { page, open } = await visit(site, { name: 'mara' })
      await open(await consentPath(site))
      const asked: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') asked.push(`${request.resourceType()} ${new URL(request.url()).pathname}`)
      })
      const failed = page.waitForEvent('requestfailed')
      await page.getByRole('button', { name: 'Deny' }).click()
      await failed
      assert.deepEqual(asked, ['document /api/auth/oauth2/consent'])
    }))

  it('copy a block of code as it is, without the line break at its end', () =>
    withSite(async (site) => {
      const { page, context, open, checkComplaints } = await visit(site, { name: 'mara', width: 390 })
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const body = 'Run\n\n```sh\necho "<b>" &&\n  date\n```\n'
      const data = { title: 'Two lines', body }
      const { id } = await (await context.request.post('/api/community/posts', { data })).json()
      await open(`/community/posts/${id}`)
      const button = page.locator('main').getByRole('button', { name: 'Copy', exact: true })
      await button.click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      assert.equal(await copied(page), 'echo "<b>" &&\n  date')
      await open('/docs/reference/bugs')
      await button.first().click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      assert.equal(await copied(page), (await page.locator('main pre').first().textContent())?.trimEnd())
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        assert.equal(await isCovered(page), false, `${width} px`)
      }
      checkComplaints()
    }))
})
