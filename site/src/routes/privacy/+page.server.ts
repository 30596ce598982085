import { document } from '#lib/server/documents.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ url }) => ({ document: document('pages/privacy', url.origin), script: false })
