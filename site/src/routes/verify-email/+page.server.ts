import { redirect } from '@sveltejs/kit'
import { arrive, destination, inSession, nextStep } from '#lib/server/account.ts'
import { attempt, field } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const user = (await event.locals.user())!
  const skip = nextStep(user, event.url)
  if (user.emailVerified) redirect(303, skip)
  return { to: destination(event.url), skip, email: user.email, development: event.platform!.development }
}

export const actions = {
  verify: async ({ request, locals, url }) => {
    const form = await request.formData()
    const sent = locals.api.accounts.verifyEmail({ code: field(form, 'code').replace(/\s/g, '') })
    const { value, failure } = await attempt(inSession(sent), { form, url, of: 'verify' })
    return failure ?? arrive(value.user, url)
  },
  send: async ({ request, locals, url }) => {
    const form = await request.formData()
    const { failure } = await attempt(inSession(locals.api.accounts.sendVerification()), { form, url, of: 'send' })
    return failure ?? { mailed: true }
  },
} satisfies Actions
