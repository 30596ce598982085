// The feed of one board, of an open one or of a closed one for those who read it.

import type { ListInput, Writers } from '../../contract/fields.ts'
import type { FeedKind } from '../../contract/kinds.ts'
import { pageOfRows } from '../../database/cursor.ts'
import type { Context } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { boarded } from '../board-access/contract.ts'
import { resolveBoard } from '../board-access/listing-queries.ts'
import { preview } from '../preview.ts'
import type { BoardedKind } from '../things.ts'
import { countOfBoard, listOfBoard } from './board-queries.ts'
import { entriesAsShown, kindsOff, placesIn } from './pages.ts'

interface BoardFeedRequest extends ListInput {
  board: string
  authorId?: string | undefined
  type?: FeedKind | undefined
  by?: Writers | undefined
}

/** A page of what is in a board; throws `not_found` for one that the running call does not read. */
export async function feedOfBoard(
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
export async function countsOfBoard(
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
