// The pages in German: nothing for axe to find, no English sentence of the catalogue left, and nothing wider than the screen; and laid out
// from right to left, as a language that is written so would be.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { fill } from '../../src/demo/demo.ts'
import { englishSentences as left } from '../words/english.ts'
import { skip } from './chromium.ts'
import { forAnybody } from './instance.ts'
import { PASSWORD, type Site, type Visitor, visit, withSite } from './site.ts'

/** Pages whose text is in English in any language, in an element that says so: what is made from contracts, guides and legal texts. */
const DOCUMENTS = /^\/(docs|privacy|terms|blog)/

/** What a reader of the page sees and hears that is a sentence of the English catalogue. */
const englishOn = ({ page }: Visitor) =>
  page.evaluate(
    (sentences) => {
      const known = new Set(sentences)
      const spoken = [...document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')].flatMap((element) =>
        ['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
      )
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) spoken.push(walker.currentNode.textContent ?? '')
      return spoken.map((text) => text.trim().replace(/\s+/g, ' ')).filter((text) => known.has(text))
    },
    [...left],
  )

const widerThanItsScreen = ({ page }: Visitor) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

describe('the pages in German', { skip }, () => {
  let site: Site
  let finish: () => void
  let running: Promise<void>
  assert.ok(left.length > 200, `${left.length} sentences to look for`)
  const pages = Object.values(forAnybody).filter((path) => !DOCUMENTS.test(path) && !path.startsWith('/api/'))

  before(async () => {
    await new Promise<void>((resolve, reject) => {
      running = withSite(async (opened) => {
        site = opened
        await fill(site.world.dependencies, { now: Date.now(), password: PASSWORD })
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

  for (const width of [1280, 390]) {
    it(`are sound, ${width} px wide, also from right to left`, { timeout: 240_000 }, async () => {
      const visitor = await visit(site, { width })
      const { page, context } = visitor
      await context.setExtraHTTPHeaders({ 'Accept-Language': 'de' })
      const found: string[] = []
      for (const path of pages) {
        await visitor.open(path)
        const lang = await page.evaluate(() => document.documentElement.lang)
        if (lang !== 'de') found.push(`${path} is in ${lang}`)
        for (const text of await englishOn(visitor)) found.push(`${path} says: ${text}`)
        const wide = await widerThanItsScreen(visitor)
        if (wide > 0) found.push(`${path} is ${wide} px wider than its screen`)
        const { violations } = await new AxeBuilder({ page })
          .setLegacyMode()
          .options({ resultTypes: ['violations'] })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
          .analyze()
        found.push(...violations.map(({ id, nodes }) => `${path}: ${id}: ${nodes[0]?.html.slice(0, 120)}`))
        await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
        const turned = await widerThanItsScreen(visitor)
        if (turned > 0) found.push(`${path} is ${turned} px wider than its screen from right to left`)
      }
      assert.deepEqual(found, [])
    })
  }
})
