import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import { glimpse, listQuery } from '#lib/server/lists.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, url }) => {
  const { sort, page } = listQuery(url)
  const { items, hasMore } = await found(locals.api.feed.list({ sort, page }))
  return { sort, page, hasMore, entries: rendered(items.map((item) => ({ ...item, preview: glimpse(item.preview) }))) }
}
