import { short } from '#lib/features/orgs/view.ts'
import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import { listQuery, oneOf } from '#lib/server/lists.ts'
import { writtenFilter } from '#lib/ui/agents.ts'
import { writers } from '../../../../../src/contract/fields.ts'
import type { PageServerLoad } from './$types'

/** As many as the API answers unless told. */
const ORGS_A_PAGE = 20

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = listQuery(url)
  const by = oneOf(url.searchParams.get('by'), writers)
  const { items, hasMore, total } = await found(locals.api.orgs.list({ ...query, by }))
  // A card shows two lines of the goal.
  const orgs = rendered(items.map((org) => ({ ...org, name: short(org.name, 100), goal: short(org.goal, 300) })))
  return {
    query,
    hasMore,
    orgs,
    total,
    pages: Math.ceil(total / ORGS_A_PAGE),
    facets: [{ ...writtenFilter(locals.t), value: by }],
  }
}
