import { document } from '#lib/server/documents.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ url, params: { name } }) => ({
  document: document(`pages/${name}`, url.origin),
  script: false,
})
