import { administering } from '#lib/server/administration.ts'
import { action, field, found, refusedAs } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await administering(event)
  return { invitations: await found(event.locals.api.invitations.list()) }
}

export const actions = {
  invite: action(
    (form, { locals }) =>
      refusedAs(locals.api.invitations.create({ email: field(form, 'email') }), (refusal) => {
        if (refusal.status === 429) refusal.message = `email: ${locals.t('admin.invite.often')}`
      }),
    ({ email }) => ({ invited: email }),
  ),
  remove: action(
    (form, { locals }) => locals.api.invitations.remove({ id: field(form, 'id') }),
    (_, form) => ({ removed: field(form, 'email') }),
    { of: (form) => `remove ${field(form, 'id')}` },
  ),
} satisfies Actions
