// Forgets the draft of a form, and goes back to the page of the form.
import { redirect } from '@sveltejs/kit'
import { ownPath } from '#lib/own-path.ts'
import { field, found } from '#lib/server/answers.ts'
import type { RequestHandler } from './$types'

export const POST: RequestHandler = async ({ request, locals }) => {
  const form = await request.formData()
  const back = ownPath(field(form, 'back'))
  if (!(await locals.user())) redirect(303, `/sign-in?to=${encodeURIComponent(back)}`)
  await found(locals.api.drafts.delete({ path: field(form, 'path'), form: field(form, 'form') }))
  redirect(303, back)
}
