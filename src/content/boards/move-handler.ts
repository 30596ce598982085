// A thing goes to another board: its id, its number and its address stay, so nothing has to lead there.

import { Problem } from '../../contract/problem.ts'
import { isWithinReach } from '../../contract/standing.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { type Board, boardBySlug, findBoard, isOtherAudience } from '../board-access/boards.ts'
import { type Boarded, boardActions } from '../board-access/contract.ts'
import { holdBoards } from '../board-access/queries.ts'
import { FIRST_BOARD, isClosed } from '../board-access/rules.ts'
import { recordModeration } from '../reports/moderation.ts'
import type { BoardedKind, HideableKind } from '../things.ts'
import { turn } from './moving.ts'

interface Services {
  boarded: readonly BoardedKind[]
  hidings: ReadonlyMap<string, HideableKind>
}

interface Move {
  board: string
  type: Boarded
  id: string
  confirm: boolean
  reason: string | null
}

/** Refuses a board that nothing new goes to, and one that others read unless that is confirmed. */
function assertMovable(from: Board, to: Board, confirm: boolean): void {
  if (to.archivedAt !== null) throw new Problem('conflict', 'This board is archived')
  if (!confirm && isOtherAudience(from, to)) throw new Problem('conflict', 'This board has other readers. Confirm it')
}

export function moveHandler({ boarded, hidings }: Services) {
  const kinds = new Map(boarded.map((kind) => [kind.type, kind]))
  return (context: Context<Caller>, { board, type, id, confirm, reason }: Move) => {
    const { db, now } = context
    return db.transaction().execute(async (transaction) => {
      await holdBoards(transaction)
      const to = await boardBySlug(transaction, board)
      if (!isWithinReach(to.id)) throw new Problem('forbidden', 'Forbidden')
      const kind = required(kinds.get(type))
      const row = await kind.lock(transaction, id)
      const from = required(await findBoard(transaction, row.boardId ?? FIRST_BOARD))
      if (from.id === to.id) return { id, board: to.slug }
      assertMovable(from, to, confirm)
      // First, so that webhooks of the board that it leaves hear of it.
      await turn(transaction, hidings, { type, id, isClosed: isClosed(to), now })
      await kind.update(transaction, id, { boardId: to.id === FIRST_BOARD ? null : to.id })
      const detail = { type, from: from.slug, to: to.slug }
      await recordModeration(transaction, context, { action: boardActions.move, on: row, reason, detail })
      return { id, board: to.slug }
    })
  }
}
