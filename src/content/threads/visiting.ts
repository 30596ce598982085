// Handlers of what an account saw and bookmarked. What it cannot see, or sees no more, is not found.

import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { pageOfRows } from '../../database/cursor.ts'
import type { Db } from '../../database/schema.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { closedBoardsOf } from '../board-access/reading.ts'
import { forwarded } from '../merged/queries.ts'
import { findSeenType } from '../notifications/seen-types.ts'
import type { ThreadKind } from '../things.ts'
import { MAX_BOOKMARKS, type threads } from './contract.ts'
import * as queries from './visit-queries.ts'
import { visitAfter } from './visit-rules.ts'

type VisitHandlers = Pick<Handlers<typeof threads>, 'visit' | 'mine' | 'bookmark' | 'bookmarks'>
type ListVisitHandlers = Pick<Handlers<typeof threads>, 'visitList' | 'myListVisit'>

const answer = (id: string, visit: Awaited<ReturnType<typeof queries.findVisit>>) => ({
  id,
  seenAt: visit?.seenAt ?? null,
  bookmarked: (visit?.bookmarkedAt ?? null) !== null,
})

const keyOf = ({ caller }: Context<Caller>, thingId: string) => ({ userId: caller.id, thingId })

export function visitHandlersOf(kinds: readonly ThreadKind[]): VisitHandlers {
  const types = new Set(kinds.map(({ type }) => type))
  const assertSeen = async ({ config }: Context, db: Db, id: string) => {
    const type = (await findSeenType(db, id)) ?? ''
    if (!types.has(type) || partsOff(config).kinds.has(type)) throw new Problem('not_found', 'No such thing')
  }
  return {
    visit: (context, { id: named, seenAt }) =>
      forwarded(context.db, named, async (id) => {
        await assertSeen(context, context.db, id)
        const before = await queries.findVisit(context.db, keyOf(context, id))
        await context.db.transaction().execute(async (transaction) => {
          await context.budget.spend(transaction)
          const moment = seenAt < context.now ? seenAt : context.now
          await queries.putSeen(transaction, { ...keyOf(context, id), seenAt: moment })
        })
        return answer(id, before)
      }),

    mine: (context, { id: named }) =>
      forwarded(context.db, named, async (id) => {
        await assertSeen(context, context.db, id)
        return answer(id, await queries.findVisit(context.db, keyOf(context, id)))
      }),

    bookmark: (context, { id: named, bookmarked }) =>
      forwarded(context.db, named, (id) =>
        context.db.transaction().execute(async (transaction) => {
          await assertSeen(context, transaction, id)
          const key = keyOf(context, id)
          const count = await queries.countBookmarksLocked(transaction, key.userId)
          await context.budget.spend(transaction)
          if (!bookmarked) await queries.deleteBookmark(transaction, key)
          else if ((await queries.findVisit(transaction, key))?.bookmarkedAt == null) {
            if (count >= MAX_BOOKMARKS)
              throw new Problem('conflict', `At most ${MAX_BOOKMARKS} bookmarks; remove another one first`)
            await queries.putBookmark(transaction, { ...key, now: context.now })
          }
          return { id, bookmarked }
        }),
      ),

    bookmarks: async ({ caller, db, config }, request) => {
      const of = {
        userId: caller.id,
        boards: await closedBoardsOf({ db, config }, caller),
        off: partsOff(config).kinds,
      }
      const list = { list: ['bookmarks', caller.id], by: { bookmarkedAt: '', id: '' } }
      const { items: rows, ...page } = await pageOfRows(request, list, (range) => queries.listBookmarks(db, of, range))
      const items = rows.map(({ number, ...row }) => ({ ...row, number: number === null ? null : Number(number) }))
      return { ...page, items, total: await queries.countBookmarks(db, of) }
    },
  }
}

/** A list is stored by the type of its things, in place of a thing. */
export function listVisitHandlersOf(kinds: readonly ThreadKind[]): ListVisitHandlers {
  const types = new Set(kinds.map(({ type }) => type))
  const assertList = ({ config }: Context, type: string) => {
    if (!types.has(type) || partsOff(config).kinds.has(type)) throw new Problem('not_found', 'No such list')
  }
  return {
    async visitList(context, { type }) {
      assertList(context, type)
      const key = keyOf(context, type)
      const stored = await queries.findListVisit(context.db, key)
      const visit = visitAfter(stored, context.now)
      if (visit) {
        await context.db.transaction().execute(async (transaction) => {
          await context.budget.spend(transaction)
          await queries.putListVisit(transaction, { ...key, ...visit })
        })
      }
      return { type, since: (visit ?? stored)?.beforeAt ?? null }
    },

    async myListVisit(context, { type }) {
      assertList(context, type)
      const visit = await queries.findListVisit(context.db, keyOf(context, type))
      return { type, since: (visit && visitAfter(visit, context.now))?.beforeAt ?? visit?.beforeAt ?? null }
    },
  }
}
