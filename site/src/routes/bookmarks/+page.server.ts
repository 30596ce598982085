// What the reader bookmarked, the newest first.
import { found } from '#lib/server/answers.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import { signedIn } from '#lib/server/writing.ts'
import { addressOf } from '#lib/thing-address.ts'
import type { PageServerLoad } from './$types'

const A_PAGE = 30

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const page = pageNumber(event.url)
  const { items, hasMore } = await found(event.locals.api.threads.bookmarks({ page, per_page: A_PAGE }))
  return { page, hasMore, items: items.map((one) => ({ ...one, url: addressOf(one) })) }
}
