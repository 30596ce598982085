// A list of the library: of all kinds or one, with the filters of its address.
import { redirect } from '@sveltejs/kit'
import { defaultSort, type Item, type ItemList, itemLists, shown } from '#lib/features/library/item-lists.ts'
import { found, signInPath } from './answers.ts'
import { glimpse, listQuery, oneOf } from './lists.ts'
import { savedIn } from './saved.ts'

const ITEMS_A_PAGE = 24
const MAX_TAGS = 24

/** What an org of a list says beside what all items do. */
function orgFacts({ meta, ...item }: Item) {
  const { role_count: roles, topology } = meta as { role_count?: unknown; topology?: unknown }
  return {
    ...shown({ meta, ...item }),
    roleCount: typeof roles === 'number' ? roles : undefined,
    topology: typeof topology === 'string' ? topology : undefined,
  }
}

export type ListedItem = ReturnType<typeof orgFacts>

export async function libraryList({ locals, url }: { locals: App.Locals; url: URL }, list: ItemList | undefined) {
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
  const kind = list ? itemLists[list].kind : 'all'
  // The library numbers pages from 1.
  const page = Math.max(1, query.page)
  const [answer, tags, saved] = await Promise.all([
    found(locals.api.library.list({ ...query, kind, page, per_page: ITEMS_A_PAGE })),
    query.scope === 'mine' || query.scope === 'maintained'
      ? undefined
      : found(locals.api.library.tags({ kind, scope: query.scope, per_page: MAX_TAGS })),
    savedIn({ locals, url }),
  ])
  return {
    list,
    query: { ...query, page },
    items: answer.items.map((item) => ({ ...orgFacts(item), description: glimpse(item.description) })),
    total: answer.total,
    pages: Math.ceil(answer.total / ITEMS_A_PAGE),
    hasMore: page * ITEMS_A_PAGE < answer.total,
    tags: tags?.items ?? [],
    saved,
  }
}
