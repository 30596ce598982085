// A list of the community as an Atom feed, with the filters and the search of its page.

import { siteWordsOf } from '#lib/language/catalogue.ts'
import { atomAnswer, authorOf } from '#lib/server/atom.ts'
import { glimpse } from '#lib/server/lists.ts'
import { readList } from '#lib/server/subjects.ts'
import { pageWords, subjectAt } from '#lib/subjects.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals, params, url }) => {
  const subject = subjectAt(params.subject)
  const { items } = await readList(locals, subject, { url }).reading
  return atomAnswer({
    site: locals.t.site,
    title: pageWords(siteWordsOf(locals.server.looks.site), subject).title,
    url,
    entries: items.map((item) => {
      const { title, text } = subject.text(item)
      return {
        ...{ title, url: url.origin + item.url, summary: glimpse(text) },
        author: authorOf(item.authorUsername),
        publishedAt: item.createdAt,
        updatedAt: item.updatedAt ?? item.editedAt ?? item.createdAt,
      }
    }),
  })
}
