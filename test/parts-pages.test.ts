// Pages while a part is off: its own are as those that never were, no other page leads to them, and nothing of it is read anywhere.
import assert from 'node:assert/strict'
import { before } from 'node:test'
import { partNames, parts, partsOff } from '../src/contract/parts.ts'
import { buildSite } from '../src/surfaces/site/build.ts'
import { automationFile, orgFile, workflowFile } from './library.ts'
import { known } from './teams.ts'
import { turnOff } from './turned-off.ts'
import { onEveryEngine, type Person, type World } from './world.ts'

/** What texts of a kind say, and nothing else. */
const mark = (kind: string) => `zebra${kind}`

/** One thing of every kind, with a comment on each, and an inbox that tells of them. */
async function fill(world: World): Promise<string[]> {
  const { alice, bob, moderator } = world
  await known(world, alice, 'alice')
  await bob.profile.setUsername({ username: 'bobby' })
  const texts = (kind: string) => ({ title: `Zebra ${mark(kind)}`, body: 'Text' })
  const bug = await alice.bugs.create({ title: texts('bug').title, description: 'D', severity: 'low' })
  const feature = await alice.features.create({ title: texts('feature').title, description: 'D' })
  const post = await alice.posts.create(texts('post'))
  const release = await moderator.changelog.create(texts('release'))
  const org = await alice.orgs.create({
    orgJson: await orgFile({ name: mark('org') }).text(),
  })
  const workflow = await alice.library.publish({
    kind: 'workflow',
    visibility: 'public',
    file: workflowFile({ name: mark('workflow') }),
  })
  const automation = await alice.library.publish({
    kind: 'automation',
    visibility: 'public',
    file: automationFile({ name: mark('automation') }),
  })
  await alice.teams.create({ slug: 'zebras', name: mark('team') })
  const comment = (kind: string) => `On ${mark(kind)}`
  await bob.bugs.comment({ id: bug.id, body: comment('bug') })
  await bob.features.comment({ id: feature.id, body: comment('feature') })
  await bob.posts.comment({ id: post.id, body: comment('post') })
  await bob.changelog.comment({ id: release.id, body: comment('release') })
  await bob.orgs.comment({ id: org.id, body: comment('org') })
  await bob.library.comment({ id: workflow.id, body: comment('workflow') })
  await bob.library.comment({ id: automation.id, body: comment('automation') })
  await bob.blog.comment({ slug: 'what-guildhall-is', body: comment('blog') })
  for (const { id } of [bug, feature, post, release, org]) await bob.follows.set({ id, state: 'following' })
  for (const { id } of [bug, feature]) {
    await moderator.threads.assign({ id, account: (await bob.account()).id, reason: null })
  }
  const why = { reason: `As ${mark('bug')} says`, confidence: 1 }
  await alice.suggestions.create({ operation: 'bugs.triage', input: { id: bug.id, severity: 'high' }, ...why })
  await bob.savedFilters.save({ name: mark('bug'), path: '/community/bugs?status=open' })
  await world.app.deliver()
  await world.app.buildSearch()
  return [bug, feature, post, release, org, workflow, automation].map(({ id }) => id)
}

const KINDS = ['post', 'bug', 'feature', 'release', 'org', 'workflow', 'automation', 'team', 'blog']

/** What is read besides pages, as the caller sees it. */
const reads = [
  '/api/community/feed',
  '/api/community/feed?sort=popular',
  '/api/community/trending',
  '/api/search?q=zebra',
  ...KINDS.map((kind) => `/api/search?q=${mark(kind)}`),
  ...KINDS.map((kind) => `/api/search/similar?title=${encodeURIComponent(`Zebra ${mark(kind)}`)}`),
  '/api/search/suggest?sign=%23&q=zebra',
  ...[1, 2, 3, 4, 5].map((number) => `/api/search/suggest?sign=%23&q=${number}`),
  '/api/community/references?numbers=1,2,3,4,5,6,7',
  '/api/community/notifications',
  '/api/community/news',
  '/api/community/follows',
  '/api/community/my-work',
  '/api/community/suggestions',
  '/api/community/saved-filters',
  '/api/community/users/alice',
  '/api/library/items',
  '/api/library/tags',
  '/feed.atom',
  '/search.atom?q=zebra',
  '/library.atom',
  '/community/u/alice.atom',
  '/sitemap.xml',
]

const HREF = /\s(?:href|action)="([^"#]*)/g

/** Every address that pages of the site lead to, from the first one on, and what they say. */
async function crawl(person: Person, most = 120): Promise<Map<string, { status: number; text: string }>> {
  const pages = new Map<string, { status: number; text: string }>()
  const waiting = ['/']
  for (const path of waiting) {
    if (pages.size >= most) break
    const response = await person.request(path)
    const text = response.headers.get('content-type')?.includes('html') ? await response.text() : ''
    pages.set(path, { status: response.status, text })
    for (const [, href = ''] of text.matchAll(/<a [^>]*\bhref="([^"#]*)/g)) {
      const { origin, pathname, search } = new URL(href.replaceAll('&amp;', '&'), 'http://localhost:3000/')
      const isPage =
        origin === 'http://localhost:3000' && !/^\/(api|docs|oauth|sign-|theme|language|_app)/.test(pathname)
      const next = pathname + search
      if (isPage && !search && !waiting.includes(next)) waiting.push(next)
    }
  }
  return pages
}

const linksIn = (text: string) =>
  [...text.matchAll(HREF)].map(([, href = '']) => new URL(href.replaceAll('&amp;', '&'), 'http://localhost:3000/'))

onEveryEngine('while a part is off', (it) => {
  before(() => buildSite(() => {}))

  for (const name of partNames) {
    const off = partsOff({ partsOff: [name] })
    const marks = KINDS.filter((kind) => off.kinds.has(kind)).map(mark)

    it(`nothing leads to it: ${name}`, async (world) => {
      const ids = await fill(world)
      const { anonymous, bob } = world
      await world.admin.account()
      const everything = await crawl(bob)
      await turnOff(world, [name])
      for (const page of [...parts[name].pages, ...[...everything.keys()].filter((path) => off.hasPage(path))]) {
        assert.equal((await anonymous.request(page)).status, 404, page)
        assert.equal((await bob.request(`${page}.atom`)).status, 404, page)
      }
      for (const [at, kind] of ['bug', 'feature', 'post'].entries()) {
        const { status } = await bob.request(`/api/community/threads/${ids[at]}/changes`)
        assert.equal(status, off.kinds.has(kind) ? 404 : 200, `the changes of a ${kind}`)
      }
      for (const person of [anonymous, bob]) {
        for (const [path, { status, text }] of await crawl(person)) {
          assert.ok(status < 400 || (person === anonymous && status === 401), `${status} ${path}`)
          for (const { origin, pathname } of linksIn(text)) {
            assert.ok(origin !== 'http://localhost:3000' || !off.hasPage(pathname), `${path} leads to ${pathname}`)
          }
          for (const one of marks) assert.ok(!text.includes(one), `${path} says ${one}`)
        }
        for (const path of reads) {
          const text = await (await person.request(path)).text()
          for (const one of marks) {
            // The words that were asked for are said again.
            assert.ok(!text.replaceAll(`q=${one}`, '').includes(one), `${path} says ${one}: ${text.slice(0, 2000)}`)
          }
        }
      }
      await turnOff(world, [])
      const after = await crawl(bob)
      assert.deepEqual([...after.keys()].toSorted(), [...everything.keys()].toSorted())
    })
  }
})
