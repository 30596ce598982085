// Pages while a part is off: its own are as those that never were, no other page leads to them, and nothing of it is read anywhere.
import assert from 'node:assert/strict'
import { before } from 'node:test'
import { partNames, parts, partsOff } from '../src/contract/parts.ts'
import { buildSite } from '../src/surfaces/site/build.ts'
import { fill, KINDS, mark } from './parts-content.ts'
import { turnOff } from './turned-off.ts'
import { onEveryEngine, type Person, type World } from './world.ts'

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

const namesIn = (pages: Map<string, unknown>) => [...pages.keys()].toSorted()

/** The pages of a part, and those of its kinds that were found, are not there for anyone. */
async function assertGone({ anonymous, bob }: World, { name, ids, found }: Off): Promise<void> {
  const off = partsOff({ partsOff: [name] })
  for (const page of [...parts[name].pages, ...found.filter((path) => off.hasPage(path))]) {
    assert.equal((await anonymous.request(page)).status, 404, page)
    assert.equal((await bob.request(`${page}.atom`)).status, 404, page)
  }
  for (const [at, kind] of ['bug', 'feature', 'post'].entries()) {
    const { status } = await bob.request(`/api/community/threads/${ids[at]}/changes`)
    assert.equal(status, off.kinds.has(kind) ? 404 : 200, `the changes of a ${kind}`)
  }
}

/** No page leads to the part, and nothing that is read says a word of it. */
async function assertUnsaid({ anonymous, bob }: World, { name }: Off): Promise<void> {
  const off = partsOff({ partsOff: [name] })
  const marks = KINDS.filter((kind) => off.kinds.has(kind)).map(mark)
  for (const person of [anonymous, bob]) {
    for (const [path, { status, text }] of await crawl(person)) {
      assert.ok(status < 400 || (person === anonymous && status === 401), `${name}: ${status} ${path}`)
      for (const { origin, pathname } of linksIn(text)) {
        assert.ok(origin !== 'http://localhost:3000' || !off.hasPage(pathname), `${name}: ${path} leads to ${pathname}`)
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
}

interface Off {
  name: (typeof partNames)[number]
  /** Of a bug, a feature request and a post. */
  ids: readonly string[]
  /** Pages that were found before. */
  found: readonly string[]
}

onEveryEngine('while a part is off', (it) => {
  before(() => buildSite(() => {}))

  it('nothing leads to it, and when it is on again everything is there', async (world) => {
    const ids = await fill(world)
    await world.admin.account()
    const found = namesIn(await crawl(world.bob))
    for (const name of partNames) {
      await turnOff(world, [name])
      await assertGone(world, { name, ids, found })
      await assertUnsaid(world, { name, ids, found })
    }
    await turnOff(world, [])
    assert.deepEqual(namesIn(await crawl(world.bob)), found)
  })
})
