import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import { glimpse } from '#lib/server/lists.ts'
import { callsOf } from '#lib/server/subjects.ts'
import { pagedSubjects } from '#lib/subjects.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { api, server } }) => {
  const [feed, groups] = await Promise.all([
    found(api.feed.list()),
    server.forEverybody('groups of the first page', groupsOf),
  ])
  return {
    entries: rendered(feed.items.slice(0, ENTRIES).map((item) => ({ ...item, preview: glimpse(item.preview) }))),
    groups,
  }
}

async function groupsOf(api: App.Locals['api']) {
  const groups = await Promise.all([
    group('Open bugs', '/community/bugs?status=open', (query) => api.bugs.list({ ...query, status: 'open' })),
    ...pagedSubjects
      .toReversed()
      .map((subject) => group(subject.pages.title, subject.path, callsOf(api, subject).list)),
    group('Orgs', '/community/orgs', async (query) => {
      const { items } = await api.orgs.list(query)
      return { items: items.map((org) => ({ ...org, title: org.name })) }
    }),
    group('Library', '/library', async (query) => {
      const { items } = await api.library.list(query)
      return { items: items.map((item) => ({ ...item, title: item.name, createdAt: item.created_at })) }
    }),
  ])
  return groups.filter(({ best, newest }) => best.length + newest.length > 0)
}

const ENTRIES = 12
const BEST = 3
const NEWEST = 2

interface Shown {
  title: string
  url: string
  score: number
  createdAt: string
}

interface Query {
  sort: 'latest' | 'popular'
  per_page: number
}

/** The most voted of a kind, and the newest of the others. */
async function group(title: string, href: string, list: (query: Query) => Promise<{ items: Shown[] }>) {
  const [best, newest] = await Promise.all([
    found(list({ sort: 'popular', per_page: BEST })),
    found(list({ sort: 'latest', per_page: BEST + NEWEST })),
  ])
  const pick = ({ title, url, score, createdAt }: Shown) => ({ title, url, score, createdAt })
  const shown = new Set(best.items.map(({ url }) => url))
  const others = newest.items.filter(({ url }) => !shown.has(url)).slice(0, NEWEST)
  return { title, href, best: best.items.map(pick), newest: others.map(pick) }
}
