import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import { glimpse, listQuery, oneOf } from '#lib/server/lists.ts'
import { feedKinds } from '#lib/ui/kinds.ts'
import { writers } from '../../../../src/contract/via.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, url }) => {
  const { sort, page } = listQuery(url)
  const type = oneOf(url.searchParams.get('type'), feedKinds)
  const by = oneOf(url.searchParams.get('by'), writers)
  const { items, hasMore } = await found(locals.api.feed.list({ sort, page, type, by }))
  return {
    sort,
    page,
    type,
    by,
    hasMore,
    entries: rendered(items.map((item) => ({ ...item, preview: glimpse(item.preview) }))),
  }
}
