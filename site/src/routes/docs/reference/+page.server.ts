import { findOperations } from '#lib/server/reference.ts'
import type { PageServerLoad } from './$types'

const MAX_QUERY = 200

export const load: PageServerLoad = ({ url, locals }) => {
  const q = (url.searchParams.get('q') ?? '').trim().slice(0, MAX_QUERY)
  return { q, parts: findOperations(q, locals.server.off) }
}
