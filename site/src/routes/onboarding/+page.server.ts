import { redirect } from '@sveltejs/kit'
import { destination, worded } from '#lib/server/account.ts'
import { action, field } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  const user = await signedIn(event)
  const to = destination(event.url)
  if (user.username) redirect(303, to)
  return { to }
}

/** Where an app waits for its answer, nothing comes in between. */
const afterUsername = (to: string) =>
  /^\/(api|oauth)\//.test(to) ? to : `/onboarding/welcome?to=${encodeURIComponent(to)}`

export const actions = {
  choose: action(
    (form, { locals }) => worded(locals.api.profile.setUsername({ username: field(form, 'username') }), 'username'),
    (_, __, { url }) => redirect(303, afterUsername(destination(url))),
  ),
} satisfies Actions
