// The Atom feed of the blog.

import { siteWords } from '#lib/language/catalogue.ts'
import { found } from '#lib/server/answers.ts'
import { atomAnswer } from '#lib/server/atom.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals, url }) => {
  const { items } = await found(locals.api.blog.list({ per_page: 50 }))
  return atomAnswer({
    site: locals.t.site,
    title: siteWords('share.blog'),
    url,
    entries: items.map(({ slug, title, author, date, summary }) => ({
      url: `${url.origin}/blog/${slug}`,
      title,
      author,
      publishedAt: `${date}T00:00:00Z`,
      summary,
    })),
  })
}
