import { found } from '#lib/server/answers.ts'
import { listQuery } from '#lib/server/lists.ts'
import type { PageServerLoad } from './$types'

const MEMBERS_A_PAGE = 30

export const load: PageServerLoad = async ({ locals, url }) => {
  const { q, page } = listQuery(url)
  const { items, hasMore, total } = await found(locals.api.members.list({ q, page, per_page: MEMBERS_A_PAGE }))
  return { q, page, items, hasMore, total, pages: Math.ceil(total / MEMBERS_A_PAGE) }
}
