// The Atom feed of the community.
import { found } from '#lib/server/answers.ts'
import { atomAnswer } from '#lib/server/atom.ts'
import { kinds } from '#lib/ui/kinds.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals, url: { origin } }) => {
  const { items } = await found(locals.api.feed.list({ sort: 'latest' }))
  return atomAnswer({
    title: 'Guildhall: feed',
    self: `${origin}/feed.atom`,
    page: `${origin}/community`,
    entries: items.map((entry) => ({
      url: new URL(entry.url, origin).href,
      title: `${kinds[entry.type].word}: ${entry.title}`,
      author: entry.authorUsername ?? 'A member',
      publishedAt: entry.createdAt,
      summary: entry.preview,
    })),
  })
}
