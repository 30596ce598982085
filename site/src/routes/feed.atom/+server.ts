// The Atom feed of the community.

import { siteWords } from '#lib/language/catalogue.ts'
import { found } from '#lib/server/answers.ts'
import { atomAnswer } from '#lib/server/atom.ts'
import { feedEntry } from '#lib/server/feed-entry.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals, url }) => {
  const { items } = await found(locals.api.feed.list({ sort: 'latest' }))
  return atomAnswer({
    site: locals.t.site,
    title: siteWords('frame.feed'),
    ...{ url, page: '/community' },
    entries: items.map((entry) => feedEntry(entry, url.origin)),
  })
}
