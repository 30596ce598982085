// Labels as they are stored.
import { Problem } from '../../contract/problem.ts'
import type { Db } from '../../database/schema.ts'
import type { Label } from './contract.ts'

/** Stores the label unless its name is taken in any case; false then. */
export async function insertLabel(db: Db, label: Label): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('label')
    .values({ ...label, nameKey: label.name.toLowerCase() })
    .onConflict((conflict) => conflict.column('nameKey').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export function getLabel(db: Db, id: string): Promise<Label> {
  return db
    .selectFrom('label')
    .select(['id', 'name', 'color'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'No such label'))
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

export async function listLabels(db: Db, { offset, limit }: { offset: number; limit: number }): Promise<Label[]> {
  return db.selectFrom('label').select(['id', 'name', 'color']).orderBy('nameKey').limit(limit).offset(offset).execute()
}

export async function countLabels(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('label')
    .select((column) => column.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
