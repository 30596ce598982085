import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import { glimpse, listQuery, oneOf } from '#lib/server/lists.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, url }) => {
  const status = oneOf(url.searchParams.get('status'), ['open', 'planned', 'shipped', 'declined'])
  const query = { ...listQuery(url), status }
  const { items, hasMore } = await found(locals.api.features.list(query))
  return {
    query,
    hasMore,
    entries: rendered(items.map(({ description, ...one }) => ({ ...one, preview: glimpse(description) }))),
  }
}
