import { redirect } from '@sveltejs/kit'
import { itemLists, pathOf, shown } from '#lib/features/library/item-lists.ts'
import { found } from '#lib/server/answers.ts'
import type { PageServerLoad } from './$types'

const PER_PAGE = 50

export const load: PageServerLoad = async ({ locals: { api }, params: { kind, slug }, url }) => {
  const item = shown(await found(api.library.find({ kind: itemLists[kind].kind, slug })))
  // A former name leads to the item for good.
  if (item.slug !== slug) redirect(301, `${pathOf(item)}/used-by${url.search}`)
  const asked = url.searchParams.get('page') ?? undefined
  const { items, page, total } = await found(api.library.usedBy({ id: item.id, page: asked, per_page: PER_PAGE }))
  return { item, items, page, total, hasMore: page * PER_PAGE < total }
}
