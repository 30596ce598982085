// Handlers for labels.
import { record } from '../../audit/audit.ts'
import { Problem } from '../../contract/problem.ts'
import { pageOfRows } from '../../database/cursor.ts'
import { isUniqueViolation } from '../../database/engine.ts'
import type { Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { changeSearch } from '../../search/indexing.ts'
import { labelDocument } from '../../search/things.ts'
import { type LabelDetails, labelActions, type labels } from '../labelled/contract.ts'
import { countLabels, getLabel, insertLabel, listLabels, lockLabel, updateLabel } from '../labelled/queries.ts'

export const handlers: Handlers<typeof labels> = {
  async list({ db }, request) {
    const list = { list: ['labels'], by: { name: '' } }
    const page = await pageOfRows(request, list, ({ after, ...range }) =>
      listLabels(db, { ...range, after: after && String(after[0]) }),
    )
    return { ...page, total: await countLabels(db) }
  },

  get: ({ db }, { id }) => getLabel(db, id),

  async create({ db, caller, now, address }, given) {
    const label = { id: newId(), ...given }
    await db.transaction().execute(async (transaction) => {
      if (!(await insertLabel(transaction, label))) {
        throw new Problem('conflict', `There is a label named ${given.name} already`)
      }
      await changeSearch(transaction, { put: [labelDocument(label)] })
      const act = { action: labelActions.create, actorId: caller.id, targetId: label.id, address }
      await record(transaction, now, { ...act, detail: { name: label.name } })
    })
    return { id: label.id, name: label.name, color: label.color }
  },

  async update({ db, caller, now, address }, { id, reason, ...given }) {
    const taken = () => new Problem('conflict', `There is a label named ${given.name} already`)
    try {
      return await db.transaction().execute(async (transaction) => {
        const before = await lockLabel(transaction, id)
        const changes = changesOf(before, given)
        const label = { ...before, ...changes }
        if (Object.keys(changes).length === 0) return label
        await updateLabel(transaction, label)
        await changeSearch(transaction, { put: [labelDocument(label)] })
        const detail = { name: before.name, from: pick(before, changes), to: changes }
        const act = { action: labelActions.update, actorId: caller.id, targetId: id, address }
        await record(transaction, now, { ...act, detail, reason })
        return label
      })
    } catch (error) {
      throw isUniqueViolation(error) ? taken() : error
    }
  },
}

type LabelChanges = { [Field in 'name' | 'color' | 'description']?: LabelDetails[Field] | undefined }

/** The fields that are given and differ from those of before. */
function changesOf(before: LabelDetails, given: LabelChanges): Partial<LabelDetails> {
  const differs = ([field, value]: [string, unknown]) =>
    value !== undefined && value !== Object.entries(before).find(([name]) => name === field)?.[1]
  return Object.fromEntries(Object.entries(given).filter(differs))
}

/** What the changed fields were. */
const pick = (before: LabelDetails, changes: Partial<LabelDetails>) =>
  Object.fromEntries(Object.entries(before).filter(([field]) => field in changes))
