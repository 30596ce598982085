import { arrive, destination, worded } from '#lib/server/account.ts'
import { action, codeIn, field } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, url }) => ({
  to: destination(url),
  development: locals.server.development,
  externalName: locals.server.signUp.isExternal ? locals.server.externalName : undefined,
})

export const actions = {
  send: action(
    (form, { locals }) => worded(locals.api.accounts.forgotPassword({ email: field(form, 'email').trim() })),
    (_, form) => ({ mailed: field(form, 'email').trim(), again: form.has('again') }),
  ),
  reset: action(
    (form, { locals }) => {
      const given = { email: field(form, 'email'), code: codeIn(form), password: field(form, 'password') }
      return worded(locals.api.accounts.resetPassword(given), 'code')
    },
    ({ user }, _, { url }) => arrive(user, url),
  ),
} satisfies Actions
