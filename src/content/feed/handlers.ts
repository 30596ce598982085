// Handlers for the feed.

import { besideKinds } from '../../contract/item-kinds.ts'
import { type FeedKind, feedKinds } from '../../contract/kinds.ts'
import { pageOfRows } from '../../database/cursor.ts'
import type { Handlers } from '../../request/handler.ts'
import { countOf } from '../counters.ts'
import type { BoardedKind } from '../things.ts'
import { countBy } from '../via.ts'
import { countsOfBoard, feedOfBoard } from './board-feed.ts'
import type { feed } from './contract.ts'
import { entriesAsShown, entriesOf, kindsOff, pageOfFeed, placesIn } from './pages.ts'
import { listTrending } from './queries.ts'

/** `boarded` is what is in boards. */
export const feedHandlers = (boarded: readonly BoardedKind[]): Handlers<typeof feed> => ({
  async list(context, { authorId, type: given, by, board, ...input }) {
    const { db } = context
    const off = kindsOff(context)
    const type = given === undefined || given === 'all' || off.includes(given) ? undefined : given
    // The contract's feed has the contract's kinds.
    const without = given === 'all' || type !== undefined ? off : [...new Set([...off, ...besideKinds])]
    if (board !== undefined) return feedOfBoard(context, boarded, { board, authorId, type, by, ...input })
    if (authorId !== undefined || by !== undefined) {
      const { items, total: _, ...page } = await entriesOf(db, { authorId, type, by, without }, input)
      // Nothing of a blocked author shows, on any page.
      const isOver = by === undefined && items.length === 0
      const end = isOver && { hasMore: false, ...(page.nextCursor && { nextCursor: null }) }
      return { items: await entriesAsShown(context, items), ...page, ...end }
    }
    const { sort } = input
    const list = { list: ['feed', sort, given], by: placesIn[sort] }
    const { items, ...page } = await pageOfRows(input, list, (range) => pageOfFeed(db, { sort, type, without }, range))
    return { items: await entriesAsShown(context, items), ...page }
  },

  async counts(context, { authorId, by, board }) {
    const { db } = context
    const without = kindsOff(context)
    if (board !== undefined) return { counts: await countsOfBoard(context, { board, authorId, by }) }
    const group = authorId === undefined ? 'all' : `by/${authorId}`
    const count = (type: FeedKind) =>
      countBy((one) => countOf(db, { kind: 'feed', group: one, facets: [type] }), group, by)
    const counts = await Promise.all(
      feedKinds.filter((type) => !without.includes(type)).map(async (type) => [type, await count(type)] as const),
    )
    return { counts: Object.fromEntries(counts) }
  },

  async trending(context, { per_page }) {
    return {
      items: await entriesAsShown(
        context,
        await listTrending(context.db, { limit: per_page, without: kindsOff(context) }),
      ),
    }
  },
})
