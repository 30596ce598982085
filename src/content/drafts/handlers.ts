// Handlers for drafts of forms.
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { drafts } from './contract.ts'
import * as queries from './queries.ts'

type Fields = { name: string; text: string }[]

export const handlers: Handlers<typeof drafts> = {
  async list({ db, caller, config }, { path }) {
    if (partsOff(config).hasPage(path)) return { items: [] }
    const rows = await queries.listDrafts(db, { userId: caller.id, path })
    return { items: rows.map(({ fields, ...draft }) => ({ ...draft, fields: parseJson<Fields>(fields) })) }
  },

  async save({ db, caller, now, budget, config }, { path, form, fields }) {
    if (partsOff(config).hasPage(path)) throw new Problem('not_found', 'There is nothing here')
    await db.transaction().execute(async (transaction) => {
      await queries.lockDrafts(transaction, caller.id)
      await budget.spend(transaction)
      const draft = { id: newId(), userId: caller.id, path, form, fields: JSON.stringify(fields), updatedAt: now }
      await queries.upsertDraft(transaction, draft)
    })
    return { updatedAt: now }
  },

  async delete({ db, caller, budget }, { path, form }) {
    return db.transaction().execute(async (transaction) => {
      await queries.lockDrafts(transaction, caller.id)
      await budget.spend(transaction)
      return { deleted: await queries.deleteDraft(transaction, { userId: caller.id, path, form }) }
    })
  },
}
