// Saves a list with its filters, or removes one that was saved, by a form of that list: redirects back to it.
import { redirect } from '@sveltejs/kit'
import { ownPath } from '#lib/own-path.ts'
import { field, found } from '#lib/server/answers.ts'
import type { RequestHandler } from './$types'

export const POST: RequestHandler = async ({ request, locals: { api, user } }) => {
  const form = await request.formData()
  const back = ownPath(field(form, 'back'))
  if (!(await user())) redirect(303, `/sign-in?to=${encodeURIComponent(back)}`)
  const remove = field(form, 'remove')
  await found<unknown>(
    remove === ''
      ? api.savedFilters.save({ name: field(form, 'name'), path: field(form, 'path') })
      : api.savedFilters.delete({ id: remove }),
  )
  redirect(303, back)
}
