import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import { glimpse, listQuery, oneOf, withTexts } from '#lib/server/lists.ts'
import { savedIn } from '#lib/server/saved.ts'
import { countsByWriter, numberOf } from '#lib/server/written-counts.ts'
import { feedKinds } from '#lib/ui/kinds.ts'
import { writers } from '../../../../src/contract/fields.ts'
import type { PageServerLoad } from './$types'

/** As many as the API answers unless told. */
const ENTRIES_A_PAGE = 20

export const load: PageServerLoad = async ({ locals, url }) => {
  const { sort, page } = listQuery(url)
  const type = oneOf(url.searchParams.get('type'), feedKinds)
  const by = oneOf(url.searchParams.get('by'), writers)
  const [{ items, hasMore }, { counts }, byWriter, saved] = await Promise.all([
    found(locals.api.feed.list({ sort, page, type: type ?? 'all', by })),
    found(locals.api.feed.counts({ by })),
    countsByWriter(locals.api),
    savedIn({ locals, url }),
  ])
  const total = numberOf(counts, type)
  return {
    sort,
    page,
    type,
    by,
    hasMore,
    counts,
    written: { people: numberOf(byWriter.people, type), agents: numberOf(byWriter.agents, type) },
    saved,
    total,
    pages: Math.ceil(total / ENTRIES_A_PAGE),
    entries: rendered(items.map((item) => ({ ...item, preview: withTexts(url) ? glimpse(item.preview) : undefined }))),
  }
}
