// The versions of an item as an Atom feed.
import { error } from '@sveltejs/kit'
import { itemLists, pathOf } from '#lib/features/library/item-lists.ts'
import { siteWords } from '#lib/language/catalogue.ts'
import { found } from '#lib/server/answers.ts'
import { atomAnswer, authorOf } from '#lib/server/atom.ts'
import { glimpse } from '#lib/server/lists.ts'
import type { RequestHandler } from './$types'

const summaryOf = (text: string, isYanked: boolean) => (isYanked ? siteWords('item.feed.yanked', { text }) : text)

export const GET: RequestHandler = async ({ locals: { api, t }, params, url }) => {
  const item = await found(api.library.find({ kind: itemLists[params.kind].kind, slug: params.slug }))
  // A feed is for all readers.
  if (item.visibility === 'private') error(404, t('errors.page.404'))
  const { versions } = await found(api.library.versions({ id: item.id }))
  const about = glimpse(item.description)
  return atomAnswer({
    site: t.site,
    title: item.name,
    url,
    entries: versions.map(({ version, created_at, changelog, yanked_at }) => ({
      ...{ title: `${item.name} ${version}`, url: `${url.origin}${pathOf(item)}#v${version}` },
      author: authorOf(item.owner.username),
      publishedAt: created_at,
      summary: summaryOf(changelog ? glimpse(changelog) : about, yanked_at !== undefined),
    })),
  })
}
