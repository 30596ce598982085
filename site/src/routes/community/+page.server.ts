import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import { glimpse, listQuery, oneOf } from '#lib/server/lists.ts'
import { savedIn } from '#lib/server/saved.ts'
import { feedKinds } from '#lib/ui/kinds.ts'
import { writers } from '../../../../src/contract/via.ts'
import type { PageServerLoad } from './$types'

/** As many as the API answers unless told. */
const ENTRIES_A_PAGE = 20

export const load: PageServerLoad = async ({ locals, url }) => {
  const { sort, page } = listQuery(url)
  const type = oneOf(url.searchParams.get('type'), feedKinds)
  const by = oneOf(url.searchParams.get('by'), writers)
  const [{ items, hasMore }, { counts }, saved] = await Promise.all([
    found(locals.api.feed.list({ sort, page, type, by })),
    found(locals.api.feed.counts({ by })),
    savedIn({ locals, url }),
  ])
  const total = type ? (counts[type] ?? 0) : Object.values(counts).reduce((sum, count) => sum + count, 0)
  return {
    sort,
    page,
    type,
    by,
    hasMore,
    counts,
    saved,
    total,
    pages: Math.ceil(total / ENTRIES_A_PAGE),
    entries: rendered(items.map((item) => ({ ...item, preview: glimpse(item.preview) }))),
  }
}
