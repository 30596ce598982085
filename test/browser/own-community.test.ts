// A community of one's own, with nothing but a browser: from the link of a fresh start to a private instance with a name, colours, boards and a rule
// for agents, and to a public one again. Without script, in English and in German.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { renewSetupLink } from '../../src/accounts/setup/setup.ts'
import { agentOf } from '../agents.ts'
import { skip } from './chromium.ts'
import { forAnybody } from './pages.ts'
import { type Site, visit, withSite } from './site.ts'

const EMAIL = 'boss@acme.example'
const SECRET = 'Zanzibarrow'
const ACCENT = '#7a1f5c'
const SECONDS = 600

const within = (page: Page, action: string) => page.locator(`form[action*="${action}"]`).last()
/** Presses a button, and waits for the page that answers. */
async function press(page: Page, button: Locator): Promise<void> {
  const loaded = page.waitForEvent('load')
  await button.click()
  await loaded
}

const send = (page: Page, action: string) =>
  press(page, within(page, action).locator('button:not([formaction])').last())

/** By the link that a start prints: a name, private, and the first admin. */
async function setUp({ world }: Site, page: Page): Promise<void> {
  const link = await renewSetupLink(world.dependencies)
  assert.ok(link)
  await page.goto(link)
  const form = within(page, '/finish')
  await form.locator('[name="SITE_NAME"]').fill('Acme Lab')
  await form.locator('[name="READERS"]').selectOption('members')
  await form.locator('[name="adminName"]').fill('Boss')
  await form.locator('[name="email"]').fill(EMAIL)
  await press(page, form.locator('button[formaction="?/code"]'))
  await form.locator('[name="code"]').fill(await world.code(EMAIL))
  await send(page, '/finish')
  await page.waitForURL('**/setup/done')
}

async function dress(page: Page): Promise<void> {
  await page.goto('/admin/looks')
  await page.locator('[name="ACCENT"]').fill(ACCENT)
  await press(page, page.locator('button[formaction="?/preview"]'))
  await press(page, page.locator('button[formaction="?/save"]'))
}

async function addBoards(page: Page): Promise<void> {
  for (const slug of ['engines', 'office']) {
    await page.goto('/admin/boards')
    const form = within(page, '/create')
    await form.locator('[name="name"]').fill(slug)
    await form.locator('[name="slug"]').fill(slug)
    await send(page, '/create')
    await page.locator('#main').getByRole('link', { name: slug, exact: true }).waitFor()
  }
}

/** On the page of settings: a preview, and then it is saved. */
async function change(page: Page, name: string, to: (page: Page, name: string) => Promise<unknown>): Promise<void> {
  await page.goto('/admin/settings')
  await to(page, name)
  await send(page, '/preview')
  await send(page, '/save')
}

const choosing = (value: string) => (page: Page, name: string) =>
  page.locator(`select[name="${name}"]`).selectOption(value)

/** What someone without an account gets at every address that they know. */
async function crawl({ world, origin }: Site, own: readonly string[]): Promise<string[]> {
  const paths = [...Object.values(forAnybody), ...own, '/sitemap.xml', '/feed.atom', '/llms.txt', '/openapi.json']
  const found: string[] = []
  for (const path of paths) {
    const answer = await world.app.fetch(new Request(`${origin}${path}`))
    if ((await answer.text()).includes(SECRET)) found.push(path)
  }
  return found
}

async function found(site: Site, page: Page): Promise<void> {
  const { world } = site
  await setUp(site, page)
  await dress(page)
  await addBoards(page)
  await change(page, 'AGENTS', (on, name) => on.locator(`[name="${name}"]`).fill('suggest'))
  await page.goto('/community/bugs/new')
  await page.locator('[name="title"]').fill(`${SECRET} is late`)
  await page.locator('[name="description"]').fill(`${SECRET} came at nine`)
  await page.locator('select[name="board"]').selectOption('engines')
  await page.locator('main form button[type="submit"]:not([formaction])').last().click()
  await page.waitForURL(/\/community\/bugs\/\d+-[a-z0-9-]+/)
  const bug = new URL(page.url()).pathname
  assert.match(await page.title(), /Acme Lab/)
  assert.match(await (await page.context().request.get('/')).text(), new RegExp(ACCENT, 'i'))
  const number = Number.parseInt(bug.split('/').at(-1)!, 10)
  const { id } = await (await page.context().request.get(`/api/community/numbers/${number}`)).json()
  const own = [
    bug,
    `/api/community/bugs/${id}`,
    '/api/community/bugs',
    '/api/community/feed',
    `/share/bug/${id}/card.svg`,
  ]
  assert.deepEqual(await crawl(site, own), [])
  const agent = await agentOf(world, world.alice)
  await assert.rejects(agent.bugs.create({ title: 'T', description: 'D', severity: 'low' }), { status: 403 })
  await change(page, 'READERS', choosing('everyone'))
  const shown = await crawl(site, own)
  for (const path of [bug, '/community/bugs', '/api/community/feed']) assert.ok(shown.includes(path), path)
}

describe('a community of one’s own', { skip }, () => {
  for (const language of ['en', 'de'])
    it(`is set up in a browser, and no one else reads it until it is public: ${language}`, async () => {
      await withSite(async (site) => {
        const { page, checkComplaints } = await visit(site, { scripted: false, language })
        const began = Date.now()
        await found(site, page)
        checkComplaints()
        assert.ok(Date.now() - began < SECONDS * 1000)
      })
    })
})
