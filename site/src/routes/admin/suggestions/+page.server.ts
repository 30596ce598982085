// All suggestions that wait for a decision, newest first.
import { moderating } from '#lib/server/administration.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import { suggestionActions, waitingSuggestions } from '#lib/server/suggestions.ts'
import type { Actions, PageServerLoad } from './$types'

/** As many as can be decided at once. */
const A_PAGE = 10

export const load: PageServerLoad = async (event) => {
  await moderating(event)
  const page = pageNumber(event.url)
  return { page, ...(await waitingSuggestions(event, { page, per_page: A_PAGE })) }
}

export const actions = suggestionActions satisfies Actions
