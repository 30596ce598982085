import { error, redirect } from '@sveltejs/kit'
import { pathOf } from '#lib/features/library/item-lists.ts'
import { confirmed, inSession } from '#lib/server/account.ts'
import { action, field, found } from '#lib/server/answers.ts'
import { confirming } from '#lib/server/confirming.ts'
import { itemAt } from '#lib/server/library.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { trustedPublishers, reauthentication, pendingActs } = event.locals.api
  const item = await itemAt(event.locals, event.params)
  if (item.gallery) redirect(303, pathOf(item))
  if (!item.can.edit) error(403, event.locals.t('item.publishers.refused'))
  const [{ items }, credentials, staging, waiting] = await Promise.all([
    found(trustedPublishers.list({ item: item.id })),
    found(reauthentication.show()),
    found(trustedPublishers.staging({ id: item.id })),
    found(pendingActs.list({ item: item.id, state: 'waiting' })),
  ])
  return { item, publishers: items, credentials, staging, waiting: waiting.items }
}

/** An empty field is none. */
const given = (form: FormData, name: string) => field(form, name).trim() || undefined

export const actions = {
  ...confirming((url) => url.pathname),
  add: action(
    async (form, { locals, params, url }: RequestEvent) => {
      const { id: item } = await itemAt(locals, params)
      const named = {
        ...{
          item,
          issuer: given(form, 'issuer'),
          repository: field(form, 'repository'),
          workflow: field(form, 'workflow'),
        },
        ...{ ref: given(form, 'ref'), environment: given(form, 'environment') },
      }
      return confirmed(inSession(locals.api.trustedPublishers.add(named)), `${url.pathname}#confirm`)
    },
    () => ({ added: true }),
  ),
  stage: action(
    async (form, { locals, params, url }: RequestEvent) => {
      const { id } = await itemAt(locals, params)
      const only = field(form, 'only') === 'true'
      return confirmed(inSession(locals.api.trustedPublishers.setStaging({ id, only })), `${url.pathname}#confirm`)
    },
    () => ({ staged: true }),
  ),
  remove: action(
    (form, { locals }: RequestEvent) => inSession(locals.api.trustedPublishers.remove({ id: field(form, 'id') })),
    () => ({ removed: true }),
    { of: (form) => `remove ${field(form, 'id')}` },
  ),
} satisfies Actions
