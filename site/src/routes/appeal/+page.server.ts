// An appeal against a block, by the link in the mail about it: a blocked account cannot sign in.
import { error } from '@sveltejs/kit'
import { action, field, stay } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = ({ url, locals }) => {
  const token = url.searchParams.get('token')
  if (!token) error(404, locals.t('errors.page.404'))
  return { token }
}

export const actions = {
  default: action(
    (form, { locals, url }) =>
      locals.api.moderation.appealByLink({ token: url.searchParams.get('token') ?? '', text: field(form, 'text') }),
    stay,
    { of: () => 'appeal', written: true },
  ),
} satisfies Actions
