import { redirect } from '@sveltejs/kit'
import { defaultSort, itemLists, shown } from '#lib/features/library/item-lists.ts'
import { found, signInPath } from '#lib/server/answers.ts'
import { glimpse, listQuery, oneOf } from '#lib/server/lists.ts'
import { savedIn } from '#lib/server/saved.ts'
import type { PageServerLoad } from './$types'

const ITEMS_A_PAGE = 24
const MAX_TAGS = 24

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const scope = oneOf(url.searchParams.get('scope'), ['official', 'mine', 'maintained']) ?? ('public' as const)
  const query = {
    ...listQuery(url),
    scope,
    sort: oneOf(url.searchParams.get('sort'), ['best', 'latest', 'popular']) ?? defaultSort(scope),
    tag: url.searchParams.get('tag')?.trim().slice(0, 100) || undefined,
  }
  const user = await locals.user()
  const own = query.scope === 'mine' || query.scope === 'maintained'
  if (own && !user) redirect(303, signInPath(url))
  const kind = params.kind ? itemLists[params.kind].kind : 'all'
  // The library numbers pages from 1.
  const page = Math.max(1, query.page)
  const [list, tags, saved] = await Promise.all([
    found(locals.api.library.list({ ...query, kind, page, per_page: ITEMS_A_PAGE })),
    query.scope === 'mine' || query.scope === 'maintained'
      ? undefined
      : found(locals.api.library.tags({ kind, scope: query.scope, per_page: MAX_TAGS })),
    savedIn({ locals, url }),
  ])
  return {
    list: params.kind,
    query: { ...query, page },
    items: list.items.map((item) => ({ ...shown(item), description: glimpse(item.description) })),
    total: list.total,
    pages: Math.ceil(list.total / ITEMS_A_PAGE),
    hasMore: page * ITEMS_A_PAGE < list.total,
    tags: tags?.items ?? [],
    saved,
  }
}
