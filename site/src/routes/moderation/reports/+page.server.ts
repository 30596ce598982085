// The reports of the reader, newest first, with the outcome of each.
import { found } from '#lib/server/answers.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const page = pageNumber(event.url)
  return { page, ...(await found(event.locals.api.reports.mine({ page }))) }
}
