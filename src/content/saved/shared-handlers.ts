// Handlers for filters that are shared in a board. Who does not read the board finds none of them.
import { record } from '../../audit/audit.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { type Board, boardBySlug, holdBoards, isModeratedBy, placingIn } from '../board-access/boards.ts'
import { type savedFilters, sharedFilterActions } from './contract.ts'
import { isListOf, type ListInputs, MAX_SHARED, withBoard, wrongFilter } from './rules.ts'
import * as queries from './shared-queries.ts'

type SharedHandlers = Pick<Handlers<typeof savedFilters>, 'listShared' | 'share' | 'unshare'>

/** The board whose filters a caller may change; throws `forbidden` for the others that it reads. */
async function boardToChange(db: Db, caller: Caller, slug: string): Promise<Board> {
  const board = await boardBySlug(db, slug)
  if (!isModeratedBy(board, caller)) throw new Problem('forbidden', 'Moderators of the board share filters')
  return board
}

/** The list of a board, as it is stored; throws `invalid_request` for another one. */
function assertListOf(board: Board, path: string, lists: ListInputs): void {
  const isFirst = placingIn(board).boardId === null
  if (!isListOf(path, { slug: board.slug, isFirst }, lists)) {
    throw new Problem('invalid_request', 'path: must be a list of this board')
  }
  const wrong = wrongFilter(path, lists)
  if (wrong !== undefined) throw new Problem('invalid_request', `path: the list has no such filter: ${wrong}`)
}

const note = (
  { caller, now, address }: Context<Caller>,
  db: Transaction,
  { board, action, filter }: { board: Board; action: AuditAction; filter: string },
) => record(db, now, { action, actorId: caller.id, targetId: board.id, detail: { name: board.name, filter }, address })

export const sharedHandlers = (lists: ListInputs): SharedHandlers => ({
  async listShared({ db, config }, { board: slug }) {
    const board = await boardBySlug(db, slug)
    const shared = await queries.listShared(db, placingIn(board).boardId)
    const off = partsOff(config)
    const items = shared.filter(({ path }) => !off.hasPage(path))
    return { items: items.map((one) => ({ ...one, path: withBoard(one.path, board.slug) })) }
  },

  async share(context, { board: slug, name, path }) {
    const { db, caller, now, budget } = context
    const shared = await db.transaction().execute(async (transaction) => {
      await holdBoards(transaction)
      const board = await boardToChange(transaction, caller, slug)
      if (board.archivedAt !== null) throw new Problem('conflict', 'This board is archived')
      assertListOf(board, path, lists)
      const { boardId } = placingIn(board)
      const stored = withBoard(path, board.id)
      const count = await queries.countLocked(transaction, boardId)
      await budget.spend(transaction)
      await note(context, transaction, { board, action: sharedFilterActions['share-filter'], filter: name })
      const renamed = await queries.renameShared(transaction, { boardId, path: stored, name })
      if (renamed) return renamed
      if (count >= MAX_SHARED) throw new Problem('conflict', `A board has at most ${MAX_SHARED} shared filters`)
      const made = { id: newId(), name, path: stored, createdAt: now }
      await queries.insertShared(transaction, { ...made, boardId, userId: caller.id })
      return made
    })
    return { ...shared, path: withBoard(shared.path, slug) }
  },

  async unshare(context, { board: slug, id }) {
    const { db, caller, budget } = context
    await db.transaction().execute(async (transaction) => {
      const board = await boardToChange(transaction, caller, slug)
      await budget.spend(transaction)
      const gone = await queries.deleteShared(transaction, { id, boardId: placingIn(board).boardId })
      if (!gone) throw new Problem('not_found', 'No such saved filter')
      await note(context, transaction, { board, action: sharedFilterActions['unshare-filter'], filter: gone.name })
    })
    return { id }
  },
})
