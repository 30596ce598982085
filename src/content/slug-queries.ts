// Slugs as they are stored: one row for each that is taken, under the base it was made from.
import type { Db, SlugTable, Transaction } from '../database/schema.ts'

/** Takes the slug unless it is taken; false then. */
export async function insertSlug(db: Transaction, row: SlugTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('slug')
    .values(row)
    .onConflict((conflict) => conflict.columns(['kind', 'slug']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function countSlugs(db: Db, kind: SlugTable['kind'], base: string): Promise<number> {
  const { count } = await db
    .selectFrom('slug')
    .select((column) => column.fn.countAll<number>().as('count'))
    .where('kind', '=', kind)
    .where('base', '=', base)
    .executeTakeFirstOrThrow()
  return count
}

export async function deleteSlug(db: Transaction, kind: SlugTable['kind'], targetId: string): Promise<void> {
  await db.deleteFrom('slug').where('kind', '=', kind).where('targetId', '=', targetId).execute()
}
