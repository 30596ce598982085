// Every page on a living instance: valid HTML, nothing for axe to find in either theme, nothing a browser complains of, nothing wider than
// the screen. `npm run pictures` shows how they look.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { HtmlValidate } from 'html-validate'
import { fill } from '../../src/demo/demo.ts'
import { skip } from './chromium.ts'
import { furnish } from './instance.ts'
import { forAdmins, forAnybody, routes, shapeOf } from './pages.ts'
import { PASSWORD, type Site, type Visitor, visit, withSite } from './site.ts'

/** A provider whose button is on the pages, of which nothing is asked; and a page of the operator. */
const SETTINGS = {
  OWN_PAGES: JSON.stringify([{ slug: 'imprint', title: 'Imprint', body: 'The **guild** of the harbor.' }]),
  OIDC_ISSUER: 'https://sso.example.com',
  OIDC_CLIENT_ID: 'guildhall',
  OIDC_CLIENT_SECRET: 'the secret of a client at the provider',
  OIDC_NAME: 'Example SSO',
}

/** What the standard demands of a page. How Svelte writes a tag, and how long a title of a member is, is left aside. */
const html = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: {
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'doctype-style': 'off',
    'void-style': 'off',
    'long-title': 'off',
    'valid-id': ['error', { relaxed: true }],
    'aria-label-misuse': ['error', { allowAnyNamable: true }],
    'form-dup-name': ['error', { shared: ['radio', 'button', 'submit', 'checkbox'] }],
  },
})
/** The page of pieces has some of them twice. */
const pieces = { rules: { 'unique-landmark': 'off' } } as const

/** What is not valid in a page as the server sent it. */
async function invalidIn({ context }: Visitor, path: string): Promise<string[]> {
  const answer = await context.request.get(path)
  if (!answer.headers()['content-type']?.startsWith('text/html')) return []
  const report = await html.validateString(await answer.text(), path, path === '/dev/ui' ? pieces : {})
  const messages = report.results.flatMap((result) => result.messages)
  return messages.map(({ ruleId, message, line, column }) => `${path}:${line}:${column} ${ruleId}: ${message}`)
}

const WHOLE = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds: by all rules in the light theme, and in the dark one, whose page differs in colours alone, by the rule of contrast. */
async function faultsOf({ page }: Visitor, scheme: 'light' | 'dark'): Promise<string[]> {
  // A file that is shown in a frame has no script, and is checked by nothing.
  const apart = await page.locator('iframe[sandbox=""]').count()
  assert.equal(
    page.frames().length,
    1 + apart,
    'a page in one piece is checked in place, without a second page for the results',
  )
  // Colours change at once where no motion is wanted.
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  // Of what passes only the names are kept: every element of it, written as JSON, takes longer than the check.
  // The one frame, of a member's file, lets no script in.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], iframes: false })
  if (scheme === 'dark') axe.withRules('color-contrast')
  else axe.withTags(WHOLE)
  // The page of pieces has some of them twice.
  if (page.url().endsWith('/dev/ui')) axe.disableRules(['landmark-unique'])
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html }) => `${scheme}: ${id}: ${html.slice(0, 200)}`),
  )
}

// Two visitors at once: a page is checked in one process of the browser, and there is more than one core.
describe('every page', { skip, concurrency: 2 }, () => {
  let site: Site
  let admin: string
  let finish: () => void
  let running: Promise<void>

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
      }, SETTINGS)
      running.catch(reject)
    })
  })
  after(async () => {
    finish?.()
    await running
  })

  async function visitAs(who: 'anonymous users' | 'admins', options?: Parameters<typeof visit>[1]): Promise<Visitor> {
    const visitor = await visit(site, options)
    const data = { email: admin, password: PASSWORD }
    if (who === 'admins') await visitor.context.request.post('/api/auth/sign-in/email', { data })
    return visitor
  }

  it('is one of those that are looked at', () => {
    const paths = [...Object.values(forAnybody), ...Object.values(forAdmins)].map(
      (path) => new URL(path, 'http://localhost').pathname,
    )
    const missing = routes.filter((route) => !paths.some((path) => shapeOf(route).test(path)))
    assert.deepEqual(missing, [])
  })

  for (const [who, pages] of [
    ['anonymous users', forAnybody],
    ['admins', forAdmins],
  ] as const) {
    it(`is valid HTML for ${who}`, { timeout: 900_000 }, async () => {
      const visitor = await visitAs(who)
      const found: string[] = []
      for (const path of Object.values(pages)) found.push(...(await invalidIn(visitor, path)))
      assert.deepEqual(found, [])
      await visitor.context.close()
    })

    for (const width of [1280, 390]) {
      it(`is sound for ${who}, light and dark, ${width} px wide`, { timeout: 900_000 }, async () => {
        const visitor = await visitAs(who, { width })
        const { page } = visitor
        const found: string[] = []
        for (const path of Object.values(pages)) {
          await visitor.open(path)
          // The narrowest that WCAG 2.2, 1.4.10 asks for, too.
          const { height } = page.viewportSize()!
          for (const screen of width < 600 ? [320, width] : [width]) {
            await page.setViewportSize({ width: screen, height })
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
            if (wide > 0) found.push(`${path} is ${wide} px wider than a screen of ${screen} px`)
          }
          for (const scheme of ['light', 'dark'] as const)
            found.push(...(await faultsOf(visitor, scheme)).map((fault) => `${path} ${fault}`))
        }
        assert.deepEqual(found, [])
        visitor.checkComplaints()
        await visitor.context.close()
      })
    }
  }
})
