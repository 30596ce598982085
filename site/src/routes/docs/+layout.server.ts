import { document } from '#lib/server/documents.ts'
import type { LayoutServerLoad } from './$types'

/** Nothing in the docs needs a script. */
export const csr = false

export const load: LayoutServerLoad = ({ url, route }) => {
  const [, , name = 'guide'] = route.id.split('/')
  return { document: document(`docs/${name}`, url.origin) }
}
