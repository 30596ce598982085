// An org with the newest comments on it, as an Atom feed.
import { redirect } from '@sveltejs/kit'
import { found } from '#lib/server/answers.ts'
import { atomAnswer, authorOf, commentEntry } from '#lib/server/atom.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({
  locals: {
    api,
    t: { site },
  },
  params,
  url,
}) => {
  const org = await found(api.orgs.get({ id: params.slug }))
  if (url.pathname !== `${org.url}.atom`) redirect(308, `${org.url}.atom`)
  const { items } = await found(api.orgs.comments({ id: org.id, sort: 'newest', per_page: 50 }))
  const page = { title: org.name, url: url.origin + org.url }
  const own = {
    ...{ ...page, author: authorOf(org.authorUsername), summary: org.tagline ?? org.goal },
    ...{ publishedAt: org.createdAt, updatedAt: org.updatedAt },
  }
  return atomAnswer({
    site,
    title: org.name,
    url,
    entries: [own, ...items.map((comment) => commentEntry(comment, page))],
  })
}
