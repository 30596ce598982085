import { found } from '#lib/server/answers.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, url }) => {
  const page = pageNumber(url)
  return { page, posts: await found(locals.api.blog.list({ page })) }
}
