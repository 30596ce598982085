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

  async 'leads from the chart to a role, and opens it: beside the chart where a script runs'(site, scripted) {
    const { id } = await site.world.alice.orgs.create({ orgJson })
    const { page, open, checkComplaints } = await visit(site, { scripted })
    await open(`/community/orgs/${id}`)
    assert.match(page.url(), /\/community\/orgs\/invoice-desk$/, 'an id leads to the address with the name')
    const role = page.getByRole('link', { name: /^Matcher/ })
    await role.hover()
    await page.locator(scripted ? '.drawing.moving' : '.drawing').waitFor()
    await role.click()
    if (scripted) {
      const panel = page.getByRole('region', { name: 'Role', exact: true })
      await panel.getByText('three-way match').first().waitFor()
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Matcher')
      await page.keyboard.press('Escape')
      assert.equal(await panel.isVisible(), false)
      assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? '', /^Matcher/)
      assert.match(page.url(), /\/invoice-desk$/)
    } else {
      await page.getByText('three-way match').waitFor()
      await page.waitForFunction(() => scrollY > 0)
      await page.goBack()
      await page.waitForURL(/\/invoice-desk$/)
    }
    checkComplaints()
  },

  async 'shows two runs side by side, with what differs'(site, scripted) {
    const { world } = site
    const { id } = await world.alice.orgs.create({ orgJson })
    const report = (text: string) => new File([text], 'report.md', { type: 'text/markdown' })
    await world.alice.orgRuns.add({ id, label: 'Monday', files: [report('All 412 matched.\n')] })
    const { page, open, checkComplaints } = await visit(site, { scripted })
    await open('/community/orgs/invoice-desk/compare')
    await page.getByText('Nothing to compare yet').waitFor()
    const more = new File(['# More'], 'more.md', { type: 'text/markdown' })
    await world.alice.orgRuns.add({ id, label: 'Tuesday', files: [report('All 63 matched.\n'), more] })
    await open('/community/orgs/invoice-desk')
    await page.getByLabel('Compare Monday').check()
    await page.getByLabel('Compare Tuesday').check()
    await page.getByRole('button', { name: 'Compare two runs' }).click()
    await page.getByRole('heading', { level: 1, name: 'Runs side by side' }).waitFor()
    assert.deepEqual(await page.locator('main h2').allInnerTexts(), ['Monday', 'Tuesday'])
    assert.equal(await page.locator('del').innerText(), '412')
    assert.equal(await page.locator('ins').innerText(), '63')
    await page.getByText('Not in the first run').waitFor()
    const places = await page.locator('main h2').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    assert.equal(places[0], places[1], 'side by side')
    await page.setViewportSize({ width: 390, height: 844 })
    const below = await page.locator('main h2').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    assert.ok(below[0]! < below[1]!, 'one below the other')
    await page.getByLabel('Second run').selectOption({ index: 1 })
    if (!scripted) await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('This is one run twice').waitFor()
    checkComplaints()
  },

  async 'takes the files of a run from any member, and shows them without letting them do anything'(site, scripted) {
    await site.world.alice.orgs.create({ orgJson })
    const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
    await open('/community/orgs/invoice-desk')
    const attach = async (...files: ReturnType<typeof file>[]) => {
      await page.locator('input[type=file]').and(page.getByLabel('Files')).setInputFiles(files)
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

  async 'is changed by its owner: pictures are put into the text, and a chosen banner is not lost with them'(
    site,
    scripted,
  ) {
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
    await page.getByLabel('Banner').setInputFiles(await picture())
    await page.getByLabel('Picture for the text').setInputFiles(await picture())
    await page.getByRole('button', { name: 'Upload picture' }).click()
    await page.getByAltText('The new banner, not saved yet').waitFor()
    assert.equal(await page.getByLabel('Tagline').inputValue(), 'Before you are up')
    const text = page.getByLabel('Text', { exact: true })
    await text.fill('## Set-up')
    if (scripted) {
      await page.getByRole('button', { name: 'Insert picture 1' }).click()
      await page.waitForFunction(() => getSelection()?.toString() === 'What it shows')
      assert.match(
        await text.inputValue(),
        /^## Set-up\n\n!\[What it shows\]\(\/api\/images\/org\/[\w-]+\?size=600x200\)\n$/,
      )
      await page.keyboard.type('The desk')
    }
    await page
      .getByLabel('Picture for the text')
      .setInputFiles({ ...file('late.png', 'no picture'), mimeType: 'image/png' })
    await page.getByRole('button', { name: 'Save', exact: true }).last().click()
    await page.getByText('must be a PNG').waitFor()
    await page.getByAltText('The new banner, not saved yet').waitFor()
    await page.getByLabel('Picture for the text').setInputFiles(await picture())
    await page.getByLabel('Tagline').press('Enter')
    await page.getByRole('heading', { name: 'Set-up' }).waitFor()
    const { tagline, body, bannerUrl, description } = await site.world.anonymous.orgs.get({ id: 'invoice-desk' })
    assert.deepEqual([tagline, description], ['Before you are up', null])
    const lines = body!.split('\n\n').map((line) => line.replace(/\(.*\)/, ''))
    assert.deepEqual(lines, ['## Set-up', scripted ? '![The desk]' : '![What it shows]', '![What it shows]'])
    assert.match(bannerUrl!, /^\/api\/images\/org\//)
    assert.equal(await page.locator('main img:not(.avatar, [alt^="Card of"], [alt*=" in the "])').count(), 3)
    checkComplaints()
  },
}

describe('the org chart', { skip }, () => {
  it('zooms and moves by keyboard, buttons, wheel and drag, and leaves the scrolling to the page', () =>
    withSite(async (site) => {
      await site.world.alice.orgs.create({ orgJson })
      const { page, open, checkComplaints } = await visit(site)
      await open('/community/orgs/invoice-desk')
      const svg = page.locator('.drawing svg')
      const width = async () => (await svg.boundingBox())!.width
      const box = page.locator('.drawing')
      const { height } = (await box.boundingBox())!
      await box.hover()
      await page.locator('.drawing.moving').waitFor()
      const first = await width()
      await page.getByRole('button', { name: 'Zoom in' }).click()
      assert.ok(Math.abs((await width()) / first - 1.25) < 0.01)
      for (let n = 0; n < 4; n++) await page.keyboard.press('+')
      const large = await width()
      assert.ok(large > 2 * first)
      assert.equal((await box.boundingBox())!.height, height, 'nothing below it moves')
      const scrolled = () => box.evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop])
      const before = await scrolled()
      const { x, y } = (await box.boundingBox())!
      await page.mouse.move(x + 300, y + 60)
      await page.mouse.down()
      await page.mouse.move(x + 200, y + 30, { steps: 4 })
      await page.mouse.up()
      assert.deepEqual(await scrolled(), [before[0]! + 100, before[1]! + 30])
      await page.keyboard.press('ArrowLeft')
      assert.equal((await scrolled())[0], before[0]! + 40)
      await page.mouse.wheel(0, 200)
      await page.waitForFunction(() => scrollY > 100)
      assert.equal((await scrolled())[1], before[1]! + 30, 'the wheel alone scrolls the page')
      await box.hover()
      await page.keyboard.down('Control')
      await page.mouse.wheel(0, 200)
      await page.keyboard.up('Control')
      await page.waitForFunction((was) => document.querySelector('.drawing svg')!.clientWidth < was, large * 0.9)
      await page.getByRole('button', { name: 'Fit' }).click()
      assert.ok((await width()) <= (await box.boundingBox())!.width)
      checkComplaints()
    }))
})

for (const scripted of [true, false]) {
  describe(`the org gallery, ${scripted ? 'with' : 'without'} script,`, { skip }, () => {
    for (const [sentence, journey] of Object.entries(journeys)) {
      it(sentence, () => withSite((site) => journey(site, scripted)))
    }
  })
}
