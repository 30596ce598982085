// A page with a member's file in it never has power: what a member uploads is not taken for a page of ours, however a link
// writes its address, and whoever follows it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { skip } from './chromium.ts'
import { type Site, visit, withSite } from './site.ts'

/** What a member would like an admin to see as our page: the form of another, in the frame of ours. */
const hostile = (userId: string) => `<!doctype html><html lang="en"><head><title>Guildhall</title></head><body>
<main id="main" tabindex="-1"><h1>Confirm</h1>
<form method="post" action="/admin/users?/role" data-enhance><input type="hidden" name="id" value="${userId}"><input type="hidden" name="role" value="admin"><button>Confirm</button></form>
<form data-vote data-score="0" data-mine="0"><button value="1">Up</button></form>
</main></body></html>`

interface Trap {
  site: Site
  /** The file's path, by its own name. */
  path: string
  /** A post whose text links to the file in every way. */
  post: string
  attackerId: string
}

/** Other names for one path. Some are refused, some lead to the plain one; none may end as our page. */
const spellings = (path: string): string[] => [
  path,
  path.replace('/api/', '/%61pi/'),
  path.replace('/api/', '/a%70%69/'),
  path.replace('/community/', '/%63ommunity/'),
  path.replace('/api/', '/./api/'),
  path.replace('/api/', '/x/../api/'),
  path.replace('/api/', '/x/%2e%2e/api/'),
  path.replace('/api/', '//api/'),
  path.replace('/api/', '/api%2f'),
  path.replace('/api/', '\\api\\'),
  path.replace('/api/', '/API/'),
  `${path}?/admin`,
  `${path}#main`,
  `${path}/`,
]

async function withTrap(work: (trap: Trap) => Promise<void>): Promise<void> {
  await withSite(async (site) => {
    const { world } = site
    const { id: attackerId } = await world.alice.account()
    const { id } = await world.alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
    const run = await world.alice.orgRuns.add({ id, files: [new File([hostile(attackerId)], 'report.html')] })
    const path = `/api/community/org-run-files/${run.files[0]!.id}`
    const links = spellings(path).map((address, index) => `[way ${index}](${address})`)
    const post = await world.alice.posts.create({ title: 'Look', body: links.join('\n\n') })
    await work({ site, path, post: `/community/posts/${post.id}`, attackerId })
  })
}

const roleOf = async ({ site: { world }, attackerId }: Trap) =>
  (await world.db.selectFrom('user').select('role').where('id', '=', attackerId).executeTakeFirstOrThrow()).role

/** Nothing of the file is in a document that has power here, once whatever was set off has come to rest. */
async function checkHarmless(page: Page, origin: string, how: string): Promise<void> {
  const look = () =>
    page.evaluate(() => ({
      isOurs: window.origin === location.origin,
      hasForm: document.querySelector('form[action*="role"]') !== null,
    }))
  await page.waitForLoadState('networkidle')
  // A page on its way takes the one that was asked with it.
  const { isOurs, hasForm } = await look().catch(() => page.waitForLoadState('networkidle').then(look))
  assert.ok(!(isOurs && hasForm), `${how}: the file is in a page of ${origin}`)
}

/** Clicks what the file would have an admin click, where it is shown at all. */
async function clickWhatItOffers(page: Page): Promise<void> {
  for (const name of ['Confirm', 'Up']) {
    const button = page.getByRole('button', { name, exact: true })
    if (await button.count())
      await button
        .first()
        .click({ timeout: 1_000 })
        .catch(() => {})
  }
  await page.waitForTimeout(150)
}

describe("a member's file in the browser of an admin", { skip }, () => {
  it('is not put into a page, whichever way a link to it is written', () =>
    withTrap(async (trap) => {
      const { site, post, path } = trap
      const { page, open } = await visit(site, { name: 'root', role: 'admin' })
      for (const [index, spelling] of spellings(path).entries()) {
        await open(post)
        const link = page.getByRole('link', { name: `way ${index}`, exact: true })
        if (!(await link.count())) continue
        await link.click()
        await page.waitForTimeout(100)
        await checkHarmless(page, site.origin, spelling)
        await clickWhatItOffers(page)
        assert.equal(await roleOf(trap), 'member', spelling)
      }
    }))

  it('is not put into a page by a form, by going back, or by a redirect either', () =>
    withTrap(async (trap) => {
      const { site, post, path } = trap
      const { page, open } = await visit(site, { name: 'root', role: 'admin' })
      for (const address of spellings(path)) {
        await open(post)
        // Worse than a member can do: a form of our own page whose action is the file, and an address in the history.
        await page.evaluate((action) => {
          const form = document.createElement('form')
          form.action = action
          form.id = 'planted'
          form.append(document.createElement('button'))
          document.body.append(form)
        }, address)
        await page.locator('#planted button').evaluate((button) => (button as HTMLButtonElement).click())
        await page.waitForTimeout(100)
        await checkHarmless(page, site.origin, `form to ${address}`)
      }
      await open(post)
      await page.evaluate((address) => {
        history.pushState({}, '', address)
        history.pushState({}, '', '/community')
      }, path)
      await page.goBack()
      await page.waitForTimeout(100)
      await checkHarmless(page, site.origin, 'back')
      await open(post)
      await page.route('**/community/led', (route) => route.fulfill({ status: 302, headers: { Location: path } }))
      await page.evaluate(() => {
        const link = document.createElement('a')
        link.href = '/community/led'
        link.id = 'led'
        link.textContent = 'Led'
        document.body.append(link)
      })
      await page.locator('#led').click()
      await page.waitForTimeout(100)
      await checkHarmless(page, site.origin, 'redirect')
      assert.equal(await roleOf(trap), 'member')
    }))

  it('has its own form refused where it is shown by itself', () =>
    withTrap(async (trap) => {
      const { site, path } = trap
      const { page, open } = await visit(site, { name: 'root', role: 'admin' })
      await open(path)
      assert.equal(await page.evaluate(() => window.origin), 'null')
      await clickWhatItOffers(page)
      assert.equal(await roleOf(trap), 'member')
    }))

  it('cannot be made a page by a script that forgot itself: text is no HTML here', () =>
    withTrap(async ({ site, post }) => {
      const { page, open } = await visit(site, { name: 'root', role: 'admin' })
      await open(post)
      const refused = await page.evaluate(() => {
        const tries = {
          innerHTML: () => (document.body.innerHTML = '<p>x</p>'),
          parse: () => new DOMParser().parseFromString('<p>x</p>', 'text/html'),
          write: () => document.write('<p>x</p>'),
          script: () => (document.createElement('script').src = '/x.js'),
          policy: () =>
            (
              window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
            ).trustedTypes.createPolicy('other', {}),
        }
        return Object.entries(tries)
          .filter(([, attempt]) => {
            try {
              attempt()
              return false
            } catch {
              return true
            }
          })
          .map(([name]) => name)
      })
      assert.deepEqual(refused, ['innerHTML', 'parse', 'write', 'script', 'policy'])
    }))
})
