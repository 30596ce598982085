// Things that go to another board, or stay in one that is opened or closed. A thing in a closed board keeps its row and its comments, and is out
// of everything that all boards share, as a hidden thing is.

import { Problem } from '../../contract/problem.ts'
import { isWithinReach } from '../../contract/standing.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { changeSearch } from '../../search/indexing.ts'
import { commentDocument } from '../../search/things.ts'
import { type Board, boardBySlug, findBoard, isOtherAudience } from '../board-access/boards.ts'
import { type Boarded, boardActions } from '../board-access/contract.ts'
import { holdBoards } from '../board-access/queries.ts'
import { FIRST_BOARD, isClosed } from '../board-access/rules.ts'
import { listShownOn } from '../comment-rows/queries.ts'
import { changeHidden } from '../hiding/hiding.ts'
import { withWholeTexts } from '../imported/whole-texts.ts'
import { recordModeration } from '../reports/moderation.ts'
import type { BoardedKind, HideableKind } from '../things.ts'

/** Comments a statement. */
const AT_ONCE = 250

export interface Turn {
  type: Boarded
  id: string
  /** Whether it is out of what all boards share from now on. */
  isClosed: boolean
  now: string
}

/** Takes a thing that is locked out of what all boards share, with what is said of it, or puts it back. */
export async function turn(
  db: Transaction,
  hidings: ReadonlyMap<string, HideableKind>,
  { type, id, isClosed, now }: Turn,
): Promise<void> {
  const hiding = hidings.get(type)
  if (!hiding || !(await changeHidden(db, hiding, { id, by: 'board', isOn: isClosed, now }))) return
  if (isClosed) return changeSearch(db, { removedOn: [id] })
  for (let after: string | undefined = ''; after !== undefined; ) {
    const some = await listShownOn(db, { targetType: type, targetId: id, after, limit: AT_ONCE })
    if (some.length > 0) await changeSearch(db, { put: await withWholeTexts(db, some.map(commentDocument)) })
    after = some.length < AT_ONCE ? undefined : some.at(-1)?.id
  }
}

// A thing goes to another board: its id, its number and its address stay, so nothing has to lead there.

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
