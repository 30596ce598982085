// Labels as they are stored.
import { Problem } from '../../contract/problem.ts'
import { countRows, locking } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { LabelDetails } from './contract.ts'

const columns = ['id', 'name', 'color', 'description'] as const

/** Stores the label unless its name is taken in any case; false then. */
export async function insertLabel(db: Db, label: LabelDetails): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('label')
    .values({ ...label, nameKey: label.name.toLowerCase() })
    .onConflict((conflict) => conflict.column('nameKey').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export function getLabel(db: Db, id: string): Promise<LabelDetails> {
  return db
    .selectFrom('label')
    .select(columns)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'No such label'))
}

/** The label, locked until the transaction ends; undefined where there is none. */
export const findLockedLabel = (db: Transaction, id: string): Promise<LabelDetails | undefined> =>
  locking(db, db.selectFrom('label').select(columns).where('id', '=', id)).executeTakeFirst()

/** Whether anything has the label, hidden or not. */
export async function isLabelUsed(db: Db, id: string): Promise<boolean> {
  for (const table of ['bugLabel', 'featureLabel', 'postLabel'] as const) {
    const used = await db.selectFrom(table).select('labelId').where('labelId', '=', id).limit(1).executeTakeFirst()
    if (used) return true
  }
  return false
}

/** Removes a label that nothing has. */
export async function deleteLabel(db: Transaction, id: string): Promise<void> {
  await db.deleteFrom('label').where('id', '=', id).execute()
}

/** The same; throws `not_found` where there is none. */
export async function lockLabel(db: Transaction, id: string): Promise<LabelDetails> {
  const label = await findLockedLabel(db, id)
  if (!label) throw new Problem('not_found', 'No such label')
  return label
}

/** Rejects with a violation of uniqueness where another label has the name in any case. */
export async function updateLabel(db: Transaction, { id, name, color, description }: LabelDetails): Promise<void> {
  await db
    .updateTable('label')
    .set({ name, nameKey: name.toLowerCase(), color, description })
    .where('id', '=', id)
    .execute()
}

/** The id of a label that is named by its id, or by its name in any case. */
export async function findLabelId(db: Db, idOrName: string): Promise<string | undefined> {
  const label = await db
    .selectFrom('label')
    .select('id')
    .where((either) => either.or([either('id', '=', idOrName), either('nameKey', '=', idOrName.toLowerCase())]))
    .executeTakeFirst()
  return label?.id
}

export async function listLabels(
  db: Db,
  { after, offset, limit }: { after?: string | undefined; offset: number; limit: number },
): Promise<LabelDetails[]> {
  return db
    .selectFrom('label')
    .select(columns)
    .$if(after !== undefined, (labels) => labels.where('nameKey', '>', String(after).toLowerCase()))
    .orderBy('nameKey')
    .limit(limit)
    .offset(offset)
    .execute()
}

const firstIds = prepared(
  (db, given: Bind<{ limit: number }>) => db.selectFrom('label').select('id').orderBy('nameKey').limit(given('limit')),
  { cached: true },
)

/** The ids of the first labels by name. */
export async function listLabelIdsByName(db: Db, limit: number): Promise<string[]> {
  const { rows } = await firstIds(db, { limit })
  return rows.map(({ id }) => id)
}

export const countLabels = (db: Db) => countRows(db.selectFrom('label'))
