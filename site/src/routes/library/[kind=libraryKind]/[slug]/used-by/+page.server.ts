import { redirect } from '@sveltejs/kit'
import { pathOf } from '#lib/features/library/item-lists.ts'
import { found } from '#lib/server/answers.ts'
import { itemAt } from '#lib/server/library.ts'
import type { PageServerLoad } from './$types'

const PER_PAGE = 50

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const item = await itemAt(locals, params)
  // A former name leads to the item for good.
  if (item.slug !== params.slug) redirect(301, `${pathOf(item)}/used-by${url.search}`)
  const asked = url.searchParams.get('page') ?? undefined
  const { items, page, total } = await found(
    locals.api.library.usedBy({ id: item.id, page: asked, per_page: PER_PAGE }),
  )
  return { item, items, page, total, hasMore: page * PER_PAGE < total }
}
