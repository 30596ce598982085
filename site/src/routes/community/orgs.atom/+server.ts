// The org gallery as an Atom feed, with the search of its page.

import { siteWords } from '#lib/language/catalogue.ts'
import { found } from '#lib/server/answers.ts'
import { atomAnswer, authorOf } from '#lib/server/atom.ts'
import { glimpse, listQuery } from '#lib/server/lists.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({
  locals: {
    api,
    t: { site },
  },
  url,
}) => {
  const { items } = await found(api.orgs.list(listQuery(url)))
  return atomAnswer({
    site,
    title: siteWords('kinds.org.section'),
    url,
    entries: items.map((org) => ({
      ...{ title: org.name, url: url.origin + org.url, summary: glimpse(org.goal) },
      author: authorOf(org.authorUsername),
      publishedAt: org.createdAt,
      updatedAt: org.updatedAt,
    })),
  })
}
