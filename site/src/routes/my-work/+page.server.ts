// Open bugs and feature requests that are assigned to the reader, the first due first.
import { found } from '#lib/server/answers.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { PageServerLoad } from './$types'

const A_PAGE = 30

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const page = pageNumber(event.url)
  const { items, hasMore } = await found(event.locals.api.threads.myWork({ page, per_page: A_PAGE }))
  const today = new Date().toISOString().slice(0, 10)
  return { page, hasMore, items: items.map((one) => ({ ...one, isOverdue: one.dueOn !== null && one.dueOn < today })) }
}
