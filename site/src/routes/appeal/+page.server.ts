// An appeal against a block, by the link in the mail about it: a blocked account cannot sign in.
import { action, field, stay } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = ({ url }) => ({ token: url.searchParams.get('token') ?? '' })

export const actions = {
  default: action(
    (form, { locals, url }) =>
      locals.api.moderation.appealByLink({ token: url.searchParams.get('token') ?? '', text: field(form, 'text') }),
    stay,
    { of: () => 'appeal', written: true },
  ),
} satisfies Actions
