import { fail, redirect } from '@sveltejs/kit'
import { destination, worded } from '#lib/server/account.ts'
import { attempt, field } from '#lib/server/answers.ts'
import { hasNotedVote } from '#lib/server/noted-vote.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, url, cookies }) => {
  const to = destination(url)
  if (await locals.user()) redirect(303, to)
  const { signUp, externalName } = locals.server
  return { to, signUp, externalName, voting: hasNotedVote({ cookies }) }
}

export const actions = {
  create: async ({ request, locals, url }) => {
    const form = await request.formData()
    const given = { name: field(form, 'name'), email: field(form, 'email'), password: field(form, 'password') }
    const { failure } = await attempt(worded(locals.api.accounts.signUp(given), 'email'), { form, url })
    // A code was mailed; its page is next.
    if (!failure) redirect(303, `/verify-email?to=${encodeURIComponent(destination(url))}`)
    // The owner of the address can sign in instead.
    const taken = failure.status === 409 ? given.email.trim() : undefined
    const message = taken ? locals.t('auth.signUp.addressTaken') : failure.data.message
    return fail(failure.status, { ...failure.data, message, taken })
  },
} satisfies Actions
