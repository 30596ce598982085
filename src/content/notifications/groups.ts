// Pages of an inbox by the things that it tells of: one entry a thing, with its newest lines.
import { pageOfRows } from '../../database/cursor.ts'
import type { Db } from '../../database/schema.ts'
import { type GroupSource, listGroups, listNewestOf } from './group-queries.ts'
import { boardsShown, type InboxReading, listNotifications } from './queries.ts'
import { LINES_OF_GROUP } from './rules.ts'

interface GroupsRequest extends InboxReading, Pick<GroupSource, 'unread' | 'within'> {
  cursor: string
  per_page: number
}

type Line = Awaited<ReturnType<typeof listNotifications>>[number]

/** A page of the things that an inbox tells of. A thing is on the page of its newest line, and on no later one. */
export async function pageOfGroups(db: Db, request: GroupsRequest) {
  const { per_page, cursor, off, userId, unread, within } = request
  const source = { userId, unread, off, boards: await boardsShown(db, request), ...(within && { within }) }
  const { items: groups, ...page } = await pageOfRows(
    { page: 0, per_page, cursor },
    { list: ['inbox groups', { userId, unread, within }], by: { position: 0 } },
    ({ limit, after }) => listGroups(db, source, { before: after && Number(after[0]), limit }),
  )
  const wanted = { ids: groups.map(({ targetId }) => targetId), most: LINES_OF_GROUP }
  const positions = await listNewestOf(db, source, wanted)
  const limit = positions.length
  const lines = limit > 0 ? await listNotifications(db, { ...source, positions, limit }) : []
  const byThing = Map.groupBy(lines, ({ targetType, targetId }) => `${targetType} ${targetId}`)
  const items = groups.map((group) => ({ group, lines: byThing.get(`${group.targetType} ${group.targetId}`) ?? [] }))
  return {
    items: items.filter((one): one is typeof one & { lines: [Line, ...Line[]] } => one.lines.length > 0),
    ...page,
  }
}
