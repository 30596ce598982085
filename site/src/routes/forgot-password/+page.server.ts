import { arrive, destination, worded } from '#lib/server/account.ts'
import { attempt, field } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ platform, url }) => ({
  to: destination(url),
  development: platform!.development,
})

export const actions = {
  send: async ({ request, locals, url }) => {
    const form = await request.formData()
    const email = field(form, 'email').trim()
    const of = form.has('again') ? 'again' : 'send'
    const { failure } = await attempt(worded(locals.api.accounts.forgotPassword({ email })), { form, url, of })
    return failure ?? { mailed: email, again: of === 'again' }
  },
  reset: async ({ request, locals, url }) => {
    const form = await request.formData()
    const code = field(form, 'code').replace(/\s/g, '')
    const sent = locals.api.accounts.resetPassword({
      email: field(form, 'email'),
      code,
      password: field(form, 'password'),
    })
    const { value, failure } = await attempt(worded(sent, 'code'), { form, url, of: 'reset' })
    return failure ?? arrive(value.user, url)
  },
} satisfies Actions
