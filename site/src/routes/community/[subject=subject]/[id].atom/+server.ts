// A bug, a feature request or a post with the newest comments on it, as an Atom feed.
import { error } from '@sveltejs/kit'
import { found } from '#lib/server/answers.ts'
import { atomAnswer, authorOf, commentEntry } from '#lib/server/atom.ts'
import { glimpse } from '#lib/server/lists.ts'
import { readThing } from '#lib/server/merging.ts'
import { callsOf } from '#lib/server/subjects.ts'
import { subjectAt } from '#lib/subjects.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async (event) => {
  const { locals, params, url } = event
  const subject = subjectAt(params.subject)
  if (!subject.parent) error(404, locals.t('errors.page.404'))
  const calls = callsOf(locals.api, subject)
  const key = { id: params.id }
  const [thing, { items }] = await Promise.all([
    readThing(event, subject, '.atom'),
    found(calls.comments({ ...key, sort: 'newest', per_page: 50 })),
  ])
  const { title, text } = subject.text(thing)
  const page = { title, url: url.origin + thing.url }
  const own = {
    ...{ ...page, author: authorOf(thing.authorUsername), summary: glimpse(text) },
    ...{ publishedAt: thing.createdAt, updatedAt: thing.updatedAt },
  }
  return atomAnswer({
    site: event.locals.t.site,
    title,
    url,
    entries: [own, ...items.map((comment) => commentEntry(comment, page))],
  })
}
