// What is read of what is decided: the changes of a thing, and the work of an account.

import type { Via } from '../../contract/fields.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { pageOfRows } from '../../database/cursor.ts'
import type { Handlers } from '../../request/handler.ts'
import { closedBoardsOf } from '../board-access/reading.ts'
import { forwarded } from '../merged/queries.ts'
import { findSeenType } from '../notifications/seen-types.ts'
import type { ThreadKind } from '../things.ts'
import { withVia } from '../via.ts'
import type { threads } from './contract.ts'
import { countTimeline, listTimeline, type TimelineRow } from './timeline-queries.ts'
import { countWork, listHeads, listWork, type WorkKind } from './work-queries.ts'

/** What can be assigned, with the statuses in which there is something to do: those that closing ends. */
const workOf = (kinds: readonly ThreadKind[]): WorkKind[] =>
  kinds.flatMap(({ type, subject: { table, thread = [], closing } }) =>
    thread.includes('assign') && closing ? [{ type, table, open: closing.from }] : [],
  )

/** A line as its readers get it: each of its parts is null where there is none. */
function asChange(line: Omit<TimelineRow, 'viaClientId'> & { via: Via }) {
  const { accountId, accountUsername, labelId, labelName, labelColor, ...of } = line
  const { thingNumber, thingTitle, thingUrl, ...change } = of
  return {
    ...change,
    account: accountId === null ? null : { id: accountId, username: accountUsername },
    label: labelId === null ? null : { id: labelId, name: String(labelName), color: String(labelColor) },
    thing:
      thingTitle === null
        ? null
        : { number: thingNumber === null ? null : Number(thingNumber), title: thingTitle, url: thingUrl },
  }
}

export function readHandlersOf(kinds: readonly ThreadKind[]): Pick<Handlers<typeof threads>, 'changes' | 'myWork'> {
  const types = new Set(kinds.map(({ type }) => type))
  const work = workOf(kinds)
  return {
    changes: (context, { id: named, ...input }) =>
      forwarded(context.db, named, async (id) => {
        const type = (await findSeenType(context.db, id)) ?? ''
        const off = partsOff(context.config).kinds
        if (!types.has(type) || off.has(type)) throw new Problem('not_found', 'No such thing')
        const of = { targetId: id, off: JSON.stringify([...off]) }
        const list = { list: ['timeline', id], by: { createdAt: '', id: '' } }
        const { items: rows, ...page } = await pageOfRows(input, list, (range) => listTimeline(context.db, of, range))
        const items = (await withVia(context, rows)).map(asChange)
        return { ...page, items, total: await countTimeline(context.db, of) }
      }),

    async myWork({ db, caller, config }, request) {
      const off = partsOff(config)
      const boards = await closedBoardsOf({ db, config }, caller)
      const of = { kinds: work.filter(({ type }) => !off.kinds.has(type)), userId: caller.id, boards }
      if (of.kinds.length === 0) return { items: [], hasMore: false, total: 0 }
      const list = { list: ['my-work', caller.id], by: { due: '', id: '' } }
      const { items: rows, ...page } = await pageOfRows(request, list, (range) => listWork(db, of, range))
      const heads = new Map(
        (
          await listHeads(
            db,
            rows.map(({ id }) => id),
            boards,
          )
        ).map((head) => [head.id, head]),
      )
      const items = rows.flatMap(({ due: _, ...row }) => {
        const head = heads.get(row.id)
        return head ? [{ ...row, ...head, number: Number(head.number) }] : []
      })
      return { ...page, items, total: await countWork(db, of) }
    },
  }
}
