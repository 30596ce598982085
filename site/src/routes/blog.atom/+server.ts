// The Atom feed of the blog.
import { found } from '#lib/server/answers.ts'
import { atomAnswer } from '#lib/server/atom.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals, url: { origin } }) => {
  const { items } = await found(locals.api.blog.list({ per_page: 50 }))
  return atomAnswer({
    title: 'Guildhall: blog',
    self: `${origin}/blog.atom`,
    page: `${origin}/blog`,
    entries: items.map(({ slug, title, author, date, summary }) => ({
      url: `${origin}/blog/${slug}`,
      title,
      author,
      publishedAt: `${date}T00:00:00Z`,
      summary,
    })),
  })
}
