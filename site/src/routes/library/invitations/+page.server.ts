import { redirect } from '@sveltejs/kit'
import { pathOf } from '#lib/features/library/item-lists.ts'
import { action, field, found, stay } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  return found(event.locals.api.library.invitations())
}

export const actions = {
  accept: action(
    (form, { locals }: RequestEvent) => locals.api.library.acceptInvitation({ id: field(form, 'id') }),
    (item) => redirect(303, pathOf(item)),
  ),
  join: action(
    (form, { locals }: RequestEvent) => locals.api.teams.join({ slug: field(form, 'team') }),
    ({ slug }) => redirect(303, `/teams/${slug}`),
  ),
  decline: action(
    (form, { locals }: RequestEvent) => locals.api.library.endInvitation({ id: field(form, 'id') }),
    stay,
  ),
} satisfies Actions
