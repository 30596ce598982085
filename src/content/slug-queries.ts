// The one space of slugs: unique a kind over all owners, and shared by the orgs of the gallery and of the library. How a name
// becomes a part of an address is in behaviour.md, section 2. There is one row for each that is taken, under the base it was made from.
import { countChanged, countRows } from '../database/engine.ts'
import type { Db, SlugTable, Transaction } from '../database/schema.ts'
import { SLUG_LENGTH } from './slug-rules.ts'

export { slugOf } from './slug-rules.ts'

/**
 * Takes `base` for a new thing of an account, or `base-2`, `base-3`, ... if it is taken: right under any concurrency. A slug stays with
 * its thing for good; `keepSlugs` keeps it for the account when the thing goes, because others may install it by that name.
 */
export async function takeSlug(
  db: Transaction,
  { kind, base, targetId, ownerId }: Pick<SlugTable, 'kind' | 'base' | 'targetId'> & { ownerId: string },
): Promise<string> {
  if (await insertSlug(db, { kind, slug: base, base, targetId, ownerId })) return base
  // Starts where the numbers most likely end, not at 2: a name may be taken ten thousand times.
  for (let attempt = Math.max(2, (await countSlugs(db, kind, base)) + 1); ; attempt++) {
    const slug = numbered(base, attempt)
    if (await insertSlug(db, { kind, slug, base, targetId, ownerId })) return slug
  }
}

/** The slug that `takeSlug` would take now. Others can take it in the meantime. */
export async function findFreeSlug(
  db: Db,
  { kind, base, ownerId }: Pick<SlugTable, 'kind' | 'base'> & { ownerId: string },
): Promise<string> {
  if (await isSlugFree(db, { kind, slug: base, ownerId })) return base
  for (let attempt = Math.max(2, (await countSlugs(db, kind, base)) + 1); ; attempt++) {
    const slug = numbered(base, attempt)
    if (await isSlugFree(db, { kind, slug, ownerId })) return slug
  }
}

/**
 * Takes a slug for a thing that has others, which stay its own: `taken` where it is that of another thing, `full` where the thing has
 * `most` already. One that it had before is its own.
 */
export async function insertSlugOf(
  db: Transaction,
  { most, ...row }: Omit<SlugTable, 'base'> & { ownerId: string; most: number },
): Promise<'done' | 'taken' | 'full'> {
  const own = await listSlugsOf(db, row.targetId)
  if (own.includes(row.slug)) return 'done'
  if (own.length >= most) return 'full'
  return (await insertSlug(db, { ...row, base: row.slug })) ? 'done' : 'taken'
}

/** The first is the name itself, then `-2`, `-3`, ...; still at most 60 characters, where the name had at most 60. */
function numbered(base: string, attempt: number): string {
  if (attempt === 1) return base
  const suffix = `-${attempt}`
  return `${base.slice(0, Math.max(1, Math.max(base.length, SLUG_LENGTH) - suffix.length)).replace(/-+$/, '')}${suffix}`
}

/** Takes the slug unless it is taken, or kept for another account; false then. */
async function insertSlug(db: Transaction, { ownerId, ...row }: SlugTable & { ownerId: string }): Promise<boolean> {
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
async function isSlugFree(
  db: Db,
  { kind, slug, ownerId }: Pick<SlugTable, 'kind' | 'slug'> & { ownerId: string },
): Promise<boolean> {
  const taken = db.selectFrom('slug').select('slug').where('kind', '=', kind).where('slug', '=', slug)
  if (await taken.executeTakeFirst()) return false
  const kept = db.selectFrom('keptSlug').select('ownerId').where('kind', '=', kind).where('slug', '=', slug)
  return ((await kept.executeTakeFirst())?.ownerId ?? ownerId) === ownerId
}

const countSlugs = (db: Db, kind: SlugTable['kind'], base: string) =>
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
