// The queue of moderators: everything that waits for them, one case a thing.
import { judging } from '#lib/server/administration.ts'
import { found } from '#lib/server/answers.ts'
import { glimpse } from '#lib/server/lists.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await judging(event)
  const page = pageNumber(event.url)
  const state = event.url.searchParams.get('state') === 'closed' ? 'closed' : 'open'
  const { items, ...cases } = await found(event.locals.api.moderation.cases({ state, page }))
  return { page, state, ...cases, items: items.map((one) => ({ ...one, excerpt: glimpse(one.excerpt) })) }
}
