// Every page on a living instance: nothing for axe to find in either theme, nothing a browser complains of, nothing wider than the
// screen. The main pages are pictured in `screenshots/`, for a person to look at.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { fill } from '../../src/demo/demo.ts'
import { skip } from './chromium.ts'
import { forAdmins, forAnybody, furnish } from './instance.ts'
import { PASSWORD, type Site, type Visitor, visit, withSite } from './site.ts'

const FOLDER = join(import.meta.dirname, '../../screenshots')
/** A provider whose button is on the pages; nothing is asked of it. */
const EXTERNAL = {
  OIDC_ISSUER: 'https://sso.example.com',
  OIDC_CLIENT_ID: 'guildhall',
  OIDC_CLIENT_SECRET: 'the secret of a client at the provider',
  OIDC_NAME: 'Example SSO',
}

const PICTURED = new Set([
  'home',
  'home-of-a-member',
  'feed',
  'bugs',
  'bug',
  'roadmap',
  'changelog',
  'release',
  'merged-admin',
  'new-release',
  'draft',
  'drafts',
  'org',
  'library',
  'search',
  'item',
  'item-file',
  'workflow',
  'device',
  'upload',
  'settings',
  'following',
  'person',
  'person-comments',
  'members',
  'case',
  'data',
  'audit',
  'guide',
  'sign-in',
  'consent',
  'admin-webhook',
  'item-webhooks',
  'item-with-findings',
  'item-compare',
  'item-version',
  'item-owners',
  'invitations',
  'approvals',
  'approval',
  'app',
  'agent',
  'security',
  'team',
  'team-edit',
  'teams',
])

async function faultsOf({ page }: Visitor): Promise<string[]> {
  assert.equal(
    page.frames().length,
    1,
    'a page in one piece is checked in place, without a second page for the results',
  )
  // Of what passes only the names are kept: every element of it, written as JSON, takes longer than the check.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  // The page of pieces has some of them twice.
  if (page.url().endsWith('/dev/ui')) axe.disableRules(['landmark-unique'])
  const { violations } = await axe
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  return violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}

// Two visitors at once: a page is checked in one process of the browser, and there is more than one core.
describe('every page', { skip, concurrency: 2 }, () => {
  let site: Site
  let admin: string
  let finish: () => void
  let running: Promise<void>

  before(async () => {
    mkdirSync(FOLDER, { recursive: true })
    await new Promise<void>((resolve, reject) => {
      running = withSite(async (opened) => {
        site = opened
        admin = (await fill(site.world.dependencies, { now: Date.now(), password: PASSWORD })).addresses['admin']!
        await furnish(site, admin)
        await new Promise<void>((end) => {
          finish = end
          resolve()
        })
      }, EXTERNAL)
      running.catch(reject)
    })
  })
  after(async () => {
    finish?.()
    await running
  })

  for (const [who, pages] of [
    ['anonymous users', forAnybody],
    ['admins', forAdmins],
  ] as const) {
    for (const scheme of ['light', 'dark'] as const) {
      for (const width of [1280, 390]) {
        it(`is sound for ${who}, ${scheme}, ${width} px wide`, { timeout: 240_000 }, async () => {
          const visitor = await visit(site, { scheme, width })
          if (who === 'admins') {
            const data = { email: admin, password: PASSWORD }
            await visitor.context.request.post('/api/auth/sign-in/email', { data })
          }
          const { page } = visitor
          const found: string[] = []
          for (const [name, path] of Object.entries(pages)) {
            await visitor.open(path)
            if (PICTURED.has(name)) {
              await page.evaluate(() => document.fonts.ready)
              await page.screenshot({ path: join(FOLDER, `${name}-${scheme}-${width}.png`) })
            }
            // The narrowest that WCAG 2.2, 1.4.10 asks for, too.
            const { height } = page.viewportSize()!
            for (const screen of width < 600 ? [320, width] : [width]) {
              await page.setViewportSize({ width: screen, height })
              const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
              if (wide > 0) found.push(`${path} is ${wide} px wider than a screen of ${screen} px`)
            }
            found.push(...(await faultsOf(visitor)).map((fault) => `${path} ${fault}`))
          }
          assert.deepEqual(found, [])
          visitor.checkComplaints()
          await visitor.context.close()
        })
      }
    }
  }
})
