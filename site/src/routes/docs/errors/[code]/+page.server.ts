import { error } from '@sveltejs/kit'
import { problemOf } from '#lib/server/reference.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ locals: { t, server }, params: { code } }) => {
  const problem = problemOf(code, { t, off: server.off })
  if (!problem) error(404, t('docs.errors.none'))
  return problem
}
