import { document } from '#lib/server/documents.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ url, locals, params: { name = 'guide' } }) => ({
  document: document(`docs/${name}`, locals.t, { baseUrl: url.origin }),
})
