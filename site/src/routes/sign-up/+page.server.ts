import { fail, redirect } from '@sveltejs/kit'
import { arrive, destination, worded } from '#lib/server/account.ts'
import { attempt, field } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, url }) => {
  const to = destination(url)
  if (await locals.user()) redirect(303, to)
  return { to }
}

export const actions = {
  create: async ({ request, locals, url }) => {
    const form = await request.formData()
    const given = { name: field(form, 'name'), email: field(form, 'email'), password: field(form, 'password') }
    const { value, failure } = await attempt(worded(locals.api.accounts.signUp(given), 'email'), { form, url })
    if (!failure) arrive(value.user, url)
    // Somebody who has an account is offered the ways into it.
    const taken = failure.status === 409 ? given.email.trim() : undefined
    const message = taken ? 'This address has an account already.' : failure.data.message
    return fail(failure.status, { ...failure.data, message, taken })
  },
} satisfies Actions
