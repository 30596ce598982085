import { redirect } from '@sveltejs/kit'
import { listPath } from '#lib/features/library/item-lists.ts'
import { libraryList } from '#lib/server/library-list.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ locals, params: { kind }, url }) => {
  // Orgs have one list.
  if (kind === 'orgs') redirect(301, listPath(kind) + url.search)
  return libraryList({ locals, url }, kind)
}
