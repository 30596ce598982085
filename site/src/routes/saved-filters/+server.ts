// Saves a list with its filters or shares it in a board, or removes one that was saved or shared, by a form of that list: redirects back to it.
import { redirect } from '@sveltejs/kit'
import { ownPath } from '#lib/own-path.ts'
import { field, found } from '#lib/server/answers.ts'
import { say } from '#lib/server/saying.ts'
import type { RequestHandler } from './$types'

export const POST: RequestHandler = async ({ request, locals: { api, user } }) => {
  const form = await request.formData()
  const back = ownPath(field(form, 'back'))
  if (!(await user())) redirect(303, `/sign-in?to=${encodeURIComponent(back)}`)
  await found<unknown>(changed(api, form))
  say({ form, name: '', at: back })
  redirect(303, back)
}

function changed({ savedFilters }: App.Locals['api'], form: FormData): Promise<unknown> {
  const [id, board] = [field(form, 'remove'), field(form, 'board')]
  if (id !== '') return board === '' ? savedFilters.delete({ id }) : savedFilters.unshare({ board, id })
  const filter = { name: field(form, 'name'), path: field(form, 'path') }
  return board === '' ? savedFilters.save(filter) : savedFilters.share({ board, ...filter })
}
