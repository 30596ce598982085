// The Atom feed of the community, or of one board.

import { siteWords } from '#lib/language/catalogue.ts'
import { found } from '#lib/server/answers.ts'
import { atomAnswer } from '#lib/server/atom.ts'
import { feedEntry } from '#lib/server/feed-entry.ts'
import { boardIn } from '#lib/server/subjects.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals, url }) => {
  const board = boardIn(url)
  const { items } = await found(locals.api.feed.list({ sort: 'latest', type: 'all', board }))
  return atomAnswer({
    site: locals.t.site,
    title: siteWords('frame.feed'),
    ...{ url, page: board === undefined ? '/community' : `/community/boards/${encodeURIComponent(board)}` },
    entries: items.map((entry) => feedEntry(entry, url.origin)),
  })
}
