import { libraryList } from '#lib/server/library-list.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ locals, url }) => libraryList({ locals, url }, 'orgs')
