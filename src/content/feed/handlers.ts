// Handlers for the feed.
import { type FeedKind, feedKinds } from '../../contract/kinds.ts'
import type { Handlers } from '../../request/handler.ts'
import { countOf } from '../counters.ts'
import { pageAt } from '../paging.ts'
import { countBy } from '../via.ts'
import type { feed } from './contract.ts'
import { entriesAsShown, entriesOf, pageOfFeed } from './pages.ts'
import { listTrending } from './queries.ts'

export const handlers: Handlers<typeof feed> = {
  async list(context, { sort, page, per_page, authorId, type, by }) {
    const { db } = context
    if (authorId !== undefined || by !== undefined) {
      const { items, hasMore } = await entriesOf(db, { authorId, type, by }, { sort, page, per_page })
      return { items: await entriesAsShown(context, items), hasMore: hasMore && (by !== undefined || items.length > 0) }
    }
    const { rows, hasMore } = await pageAt({ page, per_page }, (range) => pageOfFeed(db, { sort, type }, range))
    return { items: await entriesAsShown(context, rows), hasMore }
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
