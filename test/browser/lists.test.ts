// The first row of every list is near the top of the page: what stands above it is a title and one row of search and menus.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skip } from './chromium.ts'
import { furnish } from './listed.ts'
import { type Visitor, visit, withSite } from './site.ts'

/** Of a screen of 1440 by 868. */
const NEAR = 260

const lists = [
  '/community',
  '/community/bugs',
  '/community/bugs?status=open',
  '/community/features',
  '/community/posts',
  '/community/changelog',
  '/community/roadmap',
  '/community/orgs',
  '/community/members',
  '/library',
  '/library/workflows',
  '/search?q=lamp',
  '/notifications/following',
  '/admin/users',
  '/admin/labels',
  '/admin/boards',
  '/admin/audit',
]

/** Where the first row begins, in px. */
const firstRow = ({ page }: Visitor): Promise<number | undefined> =>
  page.evaluate(
    () => document.querySelector('main :is(.entries > li, .tiles > li, table)')?.getBoundingClientRect().top,
  )

describe('every list', { skip }, () => {
  it('has its first row near the top, in both languages', () =>
    withSite(async (site) => {
      const english = await visit(site, { name: 'mara', role: 'admin', width: 1440 })
      await furnish(site, english.account?.email ?? '')
      const german = await visit(site, { width: 1440, language: 'de' })
      await german.context.addCookies(await english.context.cookies())
      const far: string[] = []
      for (const visitor of [english, german]) {
        for (const path of lists) {
          await visitor.open(path)
          const top = await firstRow(visitor)
          if (top === undefined || top > NEAR) far.push(`${path}: ${top}`)
        }
        visitor.checkComplaints()
      }
      assert.deepEqual(far, [])
    }))
})
