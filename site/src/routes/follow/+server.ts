// Follows or mutes a thing, or neither, by a form: redirects back to the thing.
import { redirect } from '@sveltejs/kit'
import { ownPath } from '#lib/own-path.ts'
import { field, found } from '#lib/server/answers.ts'
import { say } from '#lib/server/saying.ts'
import type { RequestHandler } from './$types'

const STATES = ['following', 'muted', 'none'] as const

export const POST: RequestHandler = async ({ request, locals }) => {
  const form = await request.formData()
  const back = ownPath(field(form, 'back'))
  if (!(await locals.user())) redirect(303, `/sign-in?to=${encodeURIComponent(back)}`)
  const state = STATES.find((one) => one === field(form, 'state')) ?? 'none'
  await found(locals.api.follows.set({ id: field(form, 'id'), state }))
  say({ form, name: '', at: back })
  redirect(303, `${back}#follow`)
}
