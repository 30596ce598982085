// The versions of an item as an Atom feed.
import { error } from '@sveltejs/kit'
import { itemLists, pathOf } from '#lib/features/library/item-lists.ts'
import { found } from '#lib/server/answers.ts'
import { atomAnswer } from '#lib/server/atom.ts'
import { glimpse } from '#lib/server/lists.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals: { api }, params, url }) => {
  const item = await found(api.library.find({ kind: itemLists[params.kind].kind, slug: params.slug }))
  // A feed is for all readers.
  if (item.visibility === 'private') error(404, 'Page not found')
  const { versions } = await found(api.library.versions({ id: item.id }))
  const summary = glimpse(item.description)
  return atomAnswer({
    title: item.name,
    url,
    entries: versions.map(({ version, created_at, changelog, yanked_at }) => ({
      ...{ title: `${item.name} ${version}`, url: `${url.origin}${pathOf(item)}#v${version}` },
      author: item.owner.username ?? 'A member',
      publishedAt: created_at,
      summary: `${yanked_at ? 'Yanked. ' : ''}${changelog ? glimpse(changelog) : summary}`,
    })),
  })
}
