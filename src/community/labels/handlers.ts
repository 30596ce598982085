// Handlers for labels of bugs.
import { Problem } from '../../contract/problem.ts'
import { isUniqueViolation } from '../../database/constraint.ts'
import type { Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { changeSearch } from '../../search/indexing.ts'
import { labelDocument } from '../../search/things.ts'
import type { labels } from './contract.ts'
import { countLabels, getLabel, insertLabel, listLabels, lockLabel, updateLabel } from './queries.ts'

export const handlers: Handlers<typeof labels> = {
  async list({ db }, { page, per_page }) {
    const offset = page * per_page
    const items = await listLabels(db, { offset, limit: per_page })
    const total = await countLabels(db)
    return { items, hasMore: offset + items.length < total, total }
  },

  get: ({ db }, { id }) => getLabel(db, id),

  async create({ db }, given) {
    const label = { id: newId(), ...given }
    await db.transaction().execute(async (transaction) => {
      if (!(await insertLabel(transaction, label))) {
        throw new Problem('conflict', `There is a label named ${given.name} already`)
      }
      await changeSearch(transaction, { put: [labelDocument(label)] })
    })
    return label
  },

  async update({ db }, { id, name, color }) {
    const taken = () => new Problem('conflict', `There is a label named ${name} already`)
    try {
      return await db.transaction().execute(async (transaction) => {
        const before = await lockLabel(transaction, id)
        const label = { id, name: name ?? before.name, color: color ?? before.color }
        await updateLabel(transaction, label)
        await changeSearch(transaction, { put: [labelDocument(label)] })
        return label
      })
    } catch (error) {
      throw isUniqueViolation(error) ? taken() : error
    }
  },
}
