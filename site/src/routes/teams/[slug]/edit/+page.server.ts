import { error, redirect } from '@sveltejs/kit'
import { followedSlug, teamPath } from '#lib/features/teams/paths.ts'
import { action, choiceIn, field, found, goTo, reasonIn, stay } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

export const load: PageServerLoad = async (event) => {
  const user = await signedIn(event)
  const { api } = event.locals
  const { slug } = event.params
  const team = await found(api.teams.get({ slug }))
  if (team.slug !== slug) redirect(301, followedSlug(event.url, team.slug))
  if (!team.can.edit) error(403, event.locals.t('teams.edit.refused'))
  const { items, invitations = [] } = await found(api.teams.members({ slug }))
  return { team, people: items, invitations, me: user.id }
}

const roleIn = (form: FormData) => choiceIn(form, 'role', ['owner', 'member'])

type Call = (slug: string, form: FormData, api: App.Locals['api']) => Promise<unknown>

/** A form about the team; it comes back to the page. */
const about = (call: Call, then = stay as () => unknown) =>
  action((form, { locals, params }: RequestEvent) => call(params.slug, form, locals.api), then)

export const actions = {
  invite: about((slug, form, api) =>
    api.teams.invite({ slug, username: field(form, 'username').trim(), role: roleIn(form) }),
  ),
  withdraw: about((_, form, api) => api.library.endInvitation({ id: field(form, 'invitation') })),
  role: about((slug, form, api) => api.teams.setRole({ slug, accountId: field(form, 'account'), role: roleIn(form) })),
  remove: action(
    (form, { locals, params }: RequestEvent) =>
      locals.api.teams.remove({ slug: params.slug, accountId: field(form, 'account') }),
    stay,
    { of: (form) => `remove ${field(form, 'account')}` },
  ),
  save: action(
    (form, { locals, params }: RequestEvent) =>
      locals.api.teams.update({
        ...{ slug: params.slug, name: field(form, 'name'), description: field(form, 'description') },
        ...{ new_slug: field(form, 'new_slug'), reason: reasonIn(form) },
      }),
    ({ slug }) => redirect(303, teamPath(slug)),
  ),
  delete: about((slug, form, api) => api.teams.delete({ slug, reason: reasonIn(form) }), goTo('/settings/teams')),
} satisfies Actions
