// A reaction to a comment, given or taken back by a form: redirects back to the comment.
import { error, redirect } from '@sveltejs/kit'
import { ownPath } from '#lib/own-path.ts'
import { field, orRefusal } from '#lib/server/answers.ts'
import type { RequestHandler } from './$types'

export const POST: RequestHandler = async ({ request, locals }) => {
  const form = await request.formData()
  const comment = field(form, 'comment')
  const back = ownPath(field(form, 'back'))
  // A minus takes the reaction back.
  const [, minus, reaction] = /^(-?)(\w+)$/.exec(field(form, 'reaction')) ?? []
  if (!reaction) error(400, locals.t('community.react.unknown'))
  const name = minus ? 'comments.unreact' : 'comments.react'
  const { refusal } = await orRefusal(locals.send(name, { id: comment, reaction }))
  if (refusal?.status === 401) redirect(303, `/sign-in?to=${encodeURIComponent(back)}`)
  if (refusal) error(refusal.status, refusal.message)
  redirect(303, `${back}#comment-${encodeURIComponent(comment)}`)
}
