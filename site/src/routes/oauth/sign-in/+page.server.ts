import { viewFor } from '#lib/server/view.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => ({
  ...(await viewFor(event, '/oauth/sign-in')),
  signUp: event.locals.server.signUp,
  externalName: event.locals.server.externalName,
})
