import { found } from '#lib/server/answers.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, url }) => {
  const sort = url.searchParams.get('sort') === 'popular' ? 'popular' : 'latest'
  const page = Math.max(0, Math.trunc(Number(url.searchParams.get('page')) || 0))
  return { sort, page, feed: await found(locals.api.feed.list({ sort, page })) }
}
