// The one space of slugs: unique a kind over all owners, and shared by the orgs of the gallery and of the library. How a name
// becomes a part of an address is in behaviour.md, section 2.
import type { Db, SlugTable, Transaction } from '../database/schema.ts'
import { countSlugs, insertSlug, isSlugFree, listSlugsOf } from './slug-queries.ts'
import { SLUG_LENGTH } from './slug-rules.ts'

export { keepSlugs, listSlugsOf, moveKeptSlugs } from './slug-queries.ts'
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
