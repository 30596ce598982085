// The permanent address of a comment: redirects to the page that shows it.
import { redirect } from '@sveltejs/kit'
import { found } from '#lib/server/answers.ts'
import { pathTo } from '#lib/server/comments.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, params: { id } }) =>
  redirect(302, pathTo(await found(locals.api.comments.get({ id }))))
