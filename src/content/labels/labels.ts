// What other slices may ask of labels.
import type { Db, Transaction } from '../../database/schema.ts'
import { newId } from '../../runtime/ids.ts'
import { changeSearch } from '../../search/indexing.ts'
import { labelDocument } from '../../search/things.ts'
import type { LabelDetails } from '../labelled/contract.ts'
import { deleteLabel, findLockedLabel, insertLabel, isLabelUsed, listLabels } from '../labelled/label-queries.ts'

export { labelHandlers } from './labelling-handlers.ts'

/** Makes a label; undefined where its name is taken. */
export async function createLabel(
  db: Transaction,
  given: Omit<LabelDetails, 'id'> & { id?: string },
): Promise<string | undefined> {
  const label = { id: newId(), ...given }
  if (!(await insertLabel(db, label))) return undefined
  await changeSearch(db, { put: [labelDocument(label)] })
  return label.id
}

/** The first labels by name. */
export const namesOfLabels = async (db: Db, limit: number): Promise<{ id: string; name: string }[]> =>
  (await listLabels(db, { offset: 0, limit })).map(({ id, name }) => ({ id, name }))

/** A label, locked, and whether anything has it; undefined where there is none. */
export async function findLabelUse(
  db: Transaction,
  id: string,
): Promise<(LabelDetails & { isUsed: boolean }) | undefined> {
  const label = await findLockedLabel(db, id)
  return label && { ...label, isUsed: await isLabelUsed(db, id) }
}

/** Removes a label that nothing has. */
export async function removeLabel(db: Transaction, id: string): Promise<void> {
  await deleteLabel(db, id)
  await changeSearch(db, { removed: [id] })
}
