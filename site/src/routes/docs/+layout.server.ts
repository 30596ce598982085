import { document } from '#lib/server/documents.ts'
import type { LayoutServerLoad } from './$types'

export const load: LayoutServerLoad = ({ url, route }) => {
  const [, , name = 'guide'] = route.id.split('/')
  return { document: document(`docs/${name}`, url.origin), script: false }
}
