// Handlers for saved filters.
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import type { savedFilters } from './contract.ts'
import * as queries from './queries.ts'
import { MAX_SAVED } from './rules.ts'

export const handlers: Handlers<typeof savedFilters> = {
  async list({ db, caller, config }) {
    const saved = await queries.listSaved(db, caller.id)
    return { items: saved.filter(({ path }) => !partsOff(config).hasPage(path)) }
  },

  async save({ db, caller, now, budget }, { name, path }) {
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
