// Every page on a living instance: nothing for axe to find in either theme, nothing a browser complains of, nothing wider than the
// screen. The main pages are pictured in `screenshots/`, for a person to look at.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { allScopes } from '../../src/contract/scopes.ts'
import { fill } from '../../src/demo/demo.ts'
import { required } from '../../src/runtime/untyped.ts'
import { workflowFile } from '../library.ts'
import { oauthClient } from '../oauth.ts'
import { newBrowser } from '../visitors.ts'
import { home } from '../webhook-receiver.ts'
import { skip } from './chromium.ts'
import { PASSWORD, type Site, type Visitor, visit, withSite } from './site.ts'

const FOLDER = join(import.meta.dirname, '../../screenshots')
const PICTURED = new Set([
  'home',
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
  'case',
  'data',
  'audit',
  'guide',
  'sign-in',
  'consent',
  'admin-webhook',
  'item-webhooks',
])

/** Pages by name, for whom they are; filled in when the instance is. */
type Pages = Record<string, string>
const forAnybody: Pages = {
  home: '/',
  feed: '/community',
  popular: '/community?sort=popular&page=1',
  'feed-of-one-kind': '/community?type=bug',
  'feed-past-its-end': '/community?type=automation&page=9',
  bugs: '/community/bugs',
  'bugs-none': '/community/bugs?q=nothing+has+these+words',
  features: '/community/features',
  posts: '/community/posts',
  roadmap: '/community/roadmap',
  changelog: '/community/changelog',
  orgs: '/community/orgs',
  blog: '/blog',
  'search-start': '/search',
  search: '/search?q=digest',
  'search-of-types': '/search?q=agent&type=bug%2Ccomment',
  'search-none': '/search?q=xyzzyplugh',
  library: '/library',
  workflows: '/library/workflows',
  automations: '/library/automations',
  'library-orgs': '/library/orgs',
  guide: '/docs',
  authentication: '/docs/authentication',
  errors: '/docs/errors',
  mcp: '/docs/mcp',
  'webhooks-guide': '/docs/webhooks',
  reference: '/docs/reference',
  privacy: '/privacy',
  terms: '/terms',
  'moderation-log': '/moderation',
  appeal: '/appeal?token=x',
  'sign-in': '/sign-in',
  'sign-up': '/sign-up',
  'forgot-password': '/forgot-password',
  'not-found': '/nothing/here',
  'email-undo': '/email-undo?token=x',
  'sign-in-for-an-app': '/oauth/sign-in',
  'app-unknown': '/api/auth/oauth2/authorize?client_id=nobody',
}
const forAdmins: Pages = {
  onboarding: '/onboarding',
  'new-bug': '/community/bugs/new',
  'new-feature': '/community/features/new',
  'new-post': '/community/posts/new',
  'new-release': '/community/changelog/new',
  'new-org': '/community/orgs/new',
  upload: '/library/upload',
  settings: '/settings',
  security: '/settings/security',
  apps: '/settings/apps',
  'notification-settings': '/settings/notifications',
  notifications: '/notifications',
  following: '/notifications/following',
  notices: '/moderation/notices',
  unsubscribe: '/unsubscribe?token=x',
  admin: '/admin',
  users: '/admin/users',
  labels: '/admin/labels',
  'admin-webhooks': '/admin/webhooks',
  webhooks: '/settings/webhooks',
  cases: '/admin/cases',
  report: '/report?type=post&id=x&back=/',
  data: '/settings/data',
  audit: '/admin/audit',
  device: '/oauth/device',
  pieces: '/dev/ui',
}

/** The most talked about thing of each kind; and an app that asks for everything. */
async function addDetails({ world }: Site): Promise<void> {
  const { anonymous } = world
  const few = { sort: 'popular', per_page: 1 } as const
  const [bug, feature, post, org, blog, item, workflow] = await Promise.all([
    anonymous.bugs.list(few),
    anonymous.features.list(few),
    anonymous.posts.list(few),
    anonymous.orgs.list(few),
    anonymous.blog.list({ per_page: 1 }),
    anonymous.library.list({ ...few, kind: 'automation' }),
    anonymous.library.list({ ...few, kind: 'workflow' }),
  ])
  const { url, owner } = item.items[0]!
  const itemPath = new URL(url).pathname
  Object.assign(forAnybody, {
    bug: bug.items[0]!.url,
    feature: feature.items[0]!.url,
    post: post.items[0]!.url,
    org: org.items[0]!.url,
    article: blog.items[0]!.url,
    item: itemPath,
    'item-file': `${itemPath}/files/automation.json`,
    workflow: new URL(workflow.items[0]!.url).pathname,
    person: `/community/u/${owner.username}`,
    'person-comments': `/community/u/${owner.username}?show=comments`,
  })
  const app = oauthClient(world)
  const clientId = await app.register({ client_name: 'A helper with <i>a long name</i>' })
  const asked = app.request({ clientId, scope: allScopes.join(' ') }, app.newVerifier())
  Object.assign(forAnybody, { 'on-to-the-app': `/api/auth/oauth2/authorize?${asked}&prompt=none` })
  Object.assign(forAdmins, {
    consent: `/api/auth/oauth2/authorize?${asked}`,
    'bug-triage': bug.items[0]!.url,
    'feature-status': feature.items[0]!.url,
    'org-edit': `${org.items[0]!.url}/edit`,
    'item-edit': `${itemPath}/edit`,
  })
}

/** A release that closes a request, and a request with another one merged into it. */
async function addReleases({ world }: Site, email: string): Promise<void> {
  const admin = newBrowser(world)
  await admin.accounts.signIn({ email, password: PASSWORD })
  const [shipped, target, source] = (await admin.features.list({ per_page: 3 })).items
  const body = 'What is **new**, with a list:\n\n- one\n- two'
  const closes = String(shipped!.number)
  const { id } = await admin.changelog.create({ title: 'Pausing, and more', body, version: '2.4.0', closes })
  const draft = await admin.changelog.create({ title: 'What comes next', body, version: '2.5.0', draft: true })
  await admin.features.merge({ id: source!.id, into: target!.id, reason: 'The same wish' })
  const paths = { release: `/community/changelog/${id}`, merged: target!.url }
  Object.assign(forAnybody, paths)
  Object.assign(forAdmins, { 'release-edit': `${paths.release}/edit`, 'merged-admin': target!.url })
  Object.assign(forAdmins, { draft: `/community/changelog/${draft.id}`, drafts: '/community/changelog' })
}

/** What the admin follows: members and things. */
async function addFollows({ world }: Site, email: string): Promise<void> {
  const admin = newBrowser(world)
  const { user } = await admin.accounts.signIn({ email, password: PASSWORD })
  const { items } = await admin.features.list({ per_page: 3 })
  for (const { id, authorId } of items) {
    for (const one of [id, authorId]) {
      if (one !== user.id) await admin.follows.set({ id: one, state: 'following' })
    }
  }
}

/** A case with reports, an act and an appeal. */
async function addCases({ world }: Site): Promise<void> {
  const { anonymous, alice, bob, moderator } = world
  const [post] = (await anonymous.posts.list({ sort: 'popular', per_page: 1 })).items
  const report = { targetType: 'post', targetId: required(post).id } as const
  await alice.reports.create({ ...report, reason: 'spam', text: 'The same text is in five places, word by word.' })
  await bob.reports.create({ ...report, reason: 'off_topic' })
  const [waiting] = (await moderator.moderation.cases({})).items
  const { id } = required(waiting)
  await moderator.moderation.decide({ id, action: 'warn', rule: 'off_topic', reason: 'Too far from the topic.' })
  await alice.reports.create({ ...report, reason: 'other' })
  const [again] = (await moderator.moderation.cases({})).items
  Object.assign(forAdmins, { case: `/admin/cases/${required(again).id}` })
}

/** Webhooks of the community and of an item of the admin, with deliveries that failed. */
async function addWebhooks({ world }: Site, email: string): Promise<void> {
  world.dependencies.reach = home
  const url = 'https://127.0.0.1:9/hooks/of-a-service-with-a-long-name/and-a-longer-path-below-it'
  const admin = newBrowser(world)
  await admin.accounts.signIn({ email, password: PASSWORD })
  const hook = await admin.webhooks.create({ url, description: 'Mirrors bugs', events: ['bug.created', 'bug.edited'] })
  const item = await admin.library.publish({ kind: 'workflow', visibility: 'private', file: workflowFile() })
  const itemHook = await admin.itemWebhooks.create({ url, itemId: item.id })
  for (const id of [hook.id, hook.id]) await admin.webhooks.test({ id })
  await world.app.sendWebhooks()
  Object.assign(forAdmins, {
    'admin-webhook': `/admin/webhooks/${hook.id}`,
    webhook: `/settings/webhooks/${itemHook.id}`,
    'item-webhooks': `/library/workflows/${item.slug}/webhooks`,
  })
}

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
        await addReleases(site, admin)
        await addDetails(site)
        await addWebhooks(site, admin)
        await addCases(site)
        await addFollows(site, admin)
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
