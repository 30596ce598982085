// What a member posted and published, as an Atom feed.
import { found } from '#lib/server/answers.ts'
import { atomAnswer } from '#lib/server/atom.ts'
import { feedEntry } from '#lib/server/feed-entry.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals, params, url }) => {
  const { username, name, entries } = await found(locals.api.profile.show({ username: params.username }))
  return atomAnswer({
    site: locals.t.site,
    title: name || username,
    url,
    entries: entries.items.map((entry) => feedEntry(entry, url.origin)),
  })
}
