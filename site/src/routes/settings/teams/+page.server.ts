import { redirect } from '@sveltejs/kit'
import { teamPath } from '#lib/features/teams/paths.ts'
import { action, field, found } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { api } = event.locals
  const [{ items: teams }, { items: invitations }] = await Promise.all([
    found(api.teams.mine()),
    found(api.library.invitations()),
  ])
  return { teams, invited: invitations.length }
}

export const actions = {
  show: action(
    (form, { locals }: RequestEvent) =>
      locals.api.teams.setShown({ slug: field(form, 'team'), shown: field(form, 'shown') === 'yes' }),
    (_, __, { url }) => redirect(303, url.pathname),
  ),
  create: action(
    (form, { locals }: RequestEvent) =>
      locals.api.teams.create({
        ...{ name: field(form, 'name'), slug: field(form, 'slug') },
        description: field(form, 'description'),
      }),
    ({ slug }) => redirect(303, teamPath(slug)),
  ),
} satisfies Actions
