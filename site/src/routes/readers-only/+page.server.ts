// Where a signed-in account lands that is not among the readers of a private instance.
import { redirect } from '@sveltejs/kit'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals }) => {
  if (!(await locals.user())) redirect(303, '/sign-in')
  if (locals.server.reads) redirect(303, '/')
}
