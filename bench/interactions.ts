// How long a page takes to show what was pressed or typed, on a phone of 390 px with a quarter of this processor: the worst of some rounds,
// as browsers report it (Interaction to Next Paint, in steps of 8 ms). The CPU of the page alone, which depends less on what else this
// machine does, is beside it. Needs Chromium.
import './parts/either-engine.ts'
import type { Locator } from 'playwright-core'
import { fill } from '../src/demo/demo.ts'
import { PASSWORD, visit, withSite } from '../test/browser/site.ts'
import { figure } from './parts/figures.ts'

const ROUNDS = 3
/** In ms, after which nothing happens any more. */
const SETTLED = 700
const SLOWER = 4
const LIMIT = { atMost: 100 }
/** Fewer are not reported by browsers. */
const LEAST_MILLISECONDS = 16

/** Runs in the page: reports every event of a person with how long it took until the page showed what came of it. */
function observe(least: number): void {
  const told = (globalThis as unknown as { told(milliseconds: number): void }).told
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (Reflect.get(entry, 'interactionId')) told(entry.duration)
  }).observe({ type: 'event', buffered: true, durationThreshold: least } as PerformanceObserverInit)
}

await withSite(async (site) => {
  const { addresses } = await fill(site.world.dependencies, { now: Date.now(), password: PASSWORD })
  const { page, context, open } = await visit(site, { width: 390 })
  context.setDefaultTimeout(60_000)
  await context.request.post('/api/auth/sign-in/email', { data: { email: addresses.member, password: PASSWORD } })
  let taken: number[] = []
  await page.exposeFunction('told', (milliseconds: number) => taken.push(milliseconds))
  await page.addInitScript(observe, LEAST_MILLISECONDS)
  const device = await context.newCDPSession(page)
  const slowedBy = (rate: number) => device.send('Emulation.setCPUThrottlingRate', { rate })
  await device.send('Performance.enable', { timeDomain: 'threadTicks' })
  /** What the page has worked so far, in ms of CPU. */
  const worked = async () => {
    const { metrics } = await device.send('Performance.getMetrics')
    const parts = metrics.filter(({ name }) => /^(?:Script|RecalcStyle|Layout)Duration$/.test(name))
    return parts.reduce((sum, { value }) => sum + value * 1_000, 0)
  }

  const measure = async (name: string, path: string, act: () => Promise<number>) => {
    const shown: number[] = []
    const work: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      await open(path)
      await page.waitForLoadState('networkidle')
      const before = await worked()
      const times = await act()
      await page.waitForTimeout(SETTLED)
      // Another page begins at nothing.
      work.push(Math.max(0, (await worked()) - before) / times)
      await open(path)
      await page.waitForLoadState('networkidle')
      await slowedBy(SLOWER)
      taken = []
      await act()
      await page.waitForTimeout(SETTLED)
      await slowedBy(1)
      // The first round compiles what the others run.
      if (round > 0) shown.push(Math.max(0, ...taken))
    }
    figure(`${name}: script, style and layout`, Math.min(...work) * SLOWER, 'ms', LIMIT)
    figure(`${name}: until it is shown`, Math.max(...shown), 'ms', LIMIT)
  }
  const press = async (target: Locator) => {
    await target.click()
    return 1
  }
  const type = async (field: Locator, text: string) => {
    await field.pressSequentially(text, { delay: 60 })
    return text.length
  }
  const first = (selector: string) => page.locator(selector).first()
  await measure('vote', '/community', () => press(first('[data-vote] button')))
  await measure('open an entry', '/community', () => press(first('.entries h2 a')))
  await measure('open a menu', '/community', () => press(page.getByRole('button', { name: 'New', exact: true })))
  await measure('filter', '/community/bugs', () => press(page.getByLabel('Severity').getByRole('link').nth(1)))
  await measure('type a post', '/community/posts/new', () =>
    type(first('main textarea'), 'It **works** as @ma and #12 say'),
  )
  await measure('type a search', '/search', () => type(first('main input[name="q"]'), 'digest of the week'))
})
// The browser, which tests share until their end, goes with the process.
process.exit()
