import { redirect } from '@sveltejs/kit'
import { inSession } from '#lib/server/account.ts'
import { action, found } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

/** The key goes into a cookie at once: it stays in no address, and leads through the sign-up. */
export const load: PageServerLoad = async ({ locals, url, cookies }) => {
  const key = url.searchParams.get('key')
  if (key !== null) {
    await found(locals.api.invitation.open({ key }))
    redirect(303, '/join')
  }
  const carries = cookies.getAll().some(({ name }) => name.endsWith('guildhall_invitation'))
  const user = await locals.user()
  // Its use took the cookie away: there is nothing left to do.
  if (!carries && user) redirect(303, '/')
  const invitation = await found(locals.api.invitation.open({}))
  /** An account gets the role of a moderator, where it has none, and a board: there is nothing else that it could accept. */
  const givesRole = invitation.role === 'moderator' && user?.role === 'member'
  return { invitation, gives: user === undefined || givesRole || invitation.board !== null }
}

export const actions = {
  accept: action(
    (_, { locals }) => inSession(locals.api.invitation.accept()),
    ({ user }) => redirect(303, user.role === 'member' ? '/' : '/moderation'),
  ),
} satisfies Actions
