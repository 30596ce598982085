import { administering } from '#lib/server/administration.ts'
import { action, field, found } from '#lib/server/answers.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await administering(event)
  const { items, sites } = await found(event.locals.api.widget.keys())
  return { items, sites, snippet: `<script src="${event.locals.server.baseUrl}/widget.js" async></${'script'}>` }
}

export const actions = {
  create: action(
    (form, { locals }) => locals.api.widget.createKey({ site: field(form, 'site') }),
    ({ secret }) => ({ secret }),
  ),
  revoke: action(
    (form, { locals }) => locals.api.widget.revokeKey({ id: field(form, 'id') }),
    (_, form) => ({ revoked: field(form, 'site') }),
    { of: (form) => `revoke ${field(form, 'id')}` },
  ),
} satisfies Actions
