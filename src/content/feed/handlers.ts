// Handlers for the feed.

import { type FeedKind, feedKinds } from '../../contract/kinds.ts'
import { pageOfRows } from '../../database/cursor.ts'
import type { Handlers } from '../../request/handler.ts'
import { countOf } from '../counters.ts'
import { countBy } from '../via.ts'
import type { feed } from './contract.ts'
import { entriesAsShown, entriesOf, pageOfFeed, placesIn } from './pages.ts'
import { listTrending } from './queries.ts'

export const handlers: Handlers<typeof feed> = {
  async list(context, { authorId, type, by, ...input }) {
    const { db } = context
    if (authorId !== undefined || by !== undefined) {
      const { items, total: _, ...page } = await entriesOf(db, { authorId, type, by }, input)
      // Nothing of a blocked author shows, on any page.
      const isOver = by === undefined && items.length === 0
      const end = isOver && { hasMore: false, ...(page.nextCursor && { nextCursor: null }) }
      return { items: await entriesAsShown(context, items), ...page, ...end }
    }
    const { sort } = input
    const list = { list: ['feed', sort, type], by: placesIn[sort] }
    const { items, ...page } = await pageOfRows(input, list, (range) => pageOfFeed(db, { sort, type }, range))
    return { items: await entriesAsShown(context, items), ...page }
  },

  async counts({ db }, { authorId, by }) {
    const group = authorId === undefined ? 'all' : `by/${authorId}`
    const count = (type: FeedKind) =>
      countBy((one) => countOf(db, { kind: 'feed', group: one, facets: [type] }), group, by)
    const counts = await Promise.all(feedKinds.map(async (type) => [type, await count(type)] as const))
    return { counts: Object.fromEntries(counts) }
  },

  async trending(context, { per_page }) {
    return { items: await entriesAsShown(context, await listTrending(context.db, per_page)) }
  },
}
