// The pages in German: nothing for axe to find, no English sentence of the catalogue left, and nothing wider than the screen; and laid out
// from right to left, as a language that is written so would be.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { handbook } from '../../site/src/lib/documents.ts'
import { fill } from '../../src/demo/demo.ts'
import { englishSentences as left } from '../words/english.ts'
import { skip } from './chromium.ts'
import { furnish } from './instance.ts'
import { forAdmins, forAnybody } from './pages.ts'
import { PASSWORD, type Site, type Visitor, visit, withSite } from './site.ts'

/** Pages whose text is in English in any language, in an element that says so. */
const DOCUMENTS = new RegExp(`^/(blog|dev)|^(${handbook.map(({ href }) => href).join('|')})$`)

/** What a reader of the page sees and hears that is a sentence of the English catalogue. */
const englishOn = ({ page }: Visitor) =>
  page.evaluate(
    (sentences) => {
      const known = new Set(sentences)
      const spoken = [...document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')].flatMap((element) =>
        ['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
      )
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const { parentElement, textContent } = walker.currentNode
        // What members wrote, and what says that it is in English.
        if (!parentElement?.closest('.prose, [lang="en"]')) spoken.push(textContent ?? '')
      }
      return spoken.map((text) => text.trim().replace(/\s+/g, ' ')).filter((text) => known.has(text))
    },
    [...left],
  )

const widerThanItsScreen = ({ page }: Visitor) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

// Two visitors at once, as in pages.test.ts.
describe('the pages in German', { skip, concurrency: 2 }, () => {
  let site: Site
  let admin: string
  let finish: () => void
  let running: Promise<void>
  assert.ok(left.length > 200, `${left.length} sentences to look for`)
  // The addresses are known when the instance is furnished.
  const pagesOf = (pages: Readonly<Record<string, string>>) =>
    [...new Set(Object.values(pages))].filter((path) => !DOCUMENTS.test(path))

  before(async () => {
    await new Promise<void>((resolve, reject) => {
      running = withSite(async (opened) => {
        site = opened
        admin = (await fill(site.world.dependencies, { now: Date.now(), password: PASSWORD })).addresses['admin']!
        await furnish(site, admin)
        await new Promise<void>((end) => {
          finish = end
          resolve()
        })
      })
      running.catch(reject)
    })
  })
  after(async () => {
    finish?.()
    await running
  })

  for (const [who, named] of [
    ['anonymous users', forAnybody],
    ['admins', forAdmins],
  ] as const) {
    it(`are sound for ${who}, also from right to left`, { timeout: 900_000 }, async () => {
      const visitor = await visit(site)
      await visitor.context.setExtraHTTPHeaders({ 'Accept-Language': 'de' })
      const data = { email: admin, password: PASSWORD }
      if (who === 'admins') await visitor.context.request.post('/api/auth/sign-in/email', { data })
      const found: string[] = []
      for (const path of pagesOf(named)) found.push(...(await faultsOf(visitor, path)))
      assert.deepEqual(found, [])
      await visitor.context.close()
    })
  }

  it('have a title that is written from right to left beside what is said of it', async () => {
    const { world } = site
    const title = 'הסוכן שלי לא עונה'
    const { id } = await world.alice.posts.create({ title, body: 'שלום' })
    const visitor = await visit(site, { width: 1280 })
    await visitor.context.setExtraHTTPHeaders({ 'Accept-Language': 'de' })
    for (const path of ['/community/posts', `/community/posts/${id}`]) {
      await visitor.open(path)
      const ahead = await visitor.page.evaluate(aheadOf, title)
      assert.ok(ahead < 40, `${path}: ${ahead} px between the title and the line it begins`)
    }
    await visitor.context.close()
  })
})

/** How far the text of a title is from the left edge of what holds it, in px. */
function aheadOf(title: string): number {
  const heading = [...document.querySelectorAll('main :is(h1, h2, h3)')].find((one) => one.textContent?.includes(title))
  if (!heading) return Number.POSITIVE_INFINITY
  const range = document.createRange()
  range.selectNodeContents(heading)
  return range.getBoundingClientRect().left - heading.getBoundingClientRect().left
}

async function faultsOf(visitor: Visitor, path: string): Promise<string[]> {
  const { page } = visitor
  const { height } = page.viewportSize()!
  await page.setViewportSize({ width: 1280, height })
  await visitor.open(path)
  const found = (await englishOn(visitor)).map((text) => `says: ${text}`)
  const lang = await page.evaluate(() => document.documentElement.lang)
  if (lang !== 'de') found.push(`is in ${lang}`)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height })
    const wide = await widerThanItsScreen(visitor)
    if (wide > 0) found.push(`is ${wide} px wider than a screen of ${width} px`)
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
    const { violations } = await axe
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .analyze()
    found.push(...violations.map(({ id, nodes }) => `${id}, ${width} px wide: ${nodes[0]?.html.slice(0, 120)}`))
  }
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height })
    const wide = await widerThanItsScreen(visitor)
    if (wide > 0) found.push(`is ${wide} px wider than a screen of ${width} px from right to left`)
  }
  return found.map((fault) => `${path}: ${fault}`)
}
