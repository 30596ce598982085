// What moderators did, for everybody: no names and no texts.
import { found } from '#lib/server/answers.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import type { PageServerLoad } from './$types'

const A_PAGE = 50

export const load: PageServerLoad = async ({ url, locals }) => {
  const page = pageNumber(url)
  return { page, ...(await found(locals.api.moderation.log({ page, per_page: A_PAGE }))) }
}
