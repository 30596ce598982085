// Every team that everybody sees. A member's own are in the settings too.
import { found } from '#lib/server/answers.ts'
import { listQuery } from '#lib/server/lists.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, url }) => {
  const { page } = listQuery(url)
  const { items: teams, hasMore } = await found(locals.api.teams.list({ page }))
  return { teams, page, hasMore }
}
