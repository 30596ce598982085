// The public items of the library as an Atom feed, with the search and the tag of the page.
import { type ItemList, itemLists, pathOf } from '#lib/features/library/item-lists.ts'
import { siteWords as t } from '#lib/language/catalogue.ts'
import { found } from './answers.ts'
import { atomAnswer, authorOf } from './atom.ts'
import { glimpse, listQuery, oneOf } from './lists.ts'

export async function libraryFeed({ api, t: { site } }: App.Locals, url: URL, list?: ItemList): Promise<Response> {
  const { page, ...query } = listQuery(url)
  const { items } = await found(
    api.library.list({
      ...{ ...query, page: Math.max(1, page), kind: list ? itemLists[list].kind : 'all' },
      scope: oneOf(url.searchParams.get('scope'), ['official']) ?? 'public',
      tag: url.searchParams.get('tag')?.trim().slice(0, 100) || undefined,
    }),
  )
  return atomAnswer({
    site,
    title: list ? t('library.titleOf', { list: t(`kinds.list.${list}`) }) : t('library.title'),
    url,
    entries: items.map((item) => ({
      ...{ title: `${item.name} ${item.version}`, url: url.origin + pathOf(item), summary: glimpse(item.description) },
      author: authorOf(item.owner.username),
      publishedAt: item.created_at,
      updatedAt: item.updated_at,
    })),
  })
}
