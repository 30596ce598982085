// Handlers for saved filters.
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { allBoards, boardBySlug, isOpenToCall } from '../board-access/boards.ts'
import type { savedFilters } from './contract.ts'
import * as queries from './queries.ts'
import { boardIn, type ListInputs, MAX_SAVED } from './rules.ts'
import { sharedHandlers } from './shared-handlers.ts'

const ownHandlers: Pick<Handlers<typeof savedFilters>, 'list' | 'save' | 'delete'> = {
  async list({ db, caller, config }) {
    const saved = await queries.listSaved(db, caller.id)
    const boards = new Set((await allBoards(db)).filter(isOpenToCall).map(({ slug }) => slug))
    const isRead = (board: string | undefined) => board === undefined || boards.has(board)
    return { items: saved.filter(({ path }) => !partsOff(config).hasPage(path) && isRead(boardIn(path))) }
  },

  async save({ db, caller, now, budget }, { name, path }) {
    const board = boardIn(path)
    if (board !== undefined) await boardBySlug(db, board)
    return db.transaction().execute(async (transaction) => {
      const count = await queries.countLocked(transaction, caller.id)
      await budget.spend(transaction)
      const renamed = await queries.updateName(transaction, { userId: caller.id, path, name })
      if (renamed) return renamed
      if (count >= MAX_SAVED) throw new Problem('conflict', `An account has at most ${MAX_SAVED} saved filters`)
      const made = { id: newId(), name, path, createdAt: now }
      await queries.insertSaved(transaction, { ...made, userId: caller.id })
      return made
    })
  },

  async delete({ db, caller, budget }, { id }) {
    await db.transaction().execute(async (transaction) => {
      await budget.spend(transaction)
      if (!(await queries.deleteSaved(transaction, { id, userId: caller.id }))) {
        throw new Problem('not_found', 'No such saved filter')
      }
    })
    return { id }
  },
}

export const savedHandlers = (lists: ListInputs): Handlers<typeof savedFilters> => ({
  ...ownHandlers,
  ...sharedHandlers(lists),
})
