// The sitemap: the fixed pages, and the newest of everything else up to a limit.
import { docs, handbook } from '#lib/documents.ts'
import { folderOf, listed } from '#lib/subjects.ts'
import { xml } from './atom.ts'
import { parts, problemCodes } from './reference.ts'
import { callsOf } from './subjects.ts'

type Api = App.Locals['api']

interface Address {
  url: string
  /** When it last changed. */
  at?: string
}

const STANDING = ['/', '/community', ...listed.map(({ path }) => path), '/community/roadmap', '/blog']
const LIBRARY = ['/teams', '/library', '/library/workflows', '/library/automations', '/library/orgs']
const TEXTS = [
  ...new Set([...docs, ...handbook].map(({ href }) => href)),
  ...parts.map((part) => `/docs/reference/${part}`),
  ...[...problemCodes().keys()].map((code) => `/docs/errors/${code}`),
  '/privacy',
  '/terms',
]

const A_PAGE = 100
/** Eight lists of these and the fixed pages stay below 7,000 URLs. */
const MAX_PAGES = 8

export async function sitemap({ api, server: { off, looks } }: App.Locals, origin: string): Promise<string> {
  const standing = [...STANDING, ...LIBRARY, ...TEXTS, ...looks.ownPages.map(({ slug }) => `/pages/${slug}`)]
    .filter((url) => !off.hasPage(url))
    .map((url): Address => ({ url }))
  const lists = listsOf(api).filter(({ part }) => !off.hasOperation(`${part}.list`))
  const newest = await Promise.all(lists.map(({ list }) => newestOf(list)))
  const lines = [...standing, ...newest.flat()].map(({ url, at }) => {
    const changed = at ? `<lastmod>${at}</lastmod>` : ''
    return `<url><loc>${xml(new URL(url, origin).href)}</loc>${changed}</url>\n`
  })
  return `<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join('')}</urlset>
`
}

type Range = { page: number; per_page: number }
type List = (range: Range) => Promise<{ addresses: Address[]; hasMore: boolean }>

/** Each with the contract that it is read by. */
const listsOf = (api: Api): { part: string; list: List }[] => [
  ...listed.map((subject) => ({
    part: folderOf(subject),
    list: async (range: Range) => addressed(await callsOf(api, subject).list(range)),
  })),
  {
    part: 'blog',
    list: async (range) => {
      const { items, hasMore } = await api.blog.list(range)
      return { addresses: items.map(({ url, date }) => ({ url, at: date })), hasMore }
    },
  },
  {
    part: 'library',
    list: async ({ page, per_page }) => {
      const { items, total } = await api.library.list({ kind: 'all', page: page + 1, per_page })
      // Orgs of the gallery are listed by their gallery page.
      const own = items.filter(({ meta }) => !('gallery' in meta))
      return {
        addresses: own.map(({ url, updated_at }) => ({ url, at: updated_at })),
        hasMore: (page + 1) * per_page < total,
      }
    },
  },
  {
    part: 'teams',
    list: async (range) => {
      const { items, hasMore } = await api.teams.list(range)
      return { addresses: items.map(({ url, created_at }) => ({ url, at: created_at })), hasMore }
    },
  },
]

const addressed = <Item extends { url: string; createdAt: string; updatedAt?: string }>(answer: {
  items: Item[]
  hasMore: boolean
}) => ({
  addresses: answer.items.map(({ url, createdAt, updatedAt }) => ({ url, at: updatedAt ?? createdAt })),
  hasMore: answer.hasMore,
})

async function newestOf(list: List): Promise<Address[]> {
  const all: Address[] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const { addresses, hasMore } = await list({ page, per_page: A_PAGE })
    all.push(...addresses)
    if (!hasMore) break
  }
  return all
}
