import { scopeGroups } from '#lib/server/scopes.ts'
import { viewFor } from '#lib/server/view.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = (event) => {
  const data = viewFor(event, '/oauth/consent')
  return { ...data, scopes: scopeGroups(event.locals.t, data.view.scopes) }
}
