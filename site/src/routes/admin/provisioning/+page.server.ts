import { administering } from '#lib/server/administration.ts'
import { action, field, found } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await administering(event)
  const { items, isOn } = await found(event.locals.api.scimTokens.list())
  return { items, isOn, address: `${event.url.origin}/api/scim/v2` }
}

export const actions = {
  create: action(
    (form, { locals }) => locals.api.scimTokens.create({ name: field(form, 'name') }),
    ({ token }) => ({ token }),
  ),
  revoke: action(
    (form, { locals }) => locals.api.scimTokens.revoke({ id: field(form, 'id') }),
    (_, form) => ({ revoked: field(form, 'name') }),
    { of: (form) => `revoke ${field(form, 'id')}` },
  ),
} satisfies Actions
