// The roadmap as an Atom feed: what was changed last comes first.

import { siteWords as t } from '#lib/language/catalogue.ts'
import { atomAnswer, authorOf } from '#lib/server/atom.ts'
import { glimpse } from '#lib/server/lists.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({
  locals: {
    api,
    t: { site },
  },
  url,
}) => {
  const { columns } = await api.features.roadmap()
  const items = columns.flatMap((column) => column.items)
  const entries = items
    .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
    .map((item) => ({
      ...{
        title: t('share.feedEntry', { kind: t(`kinds.state.${item.status}`), title: item.title }),
        url: url.origin + item.url,
      },
      ...{ summary: glimpse(item.description), author: authorOf(item.authorUsername) },
      ...{ publishedAt: item.createdAt, updatedAt: item.updatedAt },
    }))
  return atomAnswer({ site, title: t('frame.roadmap'), url, entries })
}
