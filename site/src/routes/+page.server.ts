import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import { glimpse } from '#lib/server/lists.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals }) => {
  const { api } = locals
  const few = { per_page: 3, sort: 'popular' } as const
  const [feed, bugs, features, orgs, items] = await Promise.all([
    found(api.feed.list()),
    found(api.bugs.list({ ...few, status: 'open' })),
    found(api.features.list(few)),
    found(api.orgs.list(few)),
    found(api.library.list(few)),
  ])
  const pick = ({ title, url, score }: { title: string; url: string; score: number }) => ({ title, url, score })
  return {
    entries: rendered(feed.items.slice(0, 12).map((item) => ({ ...item, preview: glimpse(item.preview) }))),
    popular: [
      { title: 'Open bugs', href: '/community/bugs?sort=popular', entries: bugs.items.map(pick) },
      { title: 'Feature requests', href: '/community/features?sort=popular', entries: features.items.map(pick) },
      {
        title: 'Orgs',
        href: '/community/orgs?sort=popular',
        entries: orgs.items.map((org) => pick({ ...org, title: org.name })),
      },
      {
        title: 'Library',
        href: '/library?sort=popular',
        entries: items.items.map((item) => pick({ ...item, title: item.name })),
      },
    ].filter(({ entries }) => entries.length > 0),
  }
}
