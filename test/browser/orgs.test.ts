// The org gallery in a browser, with script and without.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { skip } from './chromium.ts'
import { type Site, visit, withSite } from './site.ts'

const fixture = fileURLToPath(new URL('../fixtures/org-invoice-desk.json', import.meta.url))
const orgJson = await readFile(fixture, 'utf8')

const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

async function picture() {
  const { default: sharp } = await import('sharp')
  const background = { r: 180, g: 90, b: 40 }
  const buffer = await sharp({ create: { width: 600, height: 200, channels: 3, background } })
    .png()
    .toBuffer()
  return { name: 'desk.png', mimeType: 'image/png', buffer }
}

/** What runs a page comes a second after the page. */
const lateScripts = (page: Page) =>
  page.route('**/_app/immutable/**/*.js', async (route) => {
    await setTimeout(1_000)
    await route.continue()
  })

const journeys: Record<string, (site: Site, scripted: boolean) => Promise<void>> = {
  async 'is given a file: what is wrong is said by its path, and what was sent stays'(site, scripted) {
    const { page, open } = await visit(site, { scripted, name: 'mara' })
    await open('/community/orgs/new')
    const wrong = '{ "name": "Desk", "roles": [{ "id": "" }] }'
    await page.getByLabel('Org file').setInputFiles(file('desk.json', wrong))
    if (scripted) await page.getByText('desk.json is in the field below: Desk, 1 role.').waitFor()
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('At roles.0.id: expected a string of at least 1 character').waitFor()
    assert.equal(await page.getByLabel('Definition').inputValue(), wrong)
    await page.getByLabel('Org file').setInputFiles(fixture)
    if (scripted) await page.getByText('org-invoice-desk.json is in the field below').waitFor()
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.waitForURL('**/community/orgs/invoice-desk')
    await page.getByRole('link', { name: /^Matcher/ }).waitFor()
    await page.goBack()
    await page.getByLabel('Sections').getByRole('link', { name: 'Orgs' }).click()
    await page.getByRole('heading', { name: 'invoice-desk' }).waitFor()
    assert.equal(await (await site.world.anonymous.orgs.definition({ id: 'invoice-desk' })).text(), orgJson)
  },

  async 'leads from the chart to a role, and opens it'(site, scripted) {
    const { id } = await site.world.alice.orgs.create({ orgJson })
    const { page, open, checkComplaints } = await visit(site, { scripted })
    await open(`/community/orgs/${id}`)
    assert.match(page.url(), /\/community\/orgs\/invoice-desk$/, 'an id leads to the address with the name')
    await page.getByRole('link', { name: /^Matcher/ }).click()
    await page.getByText('three-way match').waitFor()
    await page.waitForFunction(() => scrollY > 0)
    await page.goBack()
    await page.waitForURL(/\/invoice-desk$/)
    checkComplaints()
  },

  async 'takes the files of a run from any member, and shows them without letting them do anything'(site, scripted) {
    await site.world.alice.orgs.create({ orgJson })
    const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
    await open('/community/orgs/invoice-desk')
    const attach = async (...files: ReturnType<typeof file>[]) => {
      await page.getByLabel('Files').setInputFiles(files)
      await page.getByRole('button', { name: 'Attach', exact: true }).click()
    }
    await page.getByText('Attach a run').click()
    await page.getByLabel('Label').fill('The first week')
    await attach(file('report.pdf', 'x'))
    await page.getByText('Each must have a name that ends in .md or .html').waitFor()
    assert.equal(await page.getByLabel('Label').inputValue(), 'The first week')
    const html = '<h1>Done</h1><style>h1 { color: rgb(1, 2, 3) }</style>'
    await attach(file('report.md', 'All of it **matched**.'), file('report.html', html))
    await page.getByRole('heading', { name: '1 run' }).waitFor()
    await page.getByRole('link', { name: 'report.md' }).click()
    await page.getByRole('heading', { level: 1, name: 'The first week' }).waitFor()
    assert.equal(await page.locator('article strong').textContent(), 'matched')
    await page.getByRole('link', { name: 'report.html' }).click()
    await page.frameLocator('iframe').getByText('Done').waitFor()
    assert.equal(await page.locator('iframe').getAttribute('sandbox'), '')
    await page.getByRole('link', { name: 'Runs' }).click()
    await page.locator('#runs').getByText('Delete', { exact: true }).click()
    await page.getByRole('button', { name: 'Delete run' }).click()
    await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
    checkComplaints()
  },

  async 'is changed by its owner: a picture gives a line for the text, a banner comes with saving'(site, scripted) {
    const { page, checkComplaints } = await visit(site, { scripted, name: 'mara' })
    await lateScripts(page)
    await page.goto('/community/orgs/new', { waitUntil: 'commit' })
    await page.getByLabel('Definition').fill(orgJson)
    await page.waitForLoadState('networkidle')
    assert.equal(await page.getByLabel('Definition').inputValue(), orgJson, 'typed before the script arrived')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Tagline').fill('Before you are up')
    await page.getByLabel('Picture for the text').setInputFiles(await picture())
    await page.getByRole('button', { name: 'Upload picture' }).click()
    const line = await page.locator('.copy code').innerText()
    assert.match(line, /^!\[What it shows\]\(\/api\/images\/org\/[\w-]+\)$/)
    assert.equal(await page.getByLabel('Tagline').inputValue(), 'Before you are up')
    await page.getByLabel('Text', { exact: true }).fill(`## Set-up\n\n${line}`)
    await page.getByLabel('Banner').setInputFiles(await picture())
    await page.getByLabel('Tagline').press('Enter')
    await page.getByRole('heading', { name: 'Set-up' }).waitFor()
    const { tagline, body, bannerUrl, description } = await site.world.anonymous.orgs.get({ id: 'invoice-desk' })
    assert.deepEqual([tagline, body, description], ['Before you are up', `## Set-up\n\n${line}`, null])
    assert.match(bannerUrl!, /^\/api\/images\/org\//)
    assert.equal(await page.locator('main img:not(.avatar, [alt^="Card of"])').count(), 2)
    checkComplaints()
  },
}

for (const scripted of [true, false]) {
  describe(`the org gallery, ${scripted ? 'with' : 'without'} script,`, { skip }, () => {
    for (const [sentence, journey] of Object.entries(journeys)) {
      it(sentence, () => withSite((site) => journey(site, scripted)))
    }
  })
}
