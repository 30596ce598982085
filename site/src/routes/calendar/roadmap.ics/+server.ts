// What is due, as a calendar: feature requests and bugs with a day, of all boards or of one. What will not be done is left out.
import { siteWordsOf } from '#lib/language/catalogue.ts'
import { found } from '#lib/server/answers.ts'
import { type CalendarEvent, calendarAnswer, newestOf } from '#lib/server/calendar.ts'
import { glimpse } from '#lib/server/lists.ts'
import { boardIn } from '#lib/server/subjects.ts'
import type { RequestHandler } from './$types'

/** The filter takes what is due on a day or before. */
const ANY_DAY = '9999-12-31'

const dropped: readonly string[] = ['declined', 'wontfix']

export const GET: RequestHandler = async ({ locals, url }) => {
  const { api, server } = locals
  const t = siteWordsOf(server.looks.site)
  const board = boardIn(url)
  const due = { due: ANY_DAY, board }
  const [features, bugs] = await Promise.all([
    newestOf((page) => found(api.features.list({ ...due, ...page }))),
    server.off.hasPage('/community/bugs') ? [] : newestOf((page) => found(api.bugs.list({ ...due, ...page }))),
  ])
  const events = [
    ...features.map((item) => ({ ...item, kind: 'feature' as const })),
    ...bugs.map((item) => ({ ...item, kind: 'bug' as const })),
  ]
    .filter(({ status }) => !dropped.includes(status))
    .flatMap((item): CalendarEvent | [] =>
      item.dueOn === undefined
        ? []
        : {
            ...{ id: item.id, day: item.dueOn, title: item.title, description: glimpse(item.description) },
            ...{ url: url.origin + item.url, writtenAt: item.updatedAt },
            // A new day is no edit of the thing.
            isDated: false,
            status: item.kind === 'feature' && item.status === 'open' ? 'TENTATIVE' : 'CONFIRMED',
            categories: [t(`kinds.${item.kind}.word`), t(`kinds.state.${item.status}`)],
          },
    )
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
  return calendarAnswer({ site: locals.t.site, title: t('frame.roadmap'), url, events })
}
