// Pages of an inbox: the newest first, or from a number on.

import { pageOfRows } from '../../database/cursor.ts'
import type { Db } from '../../database/schema.ts'
import { boardsShown, type InboxReading, listNotifications } from './queries.ts'

interface InboxRequest extends InboxReading {
  unread: boolean
  /** Only about what is in a board, as lists are filtered by it. */
  within?: Readonly<Record<string, string | undefined>>
  /** Only about this thing. */
  target?: string | undefined
  before?: string | undefined
  /** Only later ones, oldest first. */
  after?: string | undefined
  cursor?: string | undefined
  per_page: number
}

const numberOf = (id: string | undefined) => (id === undefined ? undefined : Number(id))

/** A page of the notifications of an account; `next` is the number of its last one where there are more. */
export async function pageOfInbox(db: Db, request: InboxRequest) {
  const { before, after, cursor, per_page, off, boards: _boards, ...wanted } = request
  const boards = await boardsShown(db, request)
  const page = await pageOfRows(
    { page: 0, per_page, cursor },
    { list: ['inbox', wanted], by: { position: 0 } },
    ({ limit, after: place }) =>
      listNotifications(db, {
        ...wanted,
        ...{ off, boards },
        ...(cursor === undefined
          ? { after: numberOf(after), before: numberOf(before) }
          : { before: place && Number(place[0]) }),
        limit,
      }),
  )
  const last = page.items.at(-1)
  return { ...page, next: page.hasMore && last ? String(last.position) : null }
}
