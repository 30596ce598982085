import { action, field, goTo } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = ({ url }) => ({
  token: url.searchParams.get('token') ?? '',
  done: url.searchParams.has('done'),
})

export const actions = {
  undo: action(
    (form, { locals }) => locals.api.address.undo({ token: field(form, 'token') }),
    goTo('/email-undo?done'),
  ),
} satisfies Actions
