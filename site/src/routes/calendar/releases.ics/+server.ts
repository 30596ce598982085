// Published releases as a calendar, each on its day, of all boards or of one.
import { siteWordsOf } from '#lib/language/catalogue.ts'
import { found } from '#lib/server/answers.ts'
import { calendarAnswer, newestOf } from '#lib/server/calendar.ts'
import { glimpse } from '#lib/server/lists.ts'
import { boardIn } from '#lib/server/subjects.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals, url }) => {
  const t = siteWordsOf(locals.server.looks.site)
  const board = boardIn(url)
  const releases = await newestOf((page) => found(locals.api.changelog.list({ board, ...page })))
  const events = releases.map((release) => ({
    ...{ id: release.id, day: release.date, description: glimpse(release.body), url: url.origin + release.url },
    title: release.version ? `${release.version}: ${release.title}` : release.title,
    writtenAt: release.editedAt ?? release.createdAt,
    ...{ isDated: true, status: 'CONFIRMED' as const, categories: [t('kinds.release.word')] },
  }))
  return calendarAnswer({ site: locals.t.site, title: t('kinds.release.title'), url, events })
}
