import { redirect } from '@sveltejs/kit'
import { ownPath } from '#lib/own-path.ts'
import { isRefusal } from '#lib/server/answers.ts'
import type { PageServerLoad } from './$types'

/** The way back from the external provider: there is nothing to see here. */
export const load: PageServerLoad = async ({ locals, url }) => {
  const answer = await locals.api.external
    .finish({ query: url.search.slice(1, 4_097) })
    .catch(async (thrown: unknown) => {
      if (!isRefusal(thrown)) throw thrown
      const page = (await locals.user()) ? '/settings/security' : '/sign-in'
      redirect(303, `${page}?external=${thrown.code ?? 'unauthorized'}#external`)
    })
  const to = ownPath(answer.to)
  if (answer.connected) redirect(303, `${to}?connected#external`)
  redirect(303, answer.user.username ? to : `/onboarding?to=${encodeURIComponent(to)}`)
}
