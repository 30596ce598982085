// The roadmap as an Atom feed: what was changed last comes first.
import { atomAnswer } from '#lib/server/atom.ts'
import { glimpse } from '#lib/server/lists.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals: { api, t }, url }) => {
  const { columns } = await api.features.roadmap()
  const items = columns.flatMap((column) => column.items)
  const entries = items
    .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
    .map((item) => ({
      ...{ title: `${t(`kinds.state.${item.status}`)}: ${item.title}`, url: url.origin + item.url },
      ...{ summary: glimpse(item.description), author: item.authorUsername ?? t('home.aMember') },
      ...{ publishedAt: item.createdAt, updatedAt: item.updatedAt },
    }))
  return atomAnswer({ title: t('frame.roadmap'), url, entries })
}
