import { partsThere } from '#lib/server/reference.ts'
import type { LayoutServerLoad } from './$types'

/** The parts of the API, for the navigation of its reference. */
export const load: LayoutServerLoad = ({ url, locals }) => ({
  isDocs: true,
  apiParts: url.pathname.startsWith('/docs/reference') ? partsThere(locals.server.off) : undefined,
})
