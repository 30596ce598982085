import { redirect } from '@sveltejs/kit'
import { arrive, destination, worded } from '#lib/server/account.ts'
import { attempt, field, typed } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, platform, url }) => {
  const to = destination(url)
  if (await locals.user()) redirect(303, to)
  return { to, development: platform!.development }
}

export const actions = {
  password: async ({ request, locals, url }) => {
    const form = await request.formData()
    const sent = locals.api.accounts.signIn({ email: field(form, 'email'), password: field(form, 'password') })
    const { value, failure } = await attempt(worded(sent), { form, url, of: 'password' })
    return failure ?? arrive(value.user, url)
  },
  code: async ({ request, locals, url }) => {
    const form = await request.formData()
    const email = field(form, 'email').trim()
    const of = form.has('again') ? 'again' : 'password'
    const { failure } = await attempt(worded(locals.api.accounts.sendCode({ email })), { form, url, of })
    return failure ?? { mailed: email, again: of === 'again' }
  },
  verify: async ({ request, locals, url }) => {
    const form = await request.formData()
    const code = field(form, 'code').replace(/\s/g, '')
    const sent = locals.api.accounts.signInWithCode({ email: field(form, 'email'), code })
    const { value, failure } = await attempt(worded(sent, 'code'), { form, url, of: 'verify' })
    return failure ?? arrive(value.user, url)
  },
  /** Another page knows the address already, and keeps it out of ours. */
  address: async ({ request }) => ({ typed: typed(await request.formData()) }),
} satisfies Actions
