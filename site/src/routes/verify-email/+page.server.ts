import { redirect } from '@sveltejs/kit'
import { arrive, destination, inSession, nextStep } from '#lib/server/account.ts'
import { action, codeIn } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  const user = await signedIn(event)
  const skip = nextStep(user, event.url)
  if (user.emailVerified) redirect(303, skip)
  return { to: destination(event.url), skip, email: user.email, development: event.locals.server.development }
}

export const actions = {
  verify: action(
    (form, { locals }) => inSession(locals.api.accounts.verifyEmail({ code: codeIn(form) })),
    ({ user }, _, { url }) => arrive(user, url),
  ),
  send: action(
    (_, { locals }) => inSession(locals.api.accounts.sendVerification()),
    () => ({ mailed: true }),
  ),
} satisfies Actions
