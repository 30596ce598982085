import { viewFor } from '#lib/server/view.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = (event) => viewFor(event, '/oauth/problem')
