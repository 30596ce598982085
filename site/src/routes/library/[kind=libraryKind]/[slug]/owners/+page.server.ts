import { redirect } from '@sveltejs/kit'
import { pathOf } from '#lib/features/library/item-lists.ts'
import { action, choiceIn, field, found, goTo, stay } from '#lib/server/answers.ts'
import { itemAt } from '#lib/server/library.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

export const load: PageServerLoad = async (event) => {
  const user = await signedIn(event)
  const item = await itemAt(event.locals, event.params)
  if (item.gallery) redirect(303, pathOf(item))
  const { items, invitations = [] } = await found(event.locals.api.library.maintainers({ id: item.id }))
  return { item, people: items, invitations, me: user.id }
}

type Call = (id: string, form: FormData, api: App.Locals['api']['library']) => Promise<unknown>

/** A form about one item; it comes back to the page. */
const about = (call: Call, then = stay as () => unknown) =>
  action(async (form, { locals, params }: RequestEvent) => {
    const { id } = await itemAt(locals, params)
    return call(id, form, locals.api.library)
  }, then)

const accountIn = (form: FormData) => field(form, 'account')
const roleIn = (form: FormData) => choiceIn(form, 'role', ['owner', 'maintainer'])

export const actions = {
  invite: about((id, form, api) =>
    api.addMaintainer({ id, username: field(form, 'username').trim(), role: roleIn(form) }),
  ),
  role: about((id, form, api) => api.setMaintainerRole({ id, accountId: accountIn(form), role: roleIn(form) })),
  remove: about((id, form, api) => api.removeMaintainer({ id, accountId: accountIn(form) })),
  leave: about((id, form, api) => api.removeMaintainer({ id, accountId: accountIn(form) }), goTo('/library')),
  withdraw: about((_, form, api) => api.endInvitation({ id: field(form, 'invitation') })),
  transfer: about((id, form, api) => api.transfer({ id, username: field(form, 'username').trim() })),
  offer: about((id, form, api) => api.transfer({ id, team: field(form, 'team').trim() })),
  rename: action(
    async (form, { locals, params }: RequestEvent) => {
      const { id } = await itemAt(locals, params)
      return locals.api.library.rename({ id, slug: field(form, 'slug').trim() })
    },
    (item) => redirect(303, `${pathOf(item)}/owners`),
  ),
} satisfies Actions
