// Handlers for the feed.

import type { ListInput, Writers } from '../../contract/fields.ts'
import { besideKinds } from '../../contract/item-kinds.ts'
import { type FeedKind, feedKinds } from '../../contract/kinds.ts'
import { pageOfRows } from '../../database/cursor.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { boarded } from '../board-access/contract.ts'
import { resolveBoard } from '../board-access/listing-queries.ts'
import { countOf } from '../counter-queries.ts'
import { preview } from '../preview.ts'
import type { BoardedKind } from '../things.ts'
import { countBy } from '../via.ts'
import { countOfBoard, listOfBoard } from './board-queries.ts'
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

// The feed of one board, of an open one or of a closed one for those who read it.

interface BoardFeedRequest extends ListInput {
  board: string
  authorId?: string | undefined
  type?: FeedKind | undefined
  by?: Writers | undefined
}

/** A page of what is in a board; throws `not_found` for one that the running call does not read. */
async function feedOfBoard(
  context: Pick<Context, 'db' | 'caller' | 'config'>,
  kinds: readonly BoardedKind[],
  { board, authorId, type, by, sort, ...page }: BoardFeedRequest,
) {
  const { db } = context
  const filters = await resolveBoard(db, { board })
  const off = kindsOff(context)
  const types = boarded.filter((one) => !off.includes(one) && (type === undefined || one === type))
  const sorted = { list: ['feed', sort, filters, types, authorId, by], by: placesIn[sort] }
  const { items, ...end } = await pageOfRows(page, sorted, (range) =>
    listOfBoard(db, { sort, filters, types, authorId, by }, range),
  )
  const urls = new Map(kinds.map((kind) => [kind.type, (id: string) => kind.subject.url({ id })]))
  const entries = items.map(({ text, ...thing }) => ({
    ...thing,
    preview: preview(text),
    url: required(urls.get(thing.type))(thing.id),
  }))
  return { items: await entriesAsShown(context, entries), ...end }
}

/** How much of each type is in a board, without parts that are off; throws `not_found` for one that the running call does not read. */
async function countsOfBoard(
  context: Pick<Context, 'db' | 'config'>,
  { board, authorId, by }: Pick<BoardFeedRequest, 'board' | 'authorId' | 'by'>,
): Promise<Record<string, number>> {
  const { db } = context
  const filters = await resolveBoard(db, { board })
  const off = kindsOff(context)
  const types = boarded.filter((type) => !off.includes(type))
  const counts = types.map(async (type) => [type, await countOfBoard(db, type, { filters, authorId, by })] as const)
  return Object.fromEntries(await Promise.all(counts))
}
