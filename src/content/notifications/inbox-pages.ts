// Pages of an inbox: the newest first, or from a number on.

import type { PartsOff } from '../../contract/parts.ts'
import { pageOfRows } from '../../database/cursor.ts'
import type { Db } from '../../database/schema.ts'
import { listNotifications } from './queries.ts'

interface InboxRequest {
  userId: string
  unread: boolean
  before?: string | undefined
  /** Only later ones, oldest first. */
  after?: string | undefined
  cursor?: string | undefined
  off: PartsOff
  per_page: number
}

const numberOf = (id: string | undefined) => (id === undefined ? undefined : Number(id))

/** A page of the notifications of an account; `next` is the number of its last one where there are more. */
export async function pageOfInbox(db: Db, { before, after, cursor, per_page, off, ...wanted }: InboxRequest) {
  const page = await pageOfRows(
    { page: 0, per_page, cursor },
    { list: ['inbox', wanted], by: { position: 0 } },
    ({ limit, after: place }) =>
      listNotifications(db, {
        ...wanted,
        off,
        ...(cursor === undefined
          ? { after: numberOf(after), before: numberOf(before) }
          : { before: place && Number(place[0]) }),
        limit,
      }),
  )
  const last = page.items.at(-1)
  return { ...page, next: page.hasMore && last ? String(last.position) : null }
}
