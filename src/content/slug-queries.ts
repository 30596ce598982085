// Slugs as they are stored: one row for each that is taken, under the base it was made from.
import { countChanged, countRows } from '../database/engine.ts'
import type { Db, SlugTable, Transaction } from '../database/schema.ts'

/** Takes the slug unless it is taken, or kept for another account; false then. */
export async function insertSlug(
  db: Transaction,
  { ownerId, ...row }: SlugTable & { ownerId: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('slug')
    .values(row)
    .onConflict((conflict) => conflict.columns(['kind', 'slug']).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) return false
  const { kind, slug } = row
  // Asked only now: the transaction that keeps it removes the slug, and is over.
  const kept = db.selectFrom('keptSlug').select('ownerId').where('kind', '=', kind).where('slug', '=', slug)
  const keeper = (await kept.executeTakeFirst())?.ownerId ?? ownerId
  if (keeper !== ownerId) await db.deleteFrom('slug').where('kind', '=', kind).where('slug', '=', slug).execute()
  return keeper === ownerId
}

/** Whether an account could take a slug now. */
export async function isSlugFree(
  db: Db,
  { kind, slug, ownerId }: Pick<SlugTable, 'kind' | 'slug'> & { ownerId: string },
): Promise<boolean> {
  const taken = db.selectFrom('slug').select('slug').where('kind', '=', kind).where('slug', '=', slug)
  if (await taken.executeTakeFirst()) return false
  const kept = db.selectFrom('keptSlug').select('ownerId').where('kind', '=', kind).where('slug', '=', slug)
  return ((await kept.executeTakeFirst())?.ownerId ?? ownerId) === ownerId
}

export const countSlugs = (db: Db, kind: SlugTable['kind'], base: string) =>
  countRows(db.selectFrom('slug').where('kind', '=', kind).where('base', '=', base))

/** Removes the slugs of a thing that is gone, and keeps them for an account. */
export async function keepSlugs(
  db: Transaction,
  { kind, targetId, ownerId }: { kind: SlugTable['kind']; targetId: string; ownerId: string },
): Promise<void> {
  const gone = db.deleteFrom('slug').where('kind', '=', kind).where('targetId', '=', targetId)
  const slugs = await gone.returning('slug').execute()
  if (slugs.length === 0) return
  await db
    .insertInto('keptSlug')
    .values(slugs.map(({ slug }) => ({ kind, slug, ownerId })))
    .onConflict((conflict) => conflict.columns(['kind', 'slug']).doUpdateSet({ ownerId }))
    .execute()
}

/** Keeps some slugs of one account for another. Gives how many there were. */
export async function moveKeptSlugs(
  db: Db,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<number> {
  const some = db.selectFrom('keptSlug').select(['kind', 'slug']).where('ownerId', '=', from).limit(limit)
  return countChanged(
    db
      .updateTable('keptSlug')
      .set({ ownerId: to })
      .where((row) => row(row.refTuple('kind', 'slug'), 'in', some.$asTuple('kind', 'slug'))),
  )
}

/** The slugs of a thing: that of today, and those from before. */
export async function listSlugsOf(db: Db, targetId: string): Promise<string[]> {
  const rows = await db.selectFrom('slug').select('slug').where('targetId', '=', targetId).orderBy('slug').execute()
  return rows.map(({ slug }) => slug)
}
