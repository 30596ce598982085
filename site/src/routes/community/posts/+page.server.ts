import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import { glimpse, listQuery } from '#lib/server/lists.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = listQuery(url)
  const { items, hasMore } = await found(locals.api.posts.list(query))
  return { query, hasMore, entries: rendered(items.map(({ body, ...post }) => ({ ...post, preview: glimpse(body) }))) }
}
