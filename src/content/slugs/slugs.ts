// The one space of slugs: unique a kind over all owners, and shared by the orgs of the gallery and of the library.
import type { SlugTable, Transaction } from '../../database/schema.ts'
import { countSlugs, insertSlug } from './queries.ts'
import { numbered } from './rules.ts'

export { deleteSlug } from './queries.ts'
export { slugOf } from './rules.ts'

/**
 * Takes `base` for a new thing, or `base-2`, `base-3`, ... if it is taken: right under any concurrency. A slug stays with
 * its thing for good; `deleteSlug` gives it back when the thing goes.
 */
export async function takeSlug(
  db: Transaction,
  kind: SlugTable['kind'],
  base: string,
  targetId: string,
): Promise<string> {
  if (await insertSlug(db, { kind, slug: base, base, targetId })) return base
  // Starts where the numbers most likely end, not at 2: a name may be taken ten thousand times.
  for (let attempt = Math.max(2, (await countSlugs(db, kind, base)) + 1); ; attempt++) {
    const slug = numbered(base, attempt)
    if (await insertSlug(db, { kind, slug, base, targetId })) return slug
  }
}
